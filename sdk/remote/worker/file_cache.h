// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Files that the desk has sent, by their digest, in a folder that stays. Several workers may share a
// folder: a file gets its place, whole and checked, in one step. Not thread-safe.

#ifndef NPUKIT_SDK_REMOTE_WORKER_FILE_CACHE_H_
#define NPUKIT_SDK_REMOTE_WORKER_FILE_CACHE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::remote {

inline constexpr uint64_t kMaxFileBytes = uint64_t{1} << 31;

class FileCache {
 public:
  // Makes the folder, for this user only, if there is none. Error: it can't be made, or is another
  // user's.
  static litert::Expected<FileCache> Open(const std::string& folder);
  // $NPUKIT_WORKER_CACHE, $XDG_CACHE_HOME/npukit-worker, $HOME/.cache/npukit-worker,
  // /tmp/npukit-worker-UID: the first that the environment allows.
  static std::string DefaultFolder();

  bool Has(std::string_view digest) const;
  // A piece of a file; pieces come in order, the first with offset 0. The last one puts the file in
  // its place if it has its digest. Errors: a bad name or order, too large, the digest is another one,
  // what the disk says.
  litert::Expected<void> Put(std::string_view digest, uint64_t whole_bytes, uint64_t offset_bytes,
                             std::span<const uint8_t> piece);
  // Of a file that is there and still has its digest.
  litert::Expected<std::vector<uint8_t>> Read(std::string_view digest) const;
  // A path of that file whose last part is `name`, as its vendor called it.
  litert::Expected<std::string> PathAs(std::string_view digest, std::string_view name) const;

 private:
  explicit FileCache(std::string folder) : folder_(std::move(folder)) {}
  std::string PathOf(std::string_view digest) const;

  std::string folder_;
  std::string coming_digest_;          // of the file whose pieces come
  std::vector<uint8_t> coming_bytes_;  // of it, so far
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_FILE_CACHE_H_

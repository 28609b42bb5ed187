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

// A file whose pieces come: what has arrived lies in the folder, and is removed if it never becomes
// whole.
class FileUpload {
 public:
  FileUpload() = default;
  ~FileUpload() { Drop(); }
  FileUpload(const FileUpload&) = delete;
  FileUpload& operator=(const FileUpload&) = delete;

 private:
  friend class FileCache;
  void Drop();

  std::string digest_;  // empty: none comes
  std::string path_;
  int fd_ = -1;
  uint64_t arrived_bytes_ = 0;
};

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
  litert::Expected<void> Put(FileUpload& upload, std::string_view digest, uint64_t whole_bytes,
                             uint64_t offset_bytes, std::span<const uint8_t> piece) const;
  // Of a file that is there and still has its digest.
  litert::Expected<std::vector<uint8_t>> Read(std::string_view digest) const;
  const std::string& folder() const { return folder_; }
  // A path of that file whose last part is `name`, as its vendor called it.
  litert::Expected<std::string> PathAs(std::string_view digest, std::string_view name) const;

 private:
  explicit FileCache(std::string folder) : folder_(std::move(folder)) {}
  std::string PathOf(std::string_view digest) const;
  litert::Expected<void> Place(FileUpload& upload) const;

  std::string folder_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_FILE_CACHE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/worker_files.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "sdk/remote/wire/digest.h"
#include "sdk/remote/wire/file_bytes.h"

namespace npukit::remote {
namespace {

namespace fs = std::filesystem;

struct Wanted {
  const char* name;
  const char* folder;  // beside the given one
};
constexpr Wanted kWanted[] = {{"npukit-worker", "bin"}, {"libLiteRt.so", "lib"}};

// Empty: it is not there.
fs::path PathOf(const fs::path& folder, const Wanted& wanted) {
  std::error_code error;
  for (const fs::path& place : {folder, folder / ".." / wanted.folder}) {
    if (fs::is_regular_file(place / wanted.name, error)) return place / wanted.name;
  }
  return {};
}

}  // namespace

litert::Expected<WorkerFiles> FindWorkerFiles(const std::string& folder) {
  WorkerFiles found;
  std::string digests;
  for (const Wanted& wanted : kWanted) {
    const fs::path path = PathOf(folder, wanted);
    if (path.empty()) return WorkerFiles{};
    auto bytes = ReadFileBytes(path.string());
    if (!bytes)
      return litert::Unexpected(kLiteRtStatusErrorFileIO, path.string() + ": can't be read");
    WorkerFile read{.name = wanted.name, .bytes = std::move(*bytes)};
    digests += Digest(read.bytes);
    found.files.push_back(std::move(read));
  }
  found.digest = Digest({reinterpret_cast<const uint8_t*>(digests.data()), digests.size()});
  return found;
}

}  // namespace npukit::remote

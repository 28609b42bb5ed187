// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace npukit::tools {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

litert::Unexpected FileError(const std::string& path) {
  return litert::Unexpected(
      kLiteRtStatusErrorFileIO,
      path + ": " + std::error_code(errno, std::generic_category()).message());
}

}  // namespace

litert::Expected<std::vector<uint8_t>> ReadWholeFile(const std::string& path) {
  File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return FileError(path);
  std::vector<uint8_t> bytes;
  uint8_t chunk[1 << 16];
  for (size_t count = 0; (count = std::fread(chunk, 1, sizeof(chunk), file.get())) > 0;) {
    bytes.insert(bytes.end(), chunk, chunk + count);
  }
  if (std::ferror(file.get()) != 0) return FileError(path);
  return bytes;
}

litert::Expected<void> WriteWholeFile(const std::string& path, std::span<const uint8_t> bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
    return FileError(path);
  if (std::fclose(file.release()) != 0) return FileError(path);
  return {};
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/whole_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace npukit::tools {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

litert::Unexpected FileError(const std::string& path, const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorFileIO, path + ": " + what);
}

litert::Unexpected FileError(const std::string& path) {
  return FileError(path, std::error_code(errno, std::generic_category()).message());
}

template <typename Bytes>
litert::Expected<Bytes> Read(const std::string& path, size_t max_bytes = SIZE_MAX) {
  File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return FileError(path);
  Bytes bytes;
  uint8_t chunk[1 << 16];
  for (size_t count = 0; (count = std::fread(chunk, 1, sizeof(chunk), file.get())) > 0;) {
    if (count > max_bytes - bytes.size())
      return FileError(path, fmt::format("is larger than {} bytes", max_bytes));
    bytes.insert(bytes.end(), chunk, chunk + count);
  }
  if (std::ferror(file.get()) != 0) return FileError(path);
  return bytes;
}

}  // namespace

litert::Expected<std::vector<uint8_t>> ReadWholeFile(const std::string& path) {
  return Read<std::vector<uint8_t>>(path);
}

litert::Expected<std::string> ReadWholeText(const std::string& path) {
  return Read<std::string>(path);
}

litert::Expected<std::vector<uint8_t>> ReadRegularFile(const std::string& path, size_t max_bytes) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (error) return FileError(path, error.message());
  if (status.type() != std::filesystem::file_type::regular)
    return FileError(path, "is no regular file");
  return Read<std::vector<uint8_t>>(path, max_bytes);
}

litert::Expected<void> WriteWholeFile(const std::string& path, std::span<const uint8_t> bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr) return FileError(path);
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
    return FileError(path);
  if (std::fclose(file.release()) != 0) return FileError(path);
  return {};
}

}  // namespace npukit::tools

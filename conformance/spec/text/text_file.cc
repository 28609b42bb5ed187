// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/text/text_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace npukit::conformance {

litert::Expected<std::string> ReadTextFile(const std::string& path) {
  std::error_code error;
  // Not a folder, and not a pipe that nobody writes to.
  const bool is_file = std::filesystem::is_regular_file(path, error);
  const uintmax_t size_bytes = is_file ? std::filesystem::file_size(path, error) : 0;
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  if (is_file && !error && stream.is_open()) {
    text.resize(static_cast<size_t>(size_bytes));
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (static_cast<uintmax_t>(stream.gcount()) == size_bytes) return text;
  }
  return litert::Unexpected(kLiteRtStatusErrorNotFound, path + ": can't be read");
}

litert::Expected<void> WriteTextFile(const std::string& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (stream) return {};
  return litert::Unexpected(kLiteRtStatusErrorFileIO, path + ": can't be written");
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/text/text_file.h"

#include <fstream>
#include <iterator>

namespace npukit::conformance {

litert::Expected<std::string> ReadTextFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream.is_open() || stream.bad())
    return litert::Unexpected(kLiteRtStatusErrorNotFound, path + ": can't be read");
  return text;
}

litert::Expected<void> WriteTextFile(const std::string& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (stream) return {};
  return litert::Unexpected(kLiteRtStatusErrorFileIO, path + ": can't be written");
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/state/string_tensor.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

namespace npukit {
namespace {

constexpr size_t kWordBytes = sizeof(int32_t);

int32_t WordAt(std::span<const uint8_t> bytes, size_t index) {
  int32_t word = 0;
  std::memcpy(&word, bytes.data() + index * kWordBytes, kWordBytes);
  return word;
}

litert::Unexpected Bad(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("strings: expected {}", what));
}

}  // namespace

litert::Expected<std::vector<std::string_view>> ReadStrings(std::span<const uint8_t> bytes,
                                                            int64_t expected) {
  if (bytes.size() < kWordBytes)
    return Bad(fmt::format("their number, found {} bytes", bytes.size()));
  const int32_t count = WordAt(bytes, 0);
  if (count != expected) return Bad(fmt::format("{} of them, found {}", expected, count));
  const size_t first = (static_cast<size_t>(count) + 2) * kWordBytes;
  if (bytes.size() < first)
    return Bad(fmt::format("{} offsets, found {} bytes", count + 1, bytes.size()));
  std::vector<std::string_view> strings;
  strings.reserve(static_cast<size_t>(count));
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    const int32_t begin = WordAt(bytes, i + 1);
    const int32_t end = WordAt(bytes, i + 2);
    if (begin < static_cast<int64_t>(first) || end < begin ||
        end > static_cast<int64_t>(bytes.size())) {
      return Bad(fmt::format("string {} within {} bytes, found it from {} to {}", i, bytes.size(),
                             begin, end));
    }
    strings.emplace_back(reinterpret_cast<const char*>(bytes.data()) + begin,
                         static_cast<size_t>(end - begin));
  }
  return strings;
}

litert::Expected<std::vector<uint8_t>> WriteStrings(std::span<const std::string_view> strings) {
  size_t size_bytes = (strings.size() + 2) * kWordBytes;
  const size_t first = size_bytes;
  for (std::string_view text : strings) size_bytes += text.size();
  if (size_bytes > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    return Bad(fmt::format("less than 2^31 bytes, found {}", size_bytes));
  std::vector<uint8_t> bytes(size_bytes);
  const auto put = [&](size_t index, size_t value) {
    const auto word = static_cast<int32_t>(value);
    std::memcpy(bytes.data() + index * kWordBytes, &word, kWordBytes);
  };
  put(0, strings.size());
  size_t at = first;
  for (size_t i = 0; i < strings.size(); ++i) {
    put(i + 1, at);
    if (!strings[i].empty()) std::memcpy(bytes.data() + at, strings[i].data(), strings[i].size());
    at += strings[i].size();
  }
  put(strings.size() + 1, at);
  return bytes;
}

}  // namespace npukit

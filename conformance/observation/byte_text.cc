// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/observation/byte_text.h"

#include <cstring>

namespace npukit::conformance {

void ByteWriter::Put(uint64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  bytes_.append(bytes, sizeof number);
}

void ByteWriter::Put(std::string_view bytes) {
  Put(static_cast<uint64_t>(bytes.size()));
  bytes_.append(bytes);
}

void ByteWriter::Put(const std::vector<uint8_t>& bytes) {
  Put(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

bool ByteReader::Get(uint64_t& number) {
  if (left_.size() < sizeof number) return false;
  std::memcpy(&number, left_.data(), sizeof number);
  left_.remove_prefix(sizeof number);
  return true;
}

bool ByteReader::Get(std::string_view& bytes) {
  uint64_t size_bytes = 0;
  if (!Get(size_bytes) || size_bytes > left_.size()) return false;
  bytes = left_.substr(0, static_cast<size_t>(size_bytes));
  left_.remove_prefix(bytes.size());
  return true;
}

bool ByteReader::Get(std::string& bytes) {
  std::string_view view;
  if (!Get(view)) return false;
  bytes = view;
  return true;
}

bool ByteReader::Get(std::vector<uint8_t>& bytes) {
  std::string_view view;
  if (!Get(view)) return false;
  bytes.assign(view.begin(), view.end());
  return true;
}

}  // namespace npukit::conformance

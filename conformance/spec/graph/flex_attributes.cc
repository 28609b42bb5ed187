// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/graph/flex_attributes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace npukit::conformance {
namespace {

// FlexBuffer types, and the code of an 8-byte width that shares their byte.
constexpr uint8_t kInt = 1;
constexpr uint8_t kFloat = 3;
constexpr uint8_t kMap = 9;
constexpr uint8_t kWidthBytes = 8;
constexpr uint8_t PackedType(uint8_t type) { return static_cast<uint8_t>(type << 2 | 3); }

class Encoder {
 public:
  size_t position() const { return bytes_.size(); }
  void Byte(uint8_t value) { bytes_.push_back(value); }
  void Word(uint64_t value) {
    for (int i = 0; i < kWidthBytes; ++i) bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
  // Offsets point backwards, from where they stand.
  void OffsetTo(size_t target) { Word(position() - target); }
  void Text(const std::string& text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    bytes_.push_back(0);
  }
  void Align() { bytes_.resize((bytes_.size() + kWidthBytes - 1) / kWidthBytes * kWidthBytes); }
  std::vector<uint8_t> Take() { return std::move(bytes_); }

 private:
  std::vector<uint8_t> bytes_;
};

bool IsWhole(double value) { return std::trunc(value) == value && std::abs(value) < 9e15; }

uint64_t Bits(double value) {
  if (IsWhole(value)) return static_cast<uint64_t>(static_cast<int64_t>(value));
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

std::vector<uint8_t> EncodeAttributes(std::vector<std::pair<std::string, double>> attributes) {
  std::sort(attributes.begin(), attributes.end());
  Encoder encoder;
  std::vector<size_t> key_positions;
  for (const auto& [key, value] : attributes) {
    key_positions.push_back(encoder.position());
    encoder.Text(key);
  }
  encoder.Align();
  encoder.Word(attributes.size());
  const size_t keys = encoder.position();
  for (size_t position : key_positions) encoder.OffsetTo(position);
  encoder.OffsetTo(keys);
  encoder.Word(kWidthBytes);
  encoder.Word(attributes.size());
  const size_t map = encoder.position();
  for (const auto& [key, value] : attributes) encoder.Word(Bits(value));
  for (const auto& [key, value] : attributes)
    encoder.Byte(PackedType(IsWhole(value) ? kInt : kFloat));
  encoder.Align();
  encoder.OffsetTo(map);
  encoder.Byte(PackedType(kMap));
  encoder.Byte(kWidthBytes);
  return encoder.Take();
}

}  // namespace npukit::conformance

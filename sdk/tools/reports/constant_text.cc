// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/constant_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <cstring>
#include <span>

#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/packed_integers.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/field_text.h"

namespace npukit::tools {
namespace {

constexpr size_t kMaxElemsInLine = 16;

// Of a float type T.
template <typename T>
std::string Floats(std::span<const uint8_t> bytes) {
  std::vector<float> values;
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    values.push_back(value);
  }
  return FloatList(values);
}

// Of any integer type, packed ones too; nullopt where a double does not hold each.
std::optional<std::string> Integers(const Tensor& tensor) {
  constexpr int64_t kLargest = int64_t{1} << 53;
  const std::span<const uint8_t> bytes = tensor.weights.bytes();
  const auto num_bits = static_cast<int64_t>(bytes.size()) * 8;
  const int bits = ElementBits(tensor.element_type);
  const int64_t elems =
      kernels::IsPacked(tensor.element_type) ? kernels::ElemsOf(tensor.shape) : num_bits / bits;
  if (elems < 0 || elems * bits > num_bits) return std::nullopt;
  std::vector<int64_t> values;
  for (int64_t i = 0; i < elems; ++i) {
    values.push_back(kernels::IntegerAt(tensor.element_type, bytes, i));
    if (values.back() > kLargest || values.back() < -kLargest) return std::nullopt;
  }
  return fmt::format("[{}]", fmt::join(values, ", "));
}

}  // namespace

std::string FloatList(const std::vector<float>& values) {
  std::vector<std::string> texts;
  for (float value : values) texts.push_back(FloatText(value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::optional<std::string> ShortConstantText(const Tensor& tensor) {
  const std::span<const uint8_t> bytes = tensor.weights.bytes();
  const int bits = ElementBits(tensor.element_type);
  if (bits == 0 || bytes.size() * 8 > kMaxElemsInLine * static_cast<size_t>(bits))
    return std::nullopt;
  switch (tensor.element_type) {
    case kLiteRtElementTypeFloat32:
      return Floats<float>(bytes);
    case kLiteRtElementTypeFloat16:
      return Floats<kernels::Float16>(bytes);
    case kLiteRtElementTypeBFloat16:
      return Floats<kernels::BFloat16>(bytes);
    case kLiteRtElementTypeBool:
    case kLiteRtElementTypeInt2:
    case kLiteRtElementTypeInt4:
    case kLiteRtElementTypeInt8:
    case kLiteRtElementTypeUInt8:
    case kLiteRtElementTypeInt16:
    case kLiteRtElementTypeUInt16:
    case kLiteRtElementTypeInt32:
    case kLiteRtElementTypeUInt32:
    case kLiteRtElementTypeInt64:
      return Integers(tensor);
    default:
      return std::nullopt;
  }
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What tests of operators share: types, quantisation, names of shapes, constants of random values.

#ifndef NPUKIT_REFERENCE_PLUGIN_TESTS_RANDOM_CONSTANTS_H_
#define NPUKIT_REFERENCE_PLUGIN_TESTS_RANDOM_CONSTANTS_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit {

using Shape = std::vector<int32_t>;
inline constexpr auto kI8 = kLiteRtElementTypeInt8;
inline constexpr auto kU8 = kLiteRtElementTypeUInt8;
inline constexpr auto kI16 = kLiteRtElementTypeInt16;
inline constexpr auto kI32 = kLiteRtElementTypeInt32;
inline constexpr auto kF32 = kLiteRtElementTypeFloat32;

inline std::string Name(LiteRtElementType type) {
  return type == kI8    ? "i8"
         : type == kU8  ? "u8"
         : type == kI16 ? "i16"
         : type == kI32 ? "i32"
                        : "f32";
}

inline std::string Name(const Shape& shape) {
  std::string text;
  for (int32_t dim : shape) text += "_" + std::to_string(dim);
  return text;
}

inline bool IsQuantised(LiteRtElementType type) {
  return type == kI8 || type == kU8 || type == kI16;
}

// A zero point that suits the type: uint8's are shifted by 128, int16's are 0.
inline Quantization Quant(LiteRtElementType type, float scale, int64_t int8_zero_point) {
  if (!IsQuantised(type)) return {};
  if (type == kI16) return PerTensor(scale / 200);
  return PerTensor(scale, type == kU8 ? int8_zero_point + 128 : int8_zero_point);
}

inline size_t Elems(const Shape& shape) {
  size_t elems = 1;
  for (int32_t dim : shape) elems *= static_cast<size_t>(dim);
  return elems;
}

// What sums of so many products of numbers up to 8 may differ by, in whatever order they are added.
inline double SumBound(int32_t depth) { return 2.0 * depth * depth * 64 * 0x1p-24; }

template <class T>
Tensor* AddConstant(ModelBuilder& b, const char* name, const Shape& shape, Quantization quant,
                    int64_t low, int64_t high) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int64_t> any(low, high);
  std::vector<T> values(Elems(shape));
  for (T& value : values) value = static_cast<T>(any(random));
  return b.Constant<T>(name, shape, values, std::move(quant));
}

}  // namespace npukit

#endif  // NPUKIT_REFERENCE_PLUGIN_TESTS_RANDOM_CONSTANTS_H_

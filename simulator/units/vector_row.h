// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Rows of vector operands: any integer type to and from int32, floats, and the clamp.

#ifndef NPUKIT_SIMULATOR_UNITS_VECTOR_ROW_H_
#define NPUKIT_SIMULATOR_UNITS_VECTOR_ROW_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "simulator/isa/engine_state.h"
#include "simulator/units/memory.h"

namespace acme {

// Inclusive bounds of an integer result.
struct IntegerClamp {
  int32_t lo;
  int32_t hi;
  int32_t Apply(int32_t value) const { return std::min(std::max(value, lo), hi); }
};

// v.clamp followed by saturation to the type, as one pair of bounds.
inline IntegerClamp ClampOf(const VectorState& state, Dtype out) {
  IntegerClamp range = {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  if (out == Dtype::kI8) range = {-128, 127};
  if (out == Dtype::kU8) range = {0, 255};
  if (out == Dtype::kI16) range = {-32768, 32767};
  if (!state.clamp_set) return range;
  return {range.Apply(state.clamp.lo), range.Apply(state.clamp.hi)};
}

struct FloatClamp {
  float lo;
  float hi;
  float Apply(float value) const {
    value = value < lo ? lo : value;
    return value > hi ? hi : value;
  }
};

inline FloatClamp FloatClampOf(const VectorState& state) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  if (!state.clamp_set) return {-kInf, kInf};
  return {std::bit_cast<float>(state.clamp.lo), std::bit_cast<float>(state.clamp.hi)};
}

// Calls visit(i1, i2, i3) for every row of the shape.
template <class F>
void ForEachRow(const Extents& shape, F&& visit) {
  for (int64_t i3 = 0; i3 < shape[3]; ++i3) {
    for (int64_t i2 = 0; i2 < shape[2]; ++i2) {
      for (int64_t i1 = 0; i1 < shape[1]; ++i1) visit(i1, i2, i3);
    }
  }
}

inline int64_t RowOffset(const Strides& stride, int64_t i1, int64_t i2, int64_t i3) {
  return i1 * stride[1] + i2 * stride[2] + i3 * stride[3];
}

// Merges leading dimensions that are contiguous in all the given views, so that rows are long.
// elem_bytes[i] belongs to strides[i].
struct MergedShape {
  Extents shape;
  Strides stride[4];
};
MergedShape MergeContiguous(const Extents& shape, const Strides* const* strides,
                            const int64_t* elem_bytes, int views);

// count elements of an integer type to int32 (i64 is cut to 32 bits), and back (values must fit).
// Zero strides broadcast.
void LoadRow(const uint8_t* from, int64_t stride, Dtype dtype, int64_t count, int32_t* to);
void StoreRow(const int32_t* from, Dtype dtype, int64_t count, uint8_t* to, int64_t stride);
void LoadRow(const uint8_t* from, int64_t stride, int64_t count, float* to);
void StoreRow(const float* from, int64_t count, uint8_t* to, int64_t stride);
// a[i] = clamp(a[i] op b[i]); up to kRowBlock elements.
void CombineRow(BinaryOp op, const FloatClamp& clamp, float* a, const float* b, int64_t n);
int64_t LoadInteger(const uint8_t* from, Dtype dtype);
// An element of any type as binary32.
inline float LoadReal(const uint8_t* from, Dtype dtype) {
  return dtype == Dtype::kF32 ? LoadAs<float>(from) : static_cast<float>(LoadInteger(from, dtype));
}
// Towards zero, saturated; 0 for a NaN.
int32_t Truncate(float x);

// Rows longer than this are processed in pieces.
inline constexpr int64_t kRowBlock = 1024;

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_VECTOR_ROW_H_

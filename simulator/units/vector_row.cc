// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/vector_row.h"

#include <algorithm>
#include <cmath>

#include "simulator/units/microkernels/microkernels.h"

namespace acme {
namespace {

template <class T>
void LoadAsInt32(const uint8_t* from, int64_t stride, int64_t count, int32_t* to) {
  // With the stride a constant the compiler vectorises the loop.
  if (stride == static_cast<int64_t>(sizeof(T))) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<int32_t>(LoadAs<T>(from + i * static_cast<int64_t>(sizeof(T))));
    return;
  }
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<int32_t>(LoadAs<T>(from + i * stride));
}

template <class T>
void StoreFromInt32(const int32_t* from, int64_t count, uint8_t* to, int64_t stride) {
  if (stride == static_cast<int64_t>(sizeof(T))) {
    for (int64_t i = 0; i < count; ++i)
      StoreAs<T>(to + i * static_cast<int64_t>(sizeof(T)), static_cast<T>(from[i]));
    return;
  }
  for (int64_t i = 0; i < count; ++i) StoreAs<T>(to + i * stride, static_cast<T>(from[i]));
}

}  // namespace

MergedShape MergeContiguous(const Extents& shape, const Strides* const* strides,
                            const int64_t* elem_bytes, int views) {
  MergedShape merged{shape, {}};
  for (int v = 0; v < views; ++v) merged.stride[v] = *strides[v];
  // Each pass takes dimension 1 into dimension 0, if it follows without a gap in every view.
  for (int pass = 0; pass < 3; ++pass) {
    bool contiguous = true;
    for (int v = 0; v < views; ++v) {
      const Strides& s = merged.stride[v];
      contiguous = contiguous && s[0] == elem_bytes[v] &&
                   (merged.shape[1] == 1 || s[1] == merged.shape[0] * elem_bytes[v]);
    }
    if (!contiguous) break;
    merged.shape = {merged.shape[0] * merged.shape[1], merged.shape[2], merged.shape[3], 1};
    for (int v = 0; v < views; ++v) {
      Strides& s = merged.stride[v];
      s = {s[0], s[2], s[3], 0};
    }
  }
  return merged;
}

void LoadRow(const uint8_t* from, int64_t stride, Dtype dtype, int64_t count, int32_t* to) {
  switch (dtype) {
    case Dtype::kI8:
      return LoadAsInt32<int8_t>(from, stride, count, to);
    case Dtype::kU8:
    case Dtype::kBool:
      return LoadAsInt32<uint8_t>(from, stride, count, to);
    case Dtype::kI16:
      return LoadAsInt32<int16_t>(from, stride, count, to);
    case Dtype::kI64:
      return LoadAsInt32<int64_t>(from, stride, count, to);
    default:
      return LoadAsInt32<int32_t>(from, stride, count, to);
  }
}

void StoreRow(const int32_t* from, Dtype dtype, int64_t count, uint8_t* to, int64_t stride) {
  switch (dtype) {
    case Dtype::kI8:
    case Dtype::kU8:  // the same bits
    case Dtype::kBool:
      if (stride == 1) return BestMicrokernels().narrow(from, to, count);
      return StoreFromInt32<uint8_t>(from, count, to, stride);
    case Dtype::kI16:
      return StoreFromInt32<int16_t>(from, count, to, stride);
    case Dtype::kI64:
      return StoreFromInt32<int64_t>(from, count, to, stride);
    default:
      return StoreFromInt32<int32_t>(from, count, to, stride);
  }
}

void LoadRow(const uint8_t* from, int64_t stride, int64_t count, float* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = LoadAs<float>(from + i * stride);
}

void StoreRow(const float* from, int64_t count, uint8_t* to, int64_t stride) {
  for (int64_t i = 0; i < count; ++i) StoreAs(to + i * stride, from[i]);
}

void CombineRow(BinaryOp op, const FloatClamp& clamp, float* a, const float* b, int64_t n) {
  const Microkernels& kernels = BestMicrokernels();
  float result[kRowBlock];
  switch (op) {
    case BinaryOp::kAdd:
      kernels.add_f32(a, b, result, n, clamp.lo, clamp.hi);
      break;
    case BinaryOp::kSub:
      kernels.sub_f32(a, b, result, n, clamp.lo, clamp.hi);
      break;
    case BinaryOp::kMul:
      kernels.mul_f32(a, b, result, n, clamp.lo, clamp.hi);
      break;
    default:
      for (int64_t i = 0; i < n; ++i) {
        float value = 0;
        if (op == BinaryOp::kMax) value = a[i] > b[i] ? a[i] : b[i];
        if (op == BinaryOp::kMin) value = a[i] < b[i] ? a[i] : b[i];
        if (op == BinaryOp::kSquaredDifference) value = (a[i] - b[i]) * (a[i] - b[i]);
        if (op == BinaryOp::kPrelu) value = a[i] >= 0 ? a[i] : a[i] * b[i];
        if (op == BinaryOp::kDiv) value = a[i] / b[i];
        result[i] = clamp.Apply(value);
      }
  }
  std::copy(result, result + n, a);
}

int32_t Truncate(float x) {
  if (std::isnan(x)) return 0;
  if (x >= 2147483648.0f) return std::numeric_limits<int32_t>::max();
  if (x <= -2147483648.0f) return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(x);
}

int64_t LoadInteger(const uint8_t* from, Dtype dtype) {
  switch (dtype) {
    case Dtype::kI8:
      return LoadAs<int8_t>(from);
    case Dtype::kU8:
    case Dtype::kBool:
      return LoadAs<uint8_t>(from);
    case Dtype::kI16:
      return LoadAs<int16_t>(from);
    case Dtype::kI64:
      return LoadAs<int64_t>(from);
    default:
      return LoadAs<int32_t>(from);
  }
}

}  // namespace acme

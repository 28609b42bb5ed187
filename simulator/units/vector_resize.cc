// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// v.resize.

#include "simulator/isa/footprint.h"
#include "simulator/units/vector_row.h"
#include "simulator/units/vector_unit.h"

namespace acme {
namespace {

// A table record with its indices clamped to the tile.
struct Sample {
  int64_t lo;
  int64_t hi;
  int32_t fraction_bits;  // 10-bit fixed point, or binary32 bits
};

Sample ReadSample(const uint8_t* table, int64_t index, ResizeOp op, int64_t limit) {
  const uint8_t* record = table + index * ResizeRecordBytes(op);
  auto clamped = [limit](int64_t i) { return std::clamp<int64_t>(i, 0, limit - 1); };
  const int64_t lo = clamped(LoadAs<int32_t>(record));
  if (op == ResizeOp::kNearest) return {lo, lo, 0};
  return {lo, clamped(LoadAs<int32_t>(record + 4)), LoadAs<int32_t>(record + 8)};
}

// As TFLite's ResizeBilinearInteger: weights of 10 bits, so that the sum has 20 more than the
// elements, rounded half away from zero.
int32_t BlendIntegers(const int64_t corners[4], int64_t fy, int64_t fx) {
  constexpr int64_t kOne = 1 << 10;
  const int64_t sum = corners[0] * (kOne - fy) * (kOne - fx) + corners[1] * fy * (kOne - fx) +
                      corners[2] * (kOne - fy) * fx + corners[3] * fy * fx;
  const int64_t round = sum > 0 ? (int64_t{1} << 19) : -(int64_t{1} << 19);
  return static_cast<int32_t>((sum + round) / (int64_t{1} << 20));
}

float BlendFloats(const float corners[4], float fy, float fx) {
  const float gy = 1.0f - fy;
  const float gx = 1.0f - fx;
  const float a = corners[0] * gy * gx;
  const float b = corners[1] * fy * gx;
  const float c = corners[2] * gy * fx;
  const float d = corners[3] * fy * fx;
  // The order of corners and products is that of TFLite's reference kernel.
  return ((a + b) + c) + d;
}

// As TFLite's reference kernel rounds bytes: what has come to half a step more is cut.
int32_t CutWithHalf(float value) { return Truncate(value + 0.5f); }

}  // namespace

void VectorUnit::Run(const isa::VResize& instr, const VectorState& state, Memory& memory) {
  const isa::VInput& in = state.input;
  const Strides& stride = state.StrideOf(View::kDst);
  const int64_t bytes = SizeBytes(instr.dtype);
  const uint8_t* table = memory.Scratchpad(instr.table);
  const uint8_t* a = memory.Scratchpad(instr.a);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  const IntegerClamp clamp = ClampOf(state, instr.dtype);
  const FloatClamp float_clamp = FloatClampOf(state);
  for (int64_t oy = 0; oy < state.shape[2]; ++oy) {
    const Sample y = ReadSample(table, oy, instr.op, in.in_h);
    for (int64_t ox = 0; ox < state.shape[1]; ++ox) {
      const Sample x = ReadSample(table, state.shape[2] + ox, instr.op, in.in_w);
      const uint8_t* corner[4] = {a + y.lo * in.row_stride + x.lo * in.pixel_stride,
                                  a + y.hi * in.row_stride + x.lo * in.pixel_stride,
                                  a + y.lo * in.row_stride + x.hi * in.pixel_stride,
                                  a + y.hi * in.row_stride + x.hi * in.pixel_stride};
      uint8_t* to = dst + oy * stride[2] + ox * stride[1];
      for (int64_t c = 0; c < state.shape[0]; ++c, to += stride[0]) {
        if (instr.op == ResizeOp::kNearest) {
          std::memcpy(to, corner[0] + c * bytes, bytes);
        } else if (instr.dtype == Dtype::kF32 || instr.real) {
          float values[4];
          for (int i = 0; i < 4; ++i) values[i] = LoadReal(corner[i] + c * bytes, instr.dtype);
          const float value = BlendFloats(values, std::bit_cast<float>(y.fraction_bits),
                                          std::bit_cast<float>(x.fraction_bits));
          if (instr.real) {
            const int32_t cut = clamp.Apply(CutWithHalf(value));
            StoreRow(&cut, instr.dtype, 1, to, 0);
          } else {
            StoreAs(to, float_clamp.Apply(value));
          }
        } else {
          int64_t values[4];
          for (int i = 0; i < 4; ++i) values[i] = LoadInteger(corner[i] + c * bytes, instr.dtype);
          const int32_t value =
              clamp.Apply(BlendIntegers(values, y.fraction_bits, x.fraction_bits));
          StoreRow(&value, instr.dtype, 1, to, 0);
        }
      }
    }
  }
}

}  // namespace acme

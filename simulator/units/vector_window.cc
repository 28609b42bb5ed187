// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// v.pool and v.depthwise.

#include "simulator/units/microkernels/microkernels.h"
#include "simulator/units/vector_row.h"
#include "simulator/units/vector_unit.h"

namespace acme {
namespace {

// The kernel positions of one window that lie inside the input: first .. last-1 along one axis.
struct Span {
  int64_t first;
  int64_t last;
};

Span Inside(int64_t origin, int64_t kernel, int64_t dilation, int64_t limit) {
  int64_t first = 0;
  if (origin < 0) first = (-origin + dilation - 1) / dilation;
  int64_t last = kernel;
  if (origin + (kernel - 1) * dilation >= limit)
    last = origin >= limit ? 0 : (limit - 1 - origin) / dilation + 1;
  return {std::min(first, kernel), std::max<int64_t>(last, std::min(first, kernel))};
}

struct WindowAt {
  Span y;
  Span x;
  int64_t origin_y;
  int64_t origin_x;
};

WindowAt WindowOf(const VectorState& state, int64_t oy, int64_t ox) {
  const isa::VWindow& w = state.window;
  const isa::VInput& in = state.input;
  WindowAt at;
  at.origin_y = in.y0 + oy * w.stride_h;
  at.origin_x = in.x0 + ox * w.stride_w;
  at.y = Inside(at.origin_y, w.kernel_h, w.dilation_h, in.in_h);
  at.x = Inside(at.origin_x, w.kernel_w, w.dilation_w, in.in_w);
  return at;
}

// Calls visit(pixel, tap) for the taps of a window that lie inside the input: where the tap's pixel
// stands, and its number in the kernel.
template <class Visit>
void ForEachTap(const VectorState& state, const WindowAt& at, const uint8_t* input, Visit&& visit) {
  const isa::VWindow& w = state.window;
  for (int64_t ky = at.y.first; ky < at.y.last; ++ky) {
    const uint8_t* row = input + (at.origin_y + ky * w.dilation_h) * state.input.row_stride;
    for (int64_t kx = at.x.first; kx < at.x.last; ++kx) {
      visit(row + (at.origin_x + kx * w.dilation_w) * state.input.pixel_stride,
            ky * w.kernel_w + kx);
    }
  }
}

// Half away from zero, as TFLite's average pooling. `count` leaves padding out and is above 0: the
// verifier refuses windows that lie outside wholly.
int32_t RoundedDivide(int64_t sum, int64_t count) {
  return static_cast<int32_t>(sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count);
}

// One pixel's channels added to or maximised into sums.
template <class T, class Sum>
void PoolPixel(PoolOp op, const uint8_t* from, int64_t channels, Sum* sums) {
  for (int64_t c = 0; c < channels; ++c) {
    const Sum value = LoadAs<T>(from + c * static_cast<int64_t>(sizeof(T)));
    if (op == PoolOp::kMax) {
      sums[c] = value > sums[c] ? value : sums[c];
    } else if constexpr (std::is_same_v<Sum, int32_t>) {
      sums[c] = static_cast<int32_t>(static_cast<uint32_t>(sums[c]) + static_cast<uint32_t>(value));
    } else {
      sums[c] += value;
    }
  }
}

template <class T, class Sum>
void PoolWindow(const isa::VPool& instr, const VectorState& state, const uint8_t* a,
                const WindowAt& at, Sum lowest, Sum* sums) {
  const int64_t channels = state.shape[0];
  std::fill_n(sums, channels, instr.op == PoolOp::kMax ? lowest : Sum{0});
  ForEachTap(state, at, a, [&](const uint8_t* pixel, int64_t) {
    PoolPixel<T, Sum>(instr.op, pixel, channels, sums);
  });
}

}  // namespace

void VectorUnit::Run(const isa::VPool& instr, const VectorState& state, Memory& memory) {
  const int64_t channels = state.shape[0];
  const Strides& stride = state.StrideOf(View::kDst);
  const uint8_t* a = memory.Scratchpad(instr.a);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  const IntegerClamp clamp = ClampOf(state, instr.dtype);
  const FloatClamp float_clamp = FloatClampOf(state);
  sums_.resize(std::max<size_t>(sums_.size(), channels));
  float_sums_.resize(std::max<size_t>(float_sums_.size(), channels));
  for (int64_t oy = 0; oy < state.shape[2]; ++oy) {
    for (int64_t ox = 0; ox < state.shape[1]; ++ox) {
      const WindowAt at = WindowOf(state, oy, ox);
      const int64_t count = (at.y.last - at.y.first) * (at.x.last - at.x.first);
      uint8_t* to = dst + oy * stride[2] + ox * stride[1];
      if (instr.dtype == Dtype::kF32) {
        float* sums = float_sums_.data();
        PoolWindow<float, float>(instr, state, a, at, -std::numeric_limits<float>::infinity(),
                                 sums);
        for (int64_t c = 0; c < channels; ++c) {
          const float value =
              instr.op == PoolOp::kMax ? sums[c] : sums[c] / static_cast<float>(count);
          StoreAs(to + c * stride[0], float_clamp.Apply(value));
        }
        continue;
      }
      int32_t* sums = sums_.data();
      constexpr int32_t kLowest = std::numeric_limits<int32_t>::min();
      if (instr.dtype == Dtype::kI8)
        PoolWindow<int8_t, int32_t>(instr, state, a, at, kLowest, sums);
      if (instr.dtype == Dtype::kU8)
        PoolWindow<uint8_t, int32_t>(instr, state, a, at, kLowest, sums);
      if (instr.dtype == Dtype::kI16)
        PoolWindow<int16_t, int32_t>(instr, state, a, at, kLowest, sums);
      for (int64_t c = 0; c < channels; ++c) {
        sums[c] = clamp.Apply(instr.op == PoolOp::kMax ? sums[c] : RoundedDivide(sums[c], count));
      }
      StoreRow(sums, instr.dtype, channels, to, stride[0]);
    }
  }
}

void VectorUnit::WidenWeights(const isa::VDepthwise& instr, const VectorState& state,
                              const Memory& memory) {
  const int64_t channels = state.shape[0];
  const int64_t taps = static_cast<int64_t>(state.window.kernel_h) * state.window.kernel_w;
  weights_.resize(std::max<size_t>(weights_.size(), channels * taps));
  const uint8_t* from = memory.Scratchpad(instr.weights);
  const int32_t zero_point = state.QuantOf(View::kB).zp;
  if (instr.dtype == Dtype::kU8) {
    BestMicrokernels().widen_u8(from, state.params.tap_stride, weights_.data(), channels, taps,
                                channels, zero_point);
  } else {
    BestMicrokernels().widen_i8(reinterpret_cast<const int8_t*>(from), state.params.tap_stride,
                                weights_.data(), channels, taps, channels, zero_point);
  }
}

void VectorUnit::Run(const isa::VDepthwise& instr, const VectorState& state, Memory& memory) {
  if (instr.dtype == Dtype::kF32) return RunDepthwiseFloat(instr, state, memory);
  WidenWeights(instr, state, memory);
  if (!instr.scaled) {
    requantizer_.Unpack(memory.Scratchpad(state.params.addr), state.params.record_stride,
                        state.shape[0], state, instr.dtype);
  }
  if (instr.dtype == Dtype::kI16) return RunDepthwiseWide(instr, state, memory);

  const isa::VWindow& w = state.window;
  const auto sum_window =
      instr.dtype == Dtype::kI8 ? BestMicrokernels().window_i8 : BestMicrokernels().window_u8;
  const int64_t channels = state.shape[0];
  const int64_t kernel = static_cast<int64_t>(w.kernel_h) * w.kernel_w;
  const Strides& stride = state.StrideOf(View::kDst);
  const uint8_t* a = memory.Scratchpad(instr.a);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  sums_.resize(std::max<size_t>(sums_.size(), channels));
  taps_.resize(std::max<size_t>(taps_.size(), kernel));
  if (w.multiplier > 1) pixels_.resize(std::max<size_t>(pixels_.size(), kernel * channels));
  for (int64_t oy = 0; oy < state.shape[2]; ++oy) {
    for (int64_t ox = 0; ox < state.shape[1]; ++ox) {
      int64_t count = 0;
      ForEachTap(state, WindowOf(state, oy, ox), a, [&](const uint8_t* pixel, int64_t tap) {
        // Channel c of the input feeds `multiplier` results.
        uint8_t* const repeated = pixels_.data() + count * channels;
        for (int64_t c = 0; w.multiplier > 1 && c < channels; ++c)
          repeated[c] = pixel[c / w.multiplier];
        taps_[count++] = {w.multiplier > 1 ? repeated : pixel, weights_.data() + tap * channels};
      });
      sum_window(taps_.data(), count, channels, state.QuantOf(View::kA).zp, sums_.data());
      uint8_t* to = dst + oy * stride[2] + ox * stride[1];
      if (instr.scaled) {
        StoreScaled(channels, state, memory, to);
      } else {
        requantizer_.Store(sums_.data(), channels, to, stride[0]);
      }
    }
  }
}

void VectorUnit::StoreScaled(int64_t channels, const VectorState& state, const Memory& memory,
                             uint8_t* to) const {
  const FloatClamp clamp = FloatClampOf(state);
  const uint8_t* record = memory.Scratchpad(state.params.addr);
  const int64_t stride = state.StrideOf(View::kDst)[0];
  for (int64_t c = 0; c < channels; ++c, record += state.params.record_stride) {
    const float scaled = ScaledSum(sums_[c], record, state);
    StoreAs(to + c * stride, clamp.Apply(scaled + LoadAs<float>(record + sizeof(float))));
  }
}

void VectorUnit::RunDepthwiseWide(const isa::VDepthwise& instr, const VectorState& state,
                                  Memory& memory) {
  const isa::VWindow& w = state.window;
  const int64_t channels = state.shape[0];
  const Strides& stride = state.StrideOf(View::kDst);
  const uint8_t* a = memory.Scratchpad(instr.a);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  wide_sums_.resize(std::max<size_t>(wide_sums_.size(), channels));
  for (int64_t oy = 0; oy < state.shape[2]; ++oy) {
    for (int64_t ox = 0; ox < state.shape[1]; ++ox) {
      const WindowAt at = WindowOf(state, oy, ox);
      std::fill_n(wide_sums_.data(), channels, int64_t{0});
      ForEachTap(state, at, a, [&](const uint8_t* pixel, int64_t tap) {
        const int16_t* weights = weights_.data() + tap * channels;
        for (int64_t c = 0; c < channels; ++c) {
          wide_sums_[c] +=
              static_cast<int64_t>(LoadAs<int16_t>(pixel + 2 * (c / w.multiplier))) * weights[c];
        }
      });
      requantizer_.StoreWide(wide_sums_.data(), channels, dst + oy * stride[2] + ox * stride[1],
                             stride[0]);
    }
  }
}

void VectorUnit::RunDepthwiseFloat(const isa::VDepthwise& instr, const VectorState& state,
                                   Memory& memory) {
  const isa::VWindow& w = state.window;
  const int64_t channels = state.shape[0];
  const Strides& stride = state.StrideOf(View::kDst);
  const FloatClamp clamp = FloatClampOf(state);
  const uint8_t* a = memory.Scratchpad(instr.a);
  const uint8_t* weights = memory.Scratchpad(instr.weights);
  const uint8_t* records = memory.Scratchpad(state.params.addr);
  uint8_t* dst = memory.Scratchpad(instr.dst);
  float_sums_.resize(std::max<size_t>(float_sums_.size(), channels));
  for (int64_t oy = 0; oy < state.shape[2]; ++oy) {
    for (int64_t ox = 0; ox < state.shape[1]; ++ox) {
      const WindowAt at = WindowOf(state, oy, ox);
      std::fill_n(float_sums_.data(), channels, 0.0f);
      ForEachTap(state, at, a, [&](const uint8_t* pixel, int64_t tap) {
        const uint8_t* weight = weights + tap * state.params.tap_stride;
        for (int64_t c = 0; c < channels; ++c) {
          float_sums_[c] = float_sums_[c] + LoadAs<float>(pixel + 4 * (c / w.multiplier)) *
                                                LoadAs<float>(weight + 4 * c);
        }
      });
      uint8_t* to = dst + oy * stride[2] + ox * stride[1];
      for (int64_t c = 0; c < channels; ++c) {
        const float bias = LoadAs<float>(records + c * state.params.record_stride);
        StoreAs(to + c * stride[0], clamp.Apply(float_sums_[c] + bias));
      }
    }
  }
}

}  // namespace acme

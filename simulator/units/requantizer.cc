// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/requantizer.h"

#include "simulator/units/arithmetic/fixed_point.h"
#include "simulator/units/microkernels/microkernels.h"

namespace acme {

void Requantizer::Unpack(const uint8_t* records, int64_t stride, int64_t channels,
                         const VectorState& state, Dtype out) {
  Plain(state, out);
  plain_ = false;
  if (static_cast<int64_t>(bias_.size()) < channels) {
    wide_bias_.resize(channels);
    bias_.resize(channels);
    multiplier_.resize(channels);
    shift_.resize(channels);
    scale_.resize(channels);
  }
  for (int64_t c = 0; c < channels; ++c) {
    // int40 bias, then int32 multiplier and int8 shift or a binary64 scale: isa.md, v.params.
    const uint8_t* record = records + c * stride;
    const int64_t bias = LoadAs<uint32_t>(record) |
                         static_cast<int64_t>(LoadAs<int8_t>(record + 4)) * (int64_t{1} << 32);
    wide_bias_[c] = bias;
    bias_[c] = static_cast<int32_t>(bias);
    if (rounding_ == Rounding::kReal) {
      scale_[c] = LoadAs<double>(record + 5);
      continue;
    }
    multiplier_[c] = LoadAs<int32_t>(record + 5);
    // Records are data, which no verifier sees: a shift outside the range must not be undefined.
    shift_[c] = std::clamp<int32_t>(LoadAs<int8_t>(record + 9), -31, 30);
  }
}

void Requantizer::Plain(const VectorState& state, Dtype out) {
  const isa::VQuant& q = state.QuantOf(View::kDst);
  plain_ = true;
  clamp_ = ClampOf(state, out);
  zero_point_ = q.zp;
  rounding_ = q.rounding;
  out_ = out;
}

int32_t Requantizer::Scale(int64_t sum, int64_t channel) const {
  if (rounding_ == Rounding::kReal) return MultiplyReal(sum, scale_[channel]);
  return MultiplyByQuantizedMultiplier(sum, multiplier_[channel], shift_[channel], rounding_);
}

void Requantizer::Store(const int32_t* sums, int64_t channels, uint8_t* to, int64_t stride) {
  if (!plain_ && rounding_ == Rounding::kDouble && SizeBytes(out_) == 1 && stride == 1) {
    return BestMicrokernels().requantize_double_bytes(sums, bias_.data(), multiplier_.data(),
                                                      shift_.data(), to, channels, zero_point_,
                                                      clamp_.lo, clamp_.hi);
  }
  if (static_cast<int64_t>(result_.size()) < channels) result_.resize(channels);
  if (plain_) {
    for (int64_t c = 0; c < channels; ++c) result_[c] = clamp_.Apply(sums[c]);
  } else if (rounding_ == Rounding::kDouble) {
    BestMicrokernels().requantize_double(sums, bias_.data(), multiplier_.data(), shift_.data(),
                                         result_.data(), channels, zero_point_, clamp_.lo,
                                         clamp_.hi);
  } else {
    for (int64_t c = 0; c < channels; ++c) {
      // TFLite adds the bias in the width of its accumulators: 64 bits for int16 activations, else
      // 32, which wrap.
      const int64_t sum = rounding_ == Rounding::kWide
                              ? sums[c] + wide_bias_[c]
                              : static_cast<int32_t>(static_cast<uint32_t>(sums[c]) +
                                                     static_cast<uint32_t>(bias_[c]));
      const int64_t scaled = Scale(sum, c);
      result_[c] = clamp_.Apply(static_cast<int32_t>(scaled + zero_point_));
    }
  }
  StoreRow(result_.data(), out_, channels, to, stride);
}

void Requantizer::StoreWide(const int64_t* sums, int64_t channels, uint8_t* to, int64_t stride) {
  if (static_cast<int64_t>(result_.size()) < channels) result_.resize(channels);
  for (int64_t c = 0; c < channels; ++c) {
    if (plain_) {
      result_[c] = clamp_.Apply(static_cast<int32_t>(sums[c]));
      continue;
    }
    const int64_t sum =
        static_cast<int64_t>(static_cast<uint64_t>(sums[c]) + static_cast<uint64_t>(wide_bias_[c]));
    const int64_t scaled = Scale(sum, c);
    result_[c] = clamp_.Apply(static_cast<int32_t>(scaled + zero_point_));
  }
  StoreRow(result_.data(), out_, channels, to, stride);
}

}  // namespace acme

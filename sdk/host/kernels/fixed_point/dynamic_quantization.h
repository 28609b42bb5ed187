// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hybrid arithmetic: floats rounded to 8 bits when an op runs, with a scale that their own extremes
// give, as TFLite does where weights are integers. A row of activations is
//   symmetric    s = max|v| / 127,              q = round(v / s)
//   asymmetric   s = (max(v,0) - min(v,0))/255, q = round(v / s) + zero point
// and a product is (sum q w - zero point * sum w) s s_w.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_DYNAMIC_QUANTIZATION_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_DYNAMIC_QUANTIZATION_H_

#include <cstdint>
#include <span>

#include "sdk/host/kernels/microkernels/microkernels.h"

namespace npukit::kernels {

struct DynamicScale {
  float scale = 1;
  int32_t zero_point = 0;
};

// The operators' mode is an option of theirs (asymmetric_quantize_inputs). Without microkernels: plain
// loops, whose results are the same.
DynamicScale QuantizeDynamically(std::span<const float> values, bool asymmetric, int8_t* stored,
                                 const Microkernels* microkernels = nullptr);

// How far rounding moves a value of a row whose magnitudes reach `reach`, in either mode: half of the
// wider step, and what float32 adds to it.
inline double DynamicRoundingBound(double reach) { return reach / 254 * (1 + 0x1p-10); }

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_DYNAMIC_QUANTIZATION_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checked quantisation as the microkernels take it.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_MICROKERNEL_PARAMS_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_MICROKERNEL_PARAMS_H_

#include <algorithm>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/microkernels/microkernels.h"
#include "sdk/host/kernels/node.h"

namespace npukit::kernels {

// A checked multiplier for the microkernels.
inline SplitMultiplier ToSplitMultiplier(FixedMultiplier scale) {
  return {.mantissa = scale.mantissa,
          .left = std::max(scale.shift, 0),
          .right = std::max(-scale.shift, 0)};
}

// Which of the microkernels' types a quantised type is.
inline StoredType StoredTypeOf(LiteRtElementType type) {
  if (type == kLiteRtElementTypeInt8) return StoredType::kInt8;
  if (type == kLiteRtElementTypeUInt8) return StoredType::kUInt8;
  return StoredType::kInt16;
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_MICROKERNEL_PARAMS_H_

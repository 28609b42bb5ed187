// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Quantisation parameters of a node's tensors, checked before a kernel computes with them, and the
// ranges that fused activations clamp to.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_QUANTIZATION_RULES_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_QUANTIZATION_RULES_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {

// real = scale * (stored - zero_point)
struct AffineParams {
  float scale = 0;
  int32_t zero_point = 0;
};

inline bool IsQuantizedType(LiteRtElementType type) {
  return type == kLiteRtElementTypeInt8 || type == kLiteRtElementTypeUInt8 ||
         type == kLiteRtElementTypeInt16;
}

// Whether the tensor says how its integers are scaled at all.
inline bool HasScale(const Operand& operand) { return !operand.quantization().scale.empty(); }

// Per-tensor parameters; errors for none, several, a scale that is not a positive finite number, or
// a zero point outside the type.
litert::Expected<AffineParams> PerTensorParams(const Node& node, const Operand& operand);

// One scale per slice along `dimension`, or one for all of them repeated. All zero points must be
// 0.
litert::Expected<std::vector<float>> PerChannelScales(const Node& node, const Operand& operand,
                                                      int32_t dimension);

// For operators that take any dimension: the shape has the quantised dimension, each of its indices
// a positive finite scale and a zero point that the type holds.
litert::Expected<void> CheckChannelParams(const Node& node, const Operand& operand);

// Smallest and largest stored value of a quantised type.
struct IntegerRange {
  int32_t min = 0;
  int32_t max = 0;
};
IntegerRange RangeOf(LiteRtElementType type);

// The range that a fused activation leaves of the output's type; see FloatActivationRange.
litert::Expected<IntegerRange> ActivationRange(const Node& node, ActivationFunctionType activation,
                                               const Operand& output);

struct FloatRange {
  float min = std::numeric_limits<float>::lowest();
  float max = std::numeric_limits<float>::max();
};
// An activation that is no range (TANH, SIGN_BIT) is none, as in TFLite's kernels of these operators.
FloatRange FloatActivationRange(ActivationFunctionType activation);

// A real multiplier as fixed point; an error naming the node if it is not finite or beyond 2^30.
litert::Expected<FixedMultiplier> CheckedMultiplier(const Node& node, double real);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_QUANTIZATION_RULES_H_

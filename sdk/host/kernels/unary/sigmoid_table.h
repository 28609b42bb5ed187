// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// The table that TFLite's int16 LOGISTIC and TANH interpolate: 65536 / (1 + exp(-i / 24)), off by
// up to two units from its nearest whole numbers, so it is kept as values.

#ifndef NPUKIT_SDK_HOST_KERNELS_UNARY_SIGMOID_TABLE_H_
#define NPUKIT_SDK_HOST_KERNELS_UNARY_SIGMOID_TABLE_H_

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "sdk/host/kernels/fixed_point/quantization_rules.h"

namespace npukit::kernels {

inline constexpr std::array<uint16_t, 256> kSigmoidTable = {
    32768, 33451, 34133, 34813, 35493, 36169, 36843, 37513, 38180, 38841, 39498, 40149, 40794,
    41432, 42064, 42688, 43304, 43912, 44511, 45102, 45683, 46255, 46817, 47369, 47911, 48443,
    48964, 49475, 49975, 50464, 50942, 51409, 51865, 52311, 52745, 53169, 53581, 53983, 54374,
    54755, 55125, 55485, 55834, 56174, 56503, 56823, 57133, 57433, 57724, 58007, 58280, 58544,
    58800, 59048, 59288, 59519, 59743, 59959, 60168, 60370, 60565, 60753, 60935, 61110, 61279,
    61441, 61599, 61750, 61896, 62036, 62172, 62302, 62428, 62549, 62666, 62778, 62886, 62990,
    63090, 63186, 63279, 63368, 63454, 63536, 63615, 63691, 63765, 63835, 63903, 63968, 64030,
    64090, 64148, 64204, 64257, 64308, 64357, 64405, 64450, 64494, 64536, 64576, 64614, 64652,
    64687, 64721, 64754, 64786, 64816, 64845, 64873, 64900, 64926, 64950, 64974, 64997, 65019,
    65039, 65060, 65079, 65097, 65115, 65132, 65149, 65164, 65179, 65194, 65208, 65221, 65234,
    65246, 65258, 65269, 65280, 65291, 65301, 65310, 65319, 65328, 65337, 65345, 65352, 65360,
    65367, 65374, 65381, 65387, 65393, 65399, 65404, 65410, 65415, 65420, 65425, 65429, 65433,
    65438, 65442, 65445, 65449, 65453, 65456, 65459, 65462, 65465, 65468, 65471, 65474, 65476,
    65479, 65481, 65483, 65485, 65488, 65489, 65491, 65493, 65495, 65497, 65498, 65500, 65501,
    65503, 65504, 65505, 65507, 65508, 65509, 65510, 65511, 65512, 65513, 65514, 65515, 65516,
    65517, 65517, 65518, 65519, 65520, 65520, 65521, 65522, 65522, 65523, 65523, 65524, 65524,
    65525, 65525, 65526, 65526, 65526, 65527, 65527, 65528, 65528, 65528, 65529, 65529, 65529,
    65529, 65530, 65530, 65530, 65530, 65531, 65531, 65531, 65531, 65531, 65532, 65532, 65532,
    65532, 65532, 65532, 65533, 65533, 65533, 65533, 65533, 65533, 65533, 65533, 65534, 65534,
    65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534, 65535};

// An int16 input as an argument of the table: x * multiplier, rounded, / 2^right.
struct SigmoidArgument {
  int32_t multiplier = 0;
  int right = 0;

  int32_t operator()(int16_t x) const {
    const int32_t round = right > 0 ? 1 << (right - 1) : 0;
    return (x * multiplier + round) >> right;
  }
};

// For an input scale of 2^-12 times 2^shift, shift up to `most_shift`, exactly; for others to 1 /
// (3 * 4096) as nearly as 15 bits go.
inline SigmoidArgument SigmoidArgumentOf(float scale, int most_shift) {
  const float log2 = std::log(scale) * (1.0f / std::log(2.0f));
  const float rounded = std::round(log2);
  const int shift = 12 + static_cast<int>(rounded);
  if (std::fabs(log2 - rounded) < 1e-3f && shift >= 0 && shift <= most_shift)
    return {.multiplier = 3 << shift};
  double multiplier = static_cast<double>(scale) * 4096.0 * 3.0;
  int right = 0;
  while (multiplier <= 32767.0 / 2.0 && right <= 30) {
    ++right;
    multiplier *= 2.0;
  }
  return {.multiplier = static_cast<int32_t>(multiplier), .right = right};
}

// The checks that both operators make: zero points 0, an output scale of 2^-15.
inline litert::Expected<AffineParams> CheckedSigmoidInput(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  if (in.zero_point != 0 || out.zero_point != 0)
    return InvalidNode(node, "int16 tensors must have zero points 0");
  if (std::fabs(out.scale * 32768.0f - 1.0f) > 1e-3f) {
    return InvalidNode(node, node.outputs[0], "must have the scale 1/32768");
  }
  // Beyond this the multiplier itself overflows.
  if (in.scale >= 65536.0f) return InvalidNode(node, node.inputs[0], "has too large a scale");
  return in;
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_UNARY_SIGMOID_TABLE_H_

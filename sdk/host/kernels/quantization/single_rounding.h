// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Quantised results of hardware that rounds once where TFLite's kernels round twice (docs/tolerances.md,
// "Rounded once").

#ifndef NPUKIT_SDK_HOST_KERNELS_QUANTIZATION_SINGLE_ROUNDING_H_
#define NPUKIT_SDK_HOST_KERNELS_QUANTIZATION_SINGLE_ROUNDING_H_

#include <cstdint>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

// Whether the type is one whose results can be rounded once: int8, uint8, int16.
bool HasSteps(LiteRtElementType type);

// The node's output `index` before any rounding, in steps of its scale, zero point included, within the
// type's range: the op of real numbers on the numbers that the inputs stand for. Unsupported: the op has
// no form of real numbers, or a tensor no scale.
litert::Expected<std::vector<double>> RealSteps(const Node& node,
                                                std::span<const OracleTensor* const> inputs,
                                                size_t index);

struct RoundedOnce {
  Comparison comparison;
  int64_t elems = 0;  // that differ from the oracle's and are right
};
// An element is right that equals the oracle's (`expected`), or that is one step from it and the real
// result rounded to a nearest step, by a multiplier of at least float32's precision.
litert::Expected<RoundedOnce> CompareRoundedOnce(const Node& node,
                                                 std::span<const OracleTensor* const> inputs,
                                                 size_t index, const OracleTensor& expected,
                                                 std::span<const uint8_t> actual);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_QUANTIZATION_SINGLE_ROUNDING_H_

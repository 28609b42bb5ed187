// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// What RELU, RELU6 and RELU_N1_TO_1 share: clamping, with a change of scale for quantised numbers.

#ifndef NPUKIT_SDK_HOST_KERNELS_UNARY_RECTIFIER_H_
#define NPUKIT_SDK_HOST_KERNELS_UNARY_RECTIFIER_H_

#include <limits>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

struct Rectifier {
  float min = 0;
  float max = 0;  // infinity: none
};

litert::Expected<std::unique_ptr<Kernel>> PrepareRectifier(const Node& node,
                                                           const Rectifier& rectifier,
                                                           const PrepareOptions& options);
litert::Expected<void> RectifierOracle(const Node& node,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs, const Rectifier& rectifier);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_UNARY_RECTIFIER_H_

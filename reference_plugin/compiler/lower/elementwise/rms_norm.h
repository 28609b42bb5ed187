// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Root-mean-square normalisation.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_RMS_NORM_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_RMS_NORM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// y[r][c] = x[r][c] / sqrt(mean over c of x[r][c]^2 + epsilon) * weight[c], in float32.
// odml.rms_norm.
struct RmsNorm : LayerOp {
  int32_t rows = 0;
  int32_t cols = 0;
  ValueId x = kNoValue;
  ValueId weight = kNoValue;  // [cols]; kNoValue: one
  float epsilon = 0;

  std::vector<ValueId> Operands() const override { return {x, weight}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
};

// Bytes that one row of an RmsNorm needs in a step at most.
int64_t RmsNormRowBytes(int32_t cols);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_RMS_NORM_H_

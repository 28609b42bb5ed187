// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of elements as they are stored.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_COMPARE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_COMPARE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/walk.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// y = a op b, with broadcasting; y is bool.
struct Compare : LayerOp {
  CompareOp op = CompareOp::kEqual;
  ValueId a = kNoValue;
  ValueId b = kNoValue;
  Walk walk;

  std::vector<ValueId> Operands() const override { return {a, b}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_COMPARE_H_

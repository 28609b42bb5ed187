// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A choice between two operands, element by element.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_SELECT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_SELECT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/walk.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// y = mask ? yes : no, with broadcasting. Elements are moved as they are stored.
struct Select : LayerOp {
  ValueId mask = kNoValue;  // bool
  ValueId yes = kNoValue;
  ValueId no = kNoValue;
  Walk walk;  // of mask, yes, no

  std::vector<ValueId> Operands() const override { return {mask, yes, no}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_ELEMENTWISE_SELECT_H_

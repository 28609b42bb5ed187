// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The same elements in the same order under another shape: RESHAPE, SQUEEZE, EXPAND_DIMS. Fusing
// (fuse.h) makes the result a second name of the operand wherever it may be one; only what is left
// is copied.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_COPY_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_COPY_H_

#include <vector>

#include "reference_plugin/compiler/network.h"

namespace acme::compiler {

struct Copy : LayerOp {
  explicit Copy(ValueId x) : x(x) {}
  ValueId x = kNoValue;

  std::vector<ValueId> Operands() const override { return {x}; }
  LayerWork Work(const Network&, ValueId) const override { return {}; }
  void Print(std::ostream& out) const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_COPY_H_

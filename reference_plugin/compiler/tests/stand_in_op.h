// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An operation that only has operands, for tests of the stages that ask no more of one.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_STAND_IN_OP_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_STAND_IN_OP_H_

#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/network/layer_op.h"

namespace acme::compiler {

class StandInOp : public LayerOp {
 public:
  explicit StandInOp(std::vector<ValueId> operands) : operands_(std::move(operands)) {}

  std::vector<ValueId> Operands() const override { return operands_; }
  LayerWork Work(const Network&, ValueId) const override { return {}; }
  std::string Describe() const override { return "stand_in"; }
  Expected<void> Lower(ValueId, LoweringContext&) const override { return {}; }

 private:
  std::vector<ValueId> operands_;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_STAND_IN_OP_H_

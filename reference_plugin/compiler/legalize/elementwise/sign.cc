// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SIGN of float32: 1 where the operand is above zero, less 1 where it is below; 0 for what is not a
// number.

#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/steps.h"

namespace acme::compiler {

Expected<void> LegalizeSign(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  if (operands.x.value.shape != operands.y.value.shape)
    return Unsupported("operand and result must have one shape");
  ACME_ASSIGN_OR_RETURN(const ValueId x, builder.AddTensor(op.Inputs()[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId y, builder.AddTensor(op.Outputs()[0]));
  Steps steps(operands.y.value.name, builder);
  const ValueId zero = steps.Numbers<float>(Dtype::kF32, {1}, {0});
  const ValueId above = steps.Cast(steps.Compare(CompareOp::kGreater, x, zero), Dtype::kF32);
  const ValueId below = steps.Cast(steps.Compare(CompareOp::kLess, x, zero), Dtype::kF32);
  steps.Both(BinaryOp::kSub, above, below, y);
  return {};
}

}  // namespace acme::compiler

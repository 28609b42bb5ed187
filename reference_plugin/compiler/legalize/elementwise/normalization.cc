// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// L2_NORMALIZATION and LOG_SOFTMAX of float32, over the last dimension. Those of 8 bits have
// arithmetic of their own in TFLite that the NPU does not have.

#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/steps.h"

namespace acme::compiler {
namespace {

constexpr float kSmallestNorm = 1e-6f;

// Operand and result, of one shape; the last dimension.
struct Rows {
  OneOperand operands;
  ValueId x = kNoValue;
  ValueId y = kNoValue;
  size_t axis = 0;
};

Expected<Rows> ReadRows(const litert::Op& op, NetworkBuilder& builder) {
  Rows rows;
  ACME_ASSIGN_OR_RETURN(rows.operands, ReadOneOperand(op));
  const std::vector<int32_t>& shape = rows.operands.x.value.shape;
  if (shape.empty() || shape != rows.operands.y.value.shape)
    return Unsupported("operand and result must have one shape of at least one dimension");
  rows.axis = shape.size() - 1;
  ACME_ASSIGN_OR_RETURN(rows.x, builder.AddTensor(op.Inputs()[0]));
  ACME_ASSIGN_OR_RETURN(rows.y, builder.AddTensor(op.Outputs()[0]));
  return rows;
}

}  // namespace

// x / max(sqrt(sum of x^2), 1e-6). TFLite has no fused activation for it, and plugins can't read one.
Expected<void> LegalizeL2Normalization(const litert::Op& op, const Hardware&,
                                       NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const Rows rows, ReadRows(op, builder));
  Steps steps(rows.operands.y.value.name, builder);
  const ValueId sum =
      steps.Reduce(ReduceOp::kSum, steps.Function(UnaryOp::kSquare, rows.x), rows.axis);
  const ValueId root = steps.Function(UnaryOp::kSqrt, sum);
  // The second operand's NaN stays.
  const ValueId least = steps.Numbers<float>(Dtype::kF32, {1}, {kSmallestNorm});
  const ValueId norm = steps.Both(BinaryOp::kMax, least, root);
  steps.Both(BinaryOp::kDiv, rows.x, norm, rows.y);
  return {};
}

// (x - max) - log(sum of exp(x - max))
Expected<void> LegalizeLogSoftmax(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const Rows rows, ReadRows(op, builder));
  Steps steps(rows.operands.y.value.name, builder);
  const ValueId largest = steps.Reduce(ReduceOp::kMax, rows.x, rows.axis);
  const ValueId below = steps.Both(BinaryOp::kSub, rows.x, largest);
  const ValueId sum = steps.Reduce(ReduceOp::kSum, steps.Function(UnaryOp::kExp, below), rows.axis);
  steps.Both(BinaryOp::kSub, below, steps.Function(UnaryOp::kLog, sum), rows.y);
  return {};
}

}  // namespace acme::compiler

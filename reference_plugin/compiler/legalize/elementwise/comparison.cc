// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of int32 and float32, and what is made of their results. Quantised types are compared
// by their values in TFLite, which rescaling decides in a way that the NPU does not have.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/legalize/broadcast.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/compare.h"

namespace acme::compiler {
namespace {

struct ComparisonRow {
  LiteRtOpCode code = kLiteRtOpCodeTflCustom;
  CompareOp op = CompareOp::kEqual;
};
constexpr ComparisonRow kRows[] = {
    {kLiteRtOpCodeTflEqual, CompareOp::kEqual},
    {kLiteRtOpCodeTflNotEqual, CompareOp::kNotEqual},
    {kLiteRtOpCodeTflLess, CompareOp::kLess},
    {kLiteRtOpCodeTflLessEqual, CompareOp::kLessEqual},
    {kLiteRtOpCodeTflGreater, CompareOp::kGreater},
    {kLiteRtOpCodeTflGreaterEqual, CompareOp::kGreaterEqual},
};

}  // namespace

Expected<void> LegalizeComparison(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(const TensorInfo b, ReadTensor(inputs[1]));
  if (b.value.dtype != operands.x.value.dtype)
    return Unsupported(fmt::format("operands must have one type, they are {} and {}",
                                   DtypeName(operands.x.value.dtype), DtypeName(b.value.dtype)));
  auto compare = std::make_shared<Compare>();
  compare->op = std::find_if(std::begin(kRows), std::end(kRows), [&](const ComparisonRow& row) {
                  return row.code == op.Code();
                })->op;
  const std::array shapes = {operands.x.value.shape, b.value.shape};
  ACME_ASSIGN_OR_RETURN(compare->walk, BroadcastTo(operands.y.value.shape, shapes));
  ACME_ASSIGN_OR_RETURN(compare->a, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(compare->b, builder.AddTensor(inputs[1]));
  return builder.AddLayer(op.Outputs()[0], std::move(compare));
}

// Bytes that are not 0 are true: AND is whether the smaller is one, OR whether the larger is, NOT
// whether it is none.
Expected<void> LegalizeLogical(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const auto inputs = op.Inputs();
  const std::vector<int32_t>& result = operands.y.value.shape;
  const ValueId zero = builder.AddConstant(operands.y.value.name, Dtype::kBool, {1}, {0});
  if (op.Code() == kLiteRtOpCodeTflLogicalNot) {
    auto compare = std::make_shared<Compare>();
    const std::array shapes = {operands.x.value.shape, std::vector<int32_t>{1}};
    ACME_ASSIGN_OR_RETURN(compare->walk, BroadcastTo(result, shapes));
    ACME_ASSIGN_OR_RETURN(compare->a, builder.AddTensor(inputs[0]));
    compare->b = zero;
    return builder.AddLayer(op.Outputs()[0], std::move(compare));
  }
  // Each operand as 0 or 1, of the result's shape; then the larger or the smaller.
  auto binary = std::make_shared<Binary>();
  binary->op = op.Code() == kLiteRtOpCodeTflLogicalOr ? BinaryOp::kMax : BinaryOp::kMin;
  binary->extent = {static_cast<int32_t>(operands.y.value.Elems()), 1, 1, 1};
  binary->clamp = TypeRange(Dtype::kBool);
  ACME_ASSIGN_OR_RETURN(const TensorInfo other, ReadTensor(inputs[1]));
  if (other.value.dtype != Dtype::kBool) return Unsupported("both operands must be bool");
  const std::array both = {operands.x.value.shape, other.value.shape};
  ACME_RETURN_IF_ERROR(BroadcastTo(result, both));
  for (size_t i = 0; i < 2; ++i) {
    auto compare = std::make_shared<Compare>();
    compare->op = CompareOp::kNotEqual;
    compare->walk = PlanWalk(std::array{both[i], std::vector<int32_t>{1}}, result);
    ACME_ASSIGN_OR_RETURN(compare->a, builder.AddTensor(inputs[i]));
    compare->b = zero;
    Binary::Operand& side = i == 0 ? binary->a : binary->b;
    side.value = builder.AddValue(operands.y.value.name, Dtype::kBool, result);
    side.stride_elems = {1, 0, 0, 0};
    builder.AddLayer(side.value, std::move(compare));
  }
  return builder.AddLayer(op.Outputs()[0], std::move(binary));
}

}  // namespace acme::compiler

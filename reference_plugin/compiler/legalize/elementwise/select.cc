// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SELECT and SELECT_V2: elements of one operand where a mask is true, of the other elsewhere.

#include <array>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/legalize/broadcast.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/select.h"

namespace acme::compiler {

Expected<void> LegalizeSelect(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const auto inputs = op.Inputs();
  const std::vector<int32_t>& result = operands.y.value.shape;
  std::array<std::vector<int32_t>, 3> shapes = {operands.x.value.shape};
  for (size_t i = 1; i < 3; ++i) {
    ACME_ASSIGN_OR_RETURN(const TensorInfo choice, ReadTensor(inputs[i]));
    if (choice.value.dtype != operands.y.value.dtype)
      return Unsupported("both choices must have the result's type");
    shapes[i] = choice.value.shape;
  }
  // SELECT aligns a vector of conditions with the first dimension.
  if (op.Code() == kLiteRtOpCodeTflSelect && shapes[0].size() == 1 && result.size() > 1)
    shapes[0].resize(result.size(), 1);
  auto select = std::make_shared<Select>();
  ACME_ASSIGN_OR_RETURN(select->walk, BroadcastTo(result, shapes));
  ACME_ASSIGN_OR_RETURN(select->mask, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(select->yes, builder.AddTensor(inputs[1]));
  ACME_ASSIGN_OR_RETURN(select->no, builder.AddTensor(inputs[2]));
  const std::array<ValueId*, 3> choices = {&select->mask, &select->yes, &select->no};
  select->walk = RepeatConstantRows(select->walk, choices, result, builder);
  return builder.AddLayer(op.Outputs()[0], std::move(select));
}

}  // namespace acme::compiler

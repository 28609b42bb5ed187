// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// RESHAPE, SQUEEZE, EXPAND_DIMS: the same elements in the same order. The result's shape is that of
// its tensor; operands that say it again must be constant.

#include <fmt/format.h>

#include <memory>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {

Expected<void> LegalizeReshape(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const auto inputs = op.Inputs();
  if (inputs.size() > 1 && !inputs[1].IsConstant())
    return Unsupported("the new shape must be constant");
  if (op.Code() == kLiteRtOpCodeTflExpandDims) {
    if (inputs.size() != 2) return Unsupported("it must have two inputs");
    ACME_RETURN_IF_ERROR(ReadIntegers(inputs[1], "the axis"));
  }
  const int64_t elems = operands.x.value.Elems();
  if (elems != operands.y.value.Elems()) {
    return Unsupported(fmt::format("the result {} has another number of elements than {}",
                                   ShapeName(operands.y.value.shape),
                                   ShapeName(operands.x.value.shape)));
  }
  auto move = std::make_shared<Move>();
  MovePiece piece;
  ACME_ASSIGN_OR_RETURN(piece.from, builder.AddTensor(inputs[0]));
  piece.dims = {{static_cast<int32_t>(elems), 1, 1}};
  move->pieces = {std::move(piece)};
  return builder.AddLayer(op.Outputs()[0], std::move(move));
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CONCATENATION and PACK: each operand is a box of the result. Operands have the result's
// scale, but for legacy uint8, where each that has another is rescaled by a table first, in float32
// as TFLite does it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/arithmetic/tables.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {
namespace {

struct ConcatenationOperands {
  std::vector<TensorInfo> inputs;
  TensorInfo y;
};

Expected<ConcatenationOperands> ReadOperands(const litert::Op& op) {
  ConcatenationOperands operands;
  const auto outputs = op.Outputs();
  if (op.Inputs().empty() || outputs.size() != 1)
    return Unsupported("it must have inputs and one output");
  ACME_ASSIGN_OR_RETURN(operands.y, ReadTensor(outputs[0]));
  const Dtype dtype = operands.y.value.dtype;
  if (!TakesTypes(op.Code(), {dtype, dtype, dtype}))
    return Unsupported(fmt::format("{} is not supported", DtypeName(dtype)));
  for (const litert::Tensor& tensor : op.Inputs()) {
    ACME_ASSIGN_OR_RETURN(TensorInfo info, ReadTensor(tensor));
    if (info.value.dtype != dtype)
      return Unsupported(fmt::format("operands and result must have one type, they are {} and {}",
                                     DtypeName(info.value.dtype), DtypeName(dtype)));
    operands.inputs.push_back(std::move(info));
  }
  return operands;
}

bool HaveOneScale(const TensorInfo& x, const TensorInfo& y) {
  if (x.scales.empty() || y.scales.empty()) return true;
  return x.scales[0] == y.scales[0] && x.zero_points[0] == y.zero_points[0];
}

Expected<ValueId> Rescaled(const TensorInfo& x, const TensorInfo& y, ValueId id,
                           NetworkBuilder& builder) {
  ACME_RETURN_IF_ERROR(CheckPerTensor(x));
  ACME_RETURN_IF_ERROR(CheckPerTensor(y));
  const float scale = ScaleOf(x) * (1.0f / ScaleOf(y));
  const float bias = static_cast<float>(-ZeroPointOf(x)) * scale;
  const std::shared_ptr<Map> map = MapOf(Dtype::kU8, Dtype::kU8);
  map->x = id;
  map->function =
      Map::Table{LutKind::kDirect, ByteTable(Dtype::kU8, Dtype::kU8, [&](int32_t value) {
                   const float real = std::round(static_cast<float>(value) * scale + bias);
                   const int64_t steps = int64_t{CutToInt32(real)} + ZeroPointOf(y);
                   return static_cast<int32_t>(std::clamp<int64_t>(steps, 0, 255));
                 })};
  const ValueId result = builder.AddValue(x.value.name, Dtype::kU8, x.value.shape);
  builder.AddLayer(result, map);
  return result;
}

// Operand i is `along[i]` indices of a dimension of the result, between `outer` dimensions and
// `inner` elements.
Expected<void> AddMove(const litert::Op& op, const ConcatenationOperands& operands,
                       const std::vector<int64_t>& along, int64_t outer, int64_t inner,
                       NetworkBuilder& builder) {
  int64_t total = 0;
  for (int64_t extent : along) total += extent * inner;
  if (total * outer != operands.y.value.Elems())
    return Unsupported(
        fmt::format("the result {} does not hold the operands", ShapeName(operands.y.value.shape)));
  auto move = std::make_shared<Move>();
  int64_t at = 0;
  for (size_t i = 0; i < along.size(); ++i) {
    const int64_t run = along[i] * inner;
    MovePiece piece;
    ACME_ASSIGN_OR_RETURN(piece.from, builder.AddTensor(op.Inputs()[i]));
    if (!HaveOneScale(operands.inputs[i], operands.y) && operands.y.value.dtype == Dtype::kU8) {
      ACME_ASSIGN_OR_RETURN(piece.from,
                            Rescaled(operands.inputs[i], operands.y, piece.from, builder));
    }
    piece.to_base_elems = at;
    piece.dims = {{static_cast<int32_t>(run), 1, 1}, {static_cast<int32_t>(outer), run, total}};
    move->pieces.push_back(std::move(piece));
    at += run;
  }
  return builder.AddLayer(op.Outputs()[0], std::move(move));
}

int64_t Product(const std::vector<int32_t>& shape, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t d = begin; d < end; ++d) product *= shape[d];
  return product;
}

}  // namespace

Expected<void> LegalizeConcatenation(const litert::Op& op, const Hardware&,
                                     NetworkBuilder& builder) {
  uint32_t activation = 0;
  int32_t option = 0;
  if (LiteRtGetConcatenationFusedActivationOption(op.Get(), &activation) != kLiteRtStatusOk ||
      LiteRtGetConcatenationAxisOption(op.Get(), &option) != kLiteRtStatusOk)
    return Unsupported("the op has no ConcatenationOptions");
  if (activation != 0) return Unsupported("a fused activation is not supported");
  ACME_ASSIGN_OR_RETURN(const ConcatenationOperands operands, ReadOperands(op));
  const std::vector<int32_t>& y = operands.y.value.shape;
  ACME_ASSIGN_OR_RETURN(const size_t axis, ResolveAxis(option, y.size()));
  std::vector<int64_t> along;
  for (const TensorInfo& input : operands.inputs) {
    const std::vector<int32_t>& x = input.value.shape;
    bool fits = x.size() == y.size();
    for (size_t d = 0; fits && d < y.size(); ++d) fits = d == axis || x[d] == y[d];
    if (!fits)
      return Unsupported(
          fmt::format("operand {} does not fit the result {}", ShapeName(x), ShapeName(y)));
    if (input.value.dtype == Dtype::kI8 && !HaveOneScale(input, operands.y))
      return Unsupported("int8 operands must have the result's scale and zero point");
    along.push_back(x[axis]);
  }
  return AddMove(op, operands, along, Product(y, 0, axis), Product(y, axis + 1, y.size()), builder);
}

Expected<void> LegalizePack(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  int32_t option = 0;
  if (LiteRtGetPackAxisOption(op.Get(), &option) != kLiteRtStatusOk)
    return Unsupported("the op has no PackOptions");
  ACME_ASSIGN_OR_RETURN(const ConcatenationOperands operands, ReadOperands(op));
  const std::vector<int32_t>& y = operands.y.value.shape;
  ACME_ASSIGN_OR_RETURN(const size_t axis, ResolveAxis(option, y.size()));
  const int64_t outer = Product(y, 0, axis);
  const int64_t inner = Product(y, axis + 1, y.size());
  for (const TensorInfo& input : operands.inputs) {
    if (input.value.Elems() != outer * inner)
      return Unsupported(fmt::format("operand {} does not fit the result {}",
                                     ShapeName(input.value.shape), ShapeName(y)));
    if (!HaveOneScale(input, operands.y))
      return Unsupported("operands must have the result's scale and zero point");
  }
  return AddMove(op, operands, std::vector<int64_t>(operands.inputs.size(), 1), outer, inner,
                 builder);
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// QUANTIZE and DEQUANTIZE, per tensor. Between integers of 8 bits and others a table does it, else
// the engine's conversions. DEQUANTIZE of a constant, also of float16 or with a scale a channel, is
// no layer: its result is a constant (dequantized_constant.h).

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <memory>

#include "reference_plugin/compiler/arithmetic/tables.h"
#include "reference_plugin/compiler/legalize/dequantized_constant.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/legalize/operands.h"

namespace acme::compiler {
namespace {

// What v.quant holds of an int32 tensor's zero point.
constexpr int64_t kLargestZeroPoint = (1 << 16) - 1;

Expected<void> CheckWide(const TensorInfo& info) {
  if (info.value.dtype != Dtype::kI32) return {};
  if (info.scales.size() != 1) return Unsupported("int32 tensors must be quantised per tensor");
  if (info.zero_points[0] < -kLargestZeroPoint || info.zero_points[0] > kLargestZeroPoint)
    return Unsupported(
        fmt::format("an int32 tensor's zero point is at most {}", kLargestZeroPoint));
  return {};
}

Expected<void> Requantize(const OneOperand& operands, Map& map) {
  ACME_RETURN_IF_ERROR(CheckWide(operands.x));
  ACME_RETURN_IF_ERROR(CheckWide(operands.y));
  ACME_ASSIGN_OR_RETURN(const FixedPoint scale,
                        CheckedMultiplier(static_cast<double>(ScaleOf(operands.x)) /
                                          static_cast<double>(ScaleOf(operands.y))));
  const int32_t zero_in = ZeroPointOf(operands.x);
  const int32_t zero_out = ZeroPointOf(operands.y);
  map.a.zp = zero_in;
  map.dst.zp = zero_out;
  map.dst.mult = std::bit_cast<uint32_t>(scale.mult);
  map.dst.shift = scale.shift;
  if (SizeBytes(map.in) == 1) {
    map.function =
        Map::Table{LutKind::kDirect, ByteTable(map.in, map.out, [&](int32_t x) {
                     return WrappingAdd(MultiplyByFixedPoint(x - zero_in, scale), zero_out);
                   })};
    return {};
  }
  map.function = ConvertOp::kRequantize;
  return {};
}

}  // namespace

Expected<void> LegalizeQuantize(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const std::shared_ptr<Map> map = MapOf(operands);
  if (map->in == Dtype::kF32) {
    map->function = ConvertOp::kQuantize;
    map->dst.zp = ZeroPointOf(operands.y);
    map->dst.mult = std::bit_cast<uint32_t>(ScaleOf(operands.y));
  } else {
    ACME_RETURN_IF_ERROR(Requantize(operands, *map));
  }
  return AddMap(op, operands, map, builder);
}

Expected<void> LegalizeDequantize(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  if (op.Inputs().size() == 1 && op.Outputs().size() == 1 && op.Inputs()[0].IsConstant()) {
    ACME_ASSIGN_OR_RETURN(const TensorInfo made, ReadTensor(op.Outputs()[0]));
    if (made.value.dtype != Dtype::kF32) return Unsupported("the result must be float32");
    ACME_RETURN_IF_ERROR(DequantizeConstant(op.Outputs()[0], made.value.Elems()));
    ACME_RETURN_IF_ERROR(builder.AddTensor(op.Outputs()[0]));
    return {};
  }
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const std::shared_ptr<Map> map = MapOf(operands);
  map->function = ConvertOp::kDequantize;
  map->a.zp = ZeroPointOf(operands.x);
  map->a.mult = std::bit_cast<uint32_t>(ScaleOf(operands.x));
  return AddMap(op, operands, map, builder);
}

}  // namespace acme::compiler

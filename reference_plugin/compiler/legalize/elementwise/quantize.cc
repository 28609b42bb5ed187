// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// QUANTIZE and DEQUANTIZE, per tensor. Between integers of 8 bits and others a table does it, else
// the engine's conversions.

#include <bit>
#include <limits>
#include <memory>

#include "reference_plugin/compiler/arithmetic/tables.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"

namespace acme::compiler {
namespace {

constexpr TypeRow kQuantizeTypes[] = {
    {Dtype::kF32, Dtype::kI8}, {Dtype::kF32, Dtype::kU8},  {Dtype::kF32, Dtype::kI16},
    {Dtype::kI8, Dtype::kI8},  {Dtype::kI8, Dtype::kU8},   {Dtype::kI8, Dtype::kI16},
    {Dtype::kU8, Dtype::kI8},  {Dtype::kU8, Dtype::kU8},   {Dtype::kU8, Dtype::kI16},
    {Dtype::kI16, Dtype::kI8}, {Dtype::kI16, Dtype::kU8},  {Dtype::kI16, Dtype::kI16},
    {Dtype::kI32, Dtype::kI8}, {Dtype::kI32, Dtype::kI16}, {Dtype::kI16, Dtype::kI32}};
constexpr TypeRow kDequantizeTypes[] = {
    {Dtype::kI8, Dtype::kF32}, {Dtype::kU8, Dtype::kF32}, {Dtype::kI16, Dtype::kF32}};
// What v.quant holds of an int32 tensor's zero point.
constexpr int64_t kLargestZeroPoint = (1 << 16) - 1;

Expected<void> CheckWide(const TensorInfo& info) {
  if (info.value.dtype != Dtype::kI32) return {};
  if (info.scales.size() != 1) return Unsupported("int32 tensors must be quantised per tensor");
  if (info.zero_points[0] < -kLargestZeroPoint || info.zero_points[0] > kLargestZeroPoint)
    return Unsupported("an int32 tensor's zero point is at most " +
                       std::to_string(kLargestZeroPoint));
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
  if (SizeBytes(map.in) == 1) {
    map.function =
        Map::Table{LutKind::kDirect, ByteTable(map.in, map.out, [&](int32_t x) {
                     return WrappingAdd(MultiplyByFixedPoint(x - zero_in, scale), zero_out);
                   })};
    return {};
  }
  map.function = ConvertOp::kRequantize;
  map.a.zp = zero_in;
  map.dst.zp = zero_out;
  map.dst.mult = std::bit_cast<uint32_t>(scale.mult);
  map.dst.shift = scale.shift;
  return {};
}

Expected<void> AddConversion(const litert::Op& op, const OneOperand& operands,
                             std::shared_ptr<Map> map, NetworkBuilder& builder) {
  if (operands.x.value.shape != operands.y.value.shape)
    return Unsupported("operand and result must have one shape");
  ACME_ASSIGN_OR_RETURN(map->x, builder.AddTensor(op.Inputs()[0]));
  return builder.AddLayer(op.Outputs()[0], std::move(map));
}

std::shared_ptr<Map> MapOf(const OneOperand& operands) {
  auto map = std::make_shared<Map>();
  map->in = operands.x.value.dtype;
  map->out = operands.y.value.dtype;
  const ClampRange open =
      map->out == Dtype::kF32 ? FloatActivationRange(Activation::kNone) : TypeRange(map->out);
  map->clamp = {.lo = open.lo, .hi = open.hi};
  return map;
}

}  // namespace

Expected<void> LegalizeQuantize(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op, {.types = kQuantizeTypes}));
  const std::shared_ptr<Map> map = MapOf(operands);
  if (map->in == Dtype::kF32) {
    map->function = ConvertOp::kQuantize;
    map->dst.zp = ZeroPointOf(operands.y);
    map->dst.mult = std::bit_cast<uint32_t>(ScaleOf(operands.y));
  } else {
    ACME_RETURN_IF_ERROR(Requantize(operands, *map));
  }
  return AddConversion(op, operands, map, builder);
}

Expected<void> LegalizeDequantize(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op, {.types = kDequantizeTypes}));
  const std::shared_ptr<Map> map = MapOf(operands);
  map->function = ConvertOp::kDequantize;
  map->a.zp = ZeroPointOf(operands.x);
  map->a.mult = std::bit_cast<uint32_t>(ScaleOf(operands.x));
  return AddConversion(op, operands, map, builder);
}

}  // namespace acme::compiler

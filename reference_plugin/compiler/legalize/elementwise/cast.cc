// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CAST. Integers keep their lowest bits, truth values are 0 and 1. Of float32, which no integer type
// holds whole, TFLite's code saturates some types, and what it leaves open is cut as x86-64 cuts it:
// what int32 does not hold becomes its lowest number.

#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/steps.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"

namespace acme::compiler {
namespace {

// `x` where it is a number, else another.
ValueId NumberOr(float other, ValueId x, Steps& steps) {
  return steps.Select(steps.Compare(CompareOp::kEqual, x, x), x,
                      steps.Numbers<float>(Dtype::kF32, {1}, {other}));
}

// What v.convert does not do by itself, which truncates and saturates. int32: NaN counts as too
// large. int8: is cut to int32 first, and of what that does not hold comes its lowest number, whose
// lowest byte is 0; below -2^31 saturating gives the same. Others saturate, and NaN is 0.
void CastFloat(ValueId x, Dtype to, ValueId y, Steps& steps) {
  if (to == Dtype::kI32) {
    steps.Cast(NumberOr(std::numeric_limits<float>::infinity(), x, steps), to, y);
  } else if (to == Dtype::kI8) {
    const ValueId limit = steps.Numbers<float>(Dtype::kF32, {1}, {0x1p31f});
    const ValueId zero = steps.Numbers<float>(Dtype::kF32, {1}, {0});
    const ValueId held = steps.Select(steps.Compare(CompareOp::kLess, x, limit), x, zero);
    steps.Cast(steps.Cast(held, Dtype::kI32), to, y);
  } else {
    steps.Cast(NumberOr(0, x, steps), to, y);
  }
}

// Whether it is not 0.
ValueId Truth(ValueId x, Steps& steps, ValueId into = kNoValue) {
  const Dtype dtype = steps.value(x).dtype;
  const ValueId zero =
      steps.Numbers(dtype, {1}, std::vector<uint8_t>(static_cast<size_t>(SizeBytes(dtype))));
  return steps.Compare(CompareOp::kNotEqual, x, zero, into);
}

}  // namespace

Expected<void> LegalizeCast(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  if (operands.x.value.shape != operands.y.value.shape)
    return Unsupported("operand and result must have one shape");
  ACME_ASSIGN_OR_RETURN(const ValueId x, builder.AddTensor(op.Inputs()[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId y, builder.AddTensor(op.Outputs()[0]));
  const Dtype from = operands.x.value.dtype;
  const Dtype to = operands.y.value.dtype;
  Steps steps(operands.y.value.name, builder);
  if (from == Dtype::kBool && to == Dtype::kF32) {
    // A byte that is not 0 is true, whatever it is.
    const std::shared_ptr<Map> map = MapOf(operands);
    map->function = ConvertOp::kCast;
    map->clamp.hi = std::bit_cast<int32_t>(1.0f);
    return AddMap(op, operands, map, builder);
  }
  if (to == Dtype::kBool) {
    Truth(x, steps, y);
  } else if (to == Dtype::kI64) {
    steps.Widen(x, to, y);
  } else if (from == Dtype::kF32) {
    CastFloat(x, to, y, steps);
  } else {
    steps.Cast(from == Dtype::kBool ? Truth(x, steps) : x, to, y);
  }
  return {};
}

}  // namespace acme::compiler

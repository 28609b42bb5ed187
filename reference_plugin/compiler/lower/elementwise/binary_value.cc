// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/binary_value.h"

#include <algorithm>

#include "reference_plugin/compiler/arithmetic/tables.h"

namespace acme::compiler {
namespace {

// Each side with as many more bits as TFLite gives it, in steps that both have in common.
int32_t InCommonSteps(const Binary& op, const Binary::Operand& side, int32_t value) {
  return MultiplyByFixedPoint((value - side.zero_point) * (1 << op.left_shift), side.scale);
}

}  // namespace

std::optional<int32_t> ValueOf(const Binary& op, Dtype dtype, int32_t a, int32_t b) {
  if (!IsByte(dtype) || op.then || op.Converts()) return std::nullopt;
  const auto clamped = [&](int32_t value) {
    const ClampRange type = TypeRange(dtype);
    return std::clamp(std::min(std::max(value, op.clamp.lo), op.clamp.hi), type.lo, type.hi);
  };
  const auto stored = [&](int32_t value, const FixedPoint& scale) {
    return clamped(WrappingAdd(MultiplyByFixedPoint(value, scale), op.out_zp));
  };
  const int32_t x = a - op.a.zero_point;
  const int32_t y = b - op.b.zero_point;
  switch (op.op) {
    case BinaryOp::kAdd:
      return stored(InCommonSteps(op, op.a, a) + InCommonSteps(op, op.b, b), op.out_scale);
    case BinaryOp::kSub:
      return stored(InCommonSteps(op, op.a, a) - InCommonSteps(op, op.b, b), op.out_scale);
    case BinaryOp::kMul:
      return stored(x * y, op.out_scale);
    case BinaryOp::kSquaredDifference: {
      const auto difference =
          static_cast<uint32_t>(InCommonSteps(op, op.a, a) - InCommonSteps(op, op.b, b));
      return stored(static_cast<int32_t>(difference * difference), op.out_scale);
    }
    case BinaryOp::kPrelu:
      return x >= 0 ? stored(x, op.a.scale) : stored(x * y, op.b.scale);
    case BinaryOp::kMax:
      return clamped(std::max(a, b));
    case BinaryOp::kMin:
      return clamped(std::min(a, b));
    default:
      return std::nullopt;
  }
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// RELU, RELU6, RELU_N1_TO_1: rescaled and clamped, exactly as TFLite (tflite/kernels/
// activations.cc): 8 bits by a table, int16 by a requantisation, float32 by the clamp.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include "reference_plugin/compiler/arithmetic/tables.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/legalize/operands.h"

namespace acme::compiler {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct RectifierRow {
  LiteRtOpCode code;
  float lo;
  float hi;
};
constexpr RectifierRow kRows[] = {{kLiteRtOpCodeTflRelu, 0.0f, kInfinity},
                                  {kLiteRtOpCodeTflRelu6, 0.0f, 6.0f},
                                  {kLiteRtOpCodeTflReluN1To1, -1.0f, 1.0f}};

// What is real [lo, hi] in the result's steps.
Expected<ClampRange> StepsOf(float lo, float hi, const TensorInfo& y) {
  const auto steps = [&](float real) { return std::round(real / ScaleOf(y)); };
  if (!(std::fabs(steps(lo)) < 0x1p31f) || (std::isfinite(hi) && !(std::fabs(steps(hi)) < 0x1p31f)))
    return Unsupported("the result's scale is too small for this activation");
  ClampRange range = TypeRange(y.value.dtype);
  range.lo = std::max(range.lo, WrappingAdd(ZeroPointOf(y), static_cast<int32_t>(steps(lo))));
  if (std::isfinite(hi))
    range.hi = std::min(range.hi, WrappingAdd(ZeroPointOf(y), static_cast<int32_t>(steps(hi))));
  return range;
}

Expected<void> Quantize(const OneOperand& operands, float lo, float hi, Map& map) {
  ACME_ASSIGN_OR_RETURN(const FixedPoint scale,
                        CheckedMultiplier(ScaleOf(operands.x) / ScaleOf(operands.y)));
  ACME_ASSIGN_OR_RETURN(const ClampRange range, StepsOf(lo, hi, operands.y));
  const int32_t zero_in = ZeroPointOf(operands.x);
  const int32_t zero_out = ZeroPointOf(operands.y);
  if (map.in == Dtype::kI16) {
    map.function = ConvertOp::kRequantize;
    map.dst.mult = std::bit_cast<uint32_t>(scale.mult);
    map.dst.shift = scale.shift;
    map.clamp = {.lo = range.lo, .hi = range.hi};
    return {};
  }
  map.function = Map::Table{.bytes = ByteTable(map.in, map.out, [&](int32_t x) {
                              const int32_t y =
                                  WrappingAdd(MultiplyByFixedPoint(x - zero_in, scale), zero_out);
                              return std::min(std::max(y, range.lo), range.hi);
                            })};
  return {};
}

}  // namespace

Expected<void> LegalizeRectifier(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  const RectifierRow& row = *std::find_if(std::begin(kRows), std::end(kRows),
                                          [&](const auto& r) { return r.code == op.Code(); });
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const std::shared_ptr<Map> map = MapOf(operands);
  if (map->in == Dtype::kF32) {
    map->function = UnaryOp::kCopy;
    map->clamp = {.lo = std::bit_cast<int32_t>(row.lo), .hi = std::bit_cast<int32_t>(row.hi)};
  } else {
    ACME_RETURN_IF_ERROR(Quantize(operands, row.lo, row.hi, *map));
  }
  return AddMap(op, operands, map, builder);
}

}  // namespace acme::compiler

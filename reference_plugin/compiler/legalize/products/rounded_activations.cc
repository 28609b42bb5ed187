// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/rounded_activations.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <numeric>

#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"

namespace acme::compiler {
namespace {

constexpr float kSteps = 127.0f;            // of the larger half of a symmetric range
constexpr float kAsymmetricSteps = 255.0f;  // of a whole range
// In the place of 0 for a row of zeros: large enough that its inverse is a number.
constexpr float kLeastRange = 0x1p-100f;

class Rounding8 {
 public:
  Rounding8(int32_t depth, RowLayers& layers) : depth_(depth), layers_(layers) {}

  // To 127 steps of the largest magnitude.
  RoundedRows ToReach(ValueId x) {
    const ValueId reach = layers_.Add(BinaryOp::kMax, {Extreme(ReduceOp::kMaxMagnitude, x), 0, 1},
                                      Number(kLeastRange), 1);
    RoundedRows rows;
    // Two quotients, as TFLite's SymmetricQuantizeFloats has them: one divided by the scale would
    // be rounded twice.
    rows.scales = layers_.Add(BinaryOp::kDiv, {reach, 0, 1}, Number(kSteps), 1);
    const ValueId inverse = layers_.Add(BinaryOp::kDiv, Number(kSteps), {reach, 0, 1}, 1);
    auto rounding = layers_.Op(BinaryOp::kMulRound, {x, 1, depth_}, {inverse, 0, 1}, depth_);
    rounding->clamp = {.lo = -static_cast<int32_t>(kSteps), .hi = INT8_MAX};
    rows.stored = layers_.AddLayer(Dtype::kI8, depth_, std::move(rounding));
    return rows;
  }

  // To 255 steps from the least number, or 0, to the largest. A row of zeros has the scale 0: what
  // its zero point adds is not taken away to the last bit.
  RoundedRows ToRange(ValueId x) {
    RoundedRows rows;
    const ValueId low =
        layers_.Add(BinaryOp::kMin, {Extreme(ReduceOp::kMin, x), 0, 1}, Number(0), 1);
    const ValueId high =
        layers_.Add(BinaryOp::kMax, {Extreme(ReduceOp::kMax, x), 0, 1}, Number(0), 1);
    const ValueId range = layers_.Add(BinaryOp::kSub, {high, 0, 1}, {low, 0, 1}, 1);
    rows.scales = layers_.Add(BinaryOp::kDiv, {range, 0, 1}, Number(kAsymmetricSteps), 1);
    const ValueId divisor =
        layers_.Add(BinaryOp::kMax, {rows.scales, 0, 1}, Number(kLeastRange / kAsymmetricSteps), 1);
    const ValueId inverse = layers_.Add(BinaryOp::kDiv, Number(1), {divisor, 0, 1}, 1);
    const ValueId low_steps = layers_.Add(BinaryOp::kMul, {low, 0, 1}, {inverse, 0, 1}, 1);
    const ValueId exact = layers_.Add(BinaryOp::kSub, Number(INT8_MIN), {low_steps, 0, 1}, 1);
    rows.zero_points = Real(Rounded(exact, 1, INT8_MIN), 1);
    const ValueId steps = layers_.Add(BinaryOp::kMul, {x, 1, depth_}, {inverse, 0, 1}, depth_);
    const ValueId moved =
        layers_.Add(BinaryOp::kAdd, {steps, 1, depth_}, {rows.zero_points, 0, 1}, depth_);
    rows.stored = Rounded(moved, depth_, INT8_MIN);
    return rows;
  }

  ValueId Real(ValueId stored, int32_t cols) {
    std::shared_ptr<Map> to_float = MapOf(Dtype::kI8, Dtype::kF32);
    to_float->function = ConvertOp::kDequantize;
    to_float->x = stored;
    to_float->a.mult = std::bit_cast<uint32_t>(1.0f);
    return layers_.AddLayer(Dtype::kF32, cols, std::move(to_float));
  }

 private:
  Side Number(float number) { return layers_.Number(number); }

  ValueId Rounded(ValueId steps, int32_t cols, int32_t least) {
    std::shared_ptr<Map> rounding = MapOf(Dtype::kF32, Dtype::kI8);
    rounding->function = ConvertOp::kQuantize;
    rounding->x = steps;
    rounding->dst.mult = std::bit_cast<uint32_t>(1.0f);
    rounding->clamp = {.lo = least, .hi = INT8_MAX};
    return layers_.AddLayer(Dtype::kI8, cols, std::move(rounding));
  }

  // Of each row.
  ValueId Extreme(ReduceOp op, ValueId x) {
    auto extreme = std::make_shared<Reduce>();
    extreme->x = x;
    extreme->op = op;
    extreme->in = Dtype::kF32;
    extreme->out = Dtype::kF32;
    extreme->dims = MergeReduceDimensions({layers_.rows(), depth_}, {false, true});
    return layers_.AddLayer(Dtype::kF32, 1, std::move(extreme));
  }

  int32_t depth_;
  RowLayers& layers_;
};

}  // namespace

ValueId RowLayers::Constant(const std::vector<float>& numbers) {
  std::vector<uint8_t> bytes(numbers.size() * sizeof(float));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return builder_.AddConstant(name_, Dtype::kF32, {static_cast<int32_t>(numbers.size())},
                              std::move(bytes));
}

std::shared_ptr<Binary> RowLayers::Op(BinaryOp op, const Side& a, const Side& b, int32_t cols,
                                      int32_t pixels) const {
  auto binary = std::make_shared<Binary>();
  binary->op = op;
  binary->a.value = a.value;
  binary->b.value = b.value;
  // From one image to the next may be farther than the engine's fields hold: of one there is none.
  const bool alone = rows_ == 1 && !image_.empty();
  const auto strides = [&](const Side& side) -> std::array<int32_t, 4> {
    const int32_t row_stride = alone ? 0 : side.row_stride;
    if (pixels == 1) return {side.col_stride, row_stride, 0, 0};
    return {side.col_stride, side.pixel_stride, row_stride, 0};
  };
  if (pixels == 1) {
    binary->extent = {cols, rows_, 1, 1};
  } else {
    binary->extent = {cols, pixels, rows_, 1};
  }
  binary->a.stride_elems = strides(a);
  binary->b.stride_elems = strides(b);
  binary->clamp = FloatActivationRange(Activation::kNone);
  return binary;
}

ValueId RowLayers::AddLayer(Dtype dtype, int32_t cols, std::shared_ptr<const LayerOp> op) {
  std::vector<int32_t> shape = {rows_, cols};
  const auto elems = [](const std::vector<int32_t>& dims) {
    return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
  };
  if (!image_.empty() && elems(image_) == elems(shape)) shape = image_;
  const ValueId id = builder_.AddValue(name_, dtype, std::move(shape));
  builder_.AddLayer(id, std::move(op));
  return id;
}

RoundedRows RoundRows(ValueId x, int32_t depth, bool asymmetric, RowLayers& layers) {
  const auto shared = [&](const char* what) -> ValueId& {
    return layers.builder().Shared(
        fmt::format("{}{} of v{} by {}", asymmetric ? "asymmetric " : "", what, x, depth));
  };
  ValueId& stored = shared("rows");
  ValueId& scales = shared("scales of rows");
  ValueId& zero_points = shared("zero points of rows");
  if (stored == kNoValue) {
    Rounding8 rounding(depth, layers);
    const RoundedRows rows = asymmetric ? rounding.ToRange(x) : rounding.ToReach(x);
    stored = rows.stored;
    scales = rows.scales;
    zero_points = rows.zero_points;
  }
  return {stored, scales, zero_points};
}

ValueId AddRealRows(const RoundedRows& rounded, int32_t depth, RowLayers& layers) {
  ValueId real = Rounding8(depth, layers).Real(rounded.stored, depth);
  if (rounded.zero_points != kNoValue)
    real = layers.Add(BinaryOp::kSub, {real, 1, depth}, {rounded.zero_points, 0, 1}, depth);
  return layers.Add(BinaryOp::kMul, {real, 1, depth}, {rounded.scales, 0, 1}, depth);
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/rounded_activations.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <functional>
#include <numeric>

#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/legalize/products/never_negative.h"
#include "reference_plugin/compiler/legalize/products/rounded_moves.h"
#include "reference_plugin/compiler/legalize/steps.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "simulator/isa/footprint.h"

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
    const ValueId inverse =
        Inverse(layers_.Add(BinaryOp::kSub, {high, 0, 1}, {low, 0, 1}, 1), rows);
    const ValueId low_steps = layers_.Add(BinaryOp::kMul, {low, 0, 1}, {inverse, 0, 1}, 1);
    const ValueId exact = layers_.Add(BinaryOp::kSub, Number(INT8_MIN), {low_steps, 0, 1}, 1);
    rows.stored_zero_points = Rounded(exact, 1);
    rows.zero_points = Real(rows.stored_zero_points, 1);
    rows.stored = Steps(x, inverse, {rows.zero_points, 0, 1});
    return rows;
  }

  // The same where no number is below 0.
  RoundedRows FromZero(ValueId x) {
    RoundedRows rows;
    rows.zero_point = INT8_MIN;
    rows.stored = Steps(x, Inverse(Extreme(ReduceOp::kMax, x), rows), Number(INT8_MIN));
    return rows;
  }

  ValueId Real(ValueId stored, int32_t cols, int32_t zero_point = 0) {
    std::shared_ptr<Map> to_float = MapOf(Dtype::kI8, Dtype::kF32);
    to_float->function = ConvertOp::kDequantize;
    to_float->x = stored;
    to_float->a.zp = zero_point;
    to_float->a.mult = std::bit_cast<uint32_t>(1.0f);
    return layers_.AddLayer(Dtype::kF32, cols, std::move(to_float));
  }

 private:
  Side Number(float number) { return layers_.Number(number); }

  // Of the scales of such ranges, which it adds to `rows`.
  ValueId Inverse(ValueId range, RoundedRows& rows) {
    rows.scales = layers_.Add(BinaryOp::kDiv, {range, 0, 1}, Number(kAsymmetricSteps), 1);
    const ValueId divisor =
        layers_.Add(BinaryOp::kMax, {rows.scales, 0, 1}, Number(kLeastRange / kAsymmetricSteps), 1);
    return layers_.Add(BinaryOp::kDiv, Number(1), {divisor, 0, 1}, 1);
  }

  // Zero points are added before it is rounded, as TFLite does it: halves are rounded away from 0.
  ValueId Steps(ValueId x, ValueId inverse, const Side& zero_points) {
    const ValueId steps = layers_.Add(BinaryOp::kMul, {x, 1, depth_}, {inverse, 0, 1}, depth_);
    const ValueId moved = layers_.Add(BinaryOp::kAdd, {steps, 1, depth_}, zero_points, depth_);
    return Rounded(moved, depth_);
  }

  // To the nearest of int8's numbers.
  ValueId Rounded(ValueId steps, int32_t cols) {
    std::shared_ptr<Map> rounding = MapOf(Dtype::kF32, Dtype::kI8);
    rounding->function = ConvertOp::kQuantize;
    rounding->x = steps;
    rounding->dst.mult = std::bit_cast<uint32_t>(1.0f);
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
  return Steps(name_, builder_)
      .Numbers(Dtype::kF32, {static_cast<int32_t>(numbers.size())}, numbers);
}

ValueId RowLayers::Integers(const std::vector<int32_t>& numbers) {
  return Steps(name_, builder_)
      .Numbers(Dtype::kI32, {static_cast<int32_t>(numbers.size())}, numbers);
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

RoundedRange RangeOf(ValueId x, bool asymmetric, const Network& network) {
  if (!asymmetric) return RoundedRange::kSymmetric;
  return IsNeverNegative(network, x) ? RoundedRange::kNotNegative : RoundedRange::kAsymmetric;
}

namespace {

// Of what was only moved, what it was moved from is rounded.
RoundedRows RoundMoved(ValueId x, ValueId source, RoundedRange range, RowLayers& layers) {
  NetworkBuilder& builder = layers.builder();
  const std::vector<int32_t> image = builder.network().value(source).shape;
  const auto elems = static_cast<int32_t>(builder.network().value(source).Elems());
  RowLayers before(layers.name(), 1, image, builder);
  RoundedRows rows = RoundRows(source, elems, range, before);
  const RoundedZero zero{.value = rows.stored_zero_points,
                         .byte = static_cast<int8_t>(rows.zero_point)};
  const auto depth = static_cast<int32_t>(builder.network().value(x).Elems());
  rows.stored =
      layers.AddLayer(Dtype::kI8, depth, MoveRounded(x, rows.stored, zero, builder.network()));
  return rows;
}

RoundedRows RoundNow(ValueId x, int32_t depth, RoundedRange range, RowLayers& layers) {
  const ValueId source =
      layers.rows() == 1 ? SourceOfMove(x, layers.builder().network()) : kNoValue;
  if (source != kNoValue) return RoundMoved(x, source, range, layers);
  Rounding8 rounding(depth, layers);
  switch (range) {
    case RoundedRange::kSymmetric:
      return rounding.ToReach(x);
    case RoundedRange::kNotNegative:
      return rounding.FromZero(x);
    case RoundedRange::kAsymmetric:
      break;
  }
  return rounding.ToRange(x);
}

}  // namespace

RoundedRows RoundRows(ValueId x, int32_t depth, RoundedRange range, RowLayers& layers) {
  const auto shared = [&](const char* what) -> ValueId& {
    return layers.builder().Shared(
        fmt::format("{} of v{} by {}, range {}", what, x, depth, static_cast<int>(range)));
  };
  ValueId& stored = shared("rows");
  ValueId& scales = shared("scales of rows");
  ValueId& zero_points = shared("zero points of rows");
  ValueId& stored_zero_points = shared("stored zero points of rows");
  if (stored == kNoValue) {
    const RoundedRows rows = RoundNow(x, depth, range, layers);
    stored = rows.stored;
    scales = rows.scales;
    zero_points = rows.zero_points;
    stored_zero_points = rows.stored_zero_points;
  }
  return {.stored = stored,
          .scales = scales,
          .zero_points = zero_points,
          .zero_point = range == RoundedRange::kNotNegative ? int32_t{INT8_MIN} : 0,
          .stored_zero_points = stored_zero_points};
}

bool RecordsFit(int32_t channels, const Hardware& hardware) {
  constexpr int64_t kPart = 4;  // of what a step has at least
  return int64_t{channels} * kOffsetRecordBytes <= GuaranteedStepBytes(hardware) / kPart;
}

namespace {

// What a zero point adds to the sums of channels.
ValueId AddOffsets(const RoundedRows& rounded, const ChannelWeights& weights, RowLayers& layers) {
  Steps steps(layers.name(), layers.builder());
  return steps.Both(BinaryOp::kMul, layers.Integers(weights.sums),
                    steps.Cast(rounded.stored_zero_points, Dtype::kI32));
}

}  // namespace

ChannelRecords AddRecords(const RoundedRows& rounded, const ChannelWeights& weights,
                          bool with_row_scale, RowLayers& layers) {
  const auto channels = static_cast<int32_t>(weights.scales.size());
  Side scales = {layers.Constant(weights.scales), 1, 0};
  if (with_row_scale)
    scales = {layers.Add(BinaryOp::kMul, scales, {rounded.scales, 0, 1}, channels), 1, 0};
  const Side biases = weights.bias == kNoValue ? layers.Number(0) : Side{weights.bias, 1, 0};
  ChannelRecords records{.value = kNoValue, .offsets = rounded.zero_points != kNoValue};
  const int32_t words = records.offsets ? 3 : 2;
  auto move = std::make_shared<Move>();
  move->pieces = {
      {.from = scales.value, .dims = {{channels, 1, words}}},
      {.from = biases.value, .to_base_elems = 1, .dims = {{channels, biases.col_stride, words}}}};
  if (records.offsets) {
    move->pieces.push_back({.from = AddOffsets(rounded, weights, layers),
                            .to_base_elems = 2,
                            .dims = {{channels, 1, words}}});
  }
  records.value = layers.AddLayer(Dtype::kF32, words * channels, std::move(move));
  return records;
}

ValueId AddRealRows(const RoundedRows& rounded, int32_t depth, RowLayers& layers) {
  ValueId real = Rounding8(depth, layers).Real(rounded.stored, depth, rounded.zero_point);
  if (rounded.zero_points != kNoValue)
    real = layers.Add(BinaryOp::kSub, {real, 1, depth}, {rounded.zero_points, 0, 1}, depth);
  return layers.Add(BinaryOp::kMul, {real, 1, depth}, {rounded.scales, 0, 1}, depth);
}

}  // namespace acme::compiler

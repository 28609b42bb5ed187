// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Root-mean-square normalisation in float32, some rows at a time:
//   s = mean of squares; s = s + epsilon; s = 1 / sqrt(s); y = x * s; y = y * weight.

#include "reference_plugin/compiler/lower/elementwise/rms_norm.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"

namespace acme::compiler {
namespace {

constexpr int32_t kF32Bytes = 4;

// Places of one step; `statistic` holds one element a row.
struct StepPlaces {
  ScratchpadBox x;
  ScratchpadBox y;
  int64_t statistic = 0;
  int64_t scalars = 0;  // 1 / cols, epsilon
  int64_t weight = 0;
};

isa::VView RowView(View view, const ScratchpadBox& box) {
  return {.view = view, .s0 = kF32Bytes, .s1 = box.stride_bytes[1]};
}

isa::VShape Shape(int32_t cols, int32_t rows) {
  return {.n0 = static_cast<uint32_t>(cols), .n1 = static_cast<uint32_t>(rows), .n2 = 1, .n3 = 1};
}

// statistic[r] = 1 / sqrt(sum of squares of row r * (1 / cols) + epsilon)
void AppendStatistic(const StepPlaces& places, int32_t rows, int32_t cols, float epsilon,
                     LoweringContext& context) {
  const auto statistic = static_cast<uint32_t>(places.statistic);
  const isa::VView statistic_dst{.view = View::kDst, .s0 = kF32Bytes, .s1 = kF32Bytes};
  context.Append({.config = {OpenClamp(Dtype::kF32), Shape(cols, rows), statistic_dst,
                             RowView(View::kA, places.x), isa::VQuant{.view = View::kA},
                             isa::VQuant{.view = View::kDst}},
                  .work = isa::VReduce{.op = ReduceOp::kSumSquares,
                                       .dims = 1,
                                       .dtype = Dtype::kF32,
                                       .out = Dtype::kF32,
                                       .dst = statistic,
                                       .a = static_cast<uint32_t>(places.x.offset)}});
  const isa::VView statistic_a{.view = View::kA, .s0 = kF32Bytes, .s1 = 0};
  const isa::VView scalar_b{.view = View::kB, .s0 = 0, .s1 = 0};
  const float scalars[2] = {1.0f / static_cast<float>(cols), epsilon};
  for (uint32_t i = 0; i < 2; ++i) {
    const auto scalar = static_cast<uint32_t>(places.scalars) + i * kF32Bytes;
    context.Append(
        {.config = {Shape(1, 1), isa::VView{.view = View::kDst, .s0 = kF32Bytes}},
         .work = isa::VFill{
             .dtype = Dtype::kF32, .dst = scalar, .value = std::bit_cast<uint32_t>(scalars[i])}});
    context.Append(
        {.config = {OpenClamp(Dtype::kF32), Shape(rows, 1),
                    isa::VView{.view = View::kDst, .s0 = kF32Bytes}, statistic_a, scalar_b},
         .work = isa::VBinary{.op = i == 0 ? BinaryOp::kMul : BinaryOp::kAdd,
                              .dtype = Dtype::kF32,
                              .dst = statistic,
                              .a = statistic,
                              .b = scalar}});
  }
  context.Append(
      {.config = {OpenClamp(Dtype::kF32), Shape(rows, 1),
                  isa::VView{.view = View::kDst, .s0 = kF32Bytes}, statistic_a},
       .work = isa::VUnary{
           .op = UnaryOp::kRsqrt, .dtype = Dtype::kF32, .dst = statistic, .a = statistic}});
}

// y = x * statistic, then y = y * weight.
void AppendScaling(const RmsNorm& op, const StepPlaces& places, int32_t rows,
                   LoweringContext& context) {
  const auto y = static_cast<uint32_t>(places.y.offset);
  context.Append({.config = {OpenClamp(Dtype::kF32), Shape(op.cols, rows),
                             RowView(View::kDst, places.y), RowView(View::kA, places.x),
                             isa::VView{.view = View::kB, .s0 = 0, .s1 = kF32Bytes}},
                  .work = isa::VBinary{.op = BinaryOp::kMul,
                                       .dtype = Dtype::kF32,
                                       .dst = y,
                                       .a = static_cast<uint32_t>(places.x.offset),
                                       .b = static_cast<uint32_t>(places.statistic)}});
  if (op.weight == kNoValue) return;
  ScratchpadBox y_as_a = places.y;
  context.Append({.config = {OpenClamp(Dtype::kF32), Shape(op.cols, rows),
                             RowView(View::kDst, places.y), RowView(View::kA, y_as_a),
                             isa::VView{.view = View::kB, .s0 = kF32Bytes, .s1 = 0}},
                  .work = isa::VBinary{.op = BinaryOp::kMul,
                                       .dtype = Dtype::kF32,
                                       .dst = y,
                                       .a = y,
                                       .b = static_cast<uint32_t>(places.weight)}});
}

}  // namespace

// What step_bytes of RmsNorm::Lower is for one row at most: legalising asks this, so that lowering
// never fails.
int64_t RmsNormRowBytes(int32_t cols) {
  return 3 * ((int64_t{cols} * kF32Bytes + 63) / 64 * 64) + 128;
}

LayerWork RmsNorm::Work(const Network& network, ValueId output) const {
  const auto elems = static_cast<uint64_t>(network.value(output).Elems());
  return {.vector_elems = elems * (weight == kNoValue ? 2 : 3), .dtype = Dtype::kF32};
}

std::string RmsNorm::Describe() const {
  return fmt::format("rms_norm rows {} cols {} x v{} weight {} epsilon {:g}", rows, cols, x,
                     weight == kNoValue ? "none" : fmt::format("v{}", weight), epsilon);
}

Expected<void> RmsNorm::Lower(ValueId output, LoweringContext& context) const {
  const RmsNorm& op = *this;
  const Extent4 extent = {op.cols, op.rows, 1, 1};
  const OperandLayout x{op.x, DenseStrides(extent)};
  const OperandLayout y{output, DenseStrides(extent)};
  const OperandLayout weight{op.weight, {1, 0, 0, 0}};
  // The last term: an element a row, and in the 64 bytes more the two scalars.
  const auto step_bytes = [&](const Extent4& box) {
    const int64_t weight_bytes = op.weight == kNoValue ? 0 : StepBytesOf(weight, box, context);
    return StepBytesOf(x, box, context) + StepBytesOf(y, box, context) + weight_bytes +
           (int64_t{box[1]} * kF32Bytes + 127) / 64 * 64;
  };
  Extent4 box = extent;
  while (step_bytes(box) > context.StepBytes() && box[1] > 1) box[1] = (box[1] + 1) / 2;
  if (step_bytes(box) > context.StepBytes()) {
    return Error(ErrorCode::kInvalidArgument,
                 fmt::format("rms_norm: a row of {} elements needs {} bytes of scratchpad at once, "
                             "there are {}",
                             op.cols, step_bytes(box), context.StepBytes()));
  }
  ForEachBox(extent, box, [&](const Extent4& origin, const Extent4& part) {
    const int64_t x_buffer = context.BeginStep(step_bytes(part));
    const int64_t y_buffer = x_buffer + StepBytesOf(x, part, context);
    StepPlaces places;
    places.weight = y_buffer + StepBytesOf(y, part, context);
    places.scalars =
        places.weight + (op.weight == kNoValue ? 0 : StepBytesOf(weight, part, context));
    places.statistic = places.scalars + 2 * kF32Bytes;
    places.x = ReadBox(x, origin, part, x_buffer, context);
    places.y = ResultBox(y, origin, part, y_buffer, context);
    if (op.weight != kNoValue)
      places.weight = ReadBox(weight, origin, part, places.weight, context).offset;
    AppendStatistic(places, part[1], op.cols, op.epsilon, context);
    AppendScaling(op, places, part[1], context);
    StoreBox(y, origin, part, places.y, context);
  });
  return {};
}

}  // namespace acme::compiler

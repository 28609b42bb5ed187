// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/reduction/pool.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"
#include "reference_plugin/compiler/placement/alignment.h"

namespace acme::compiler {
namespace {

class PoolLowering {
 public:
  PoolLowering(const Pool& op, ValueId output, LoweringContext& context)
      : op_(op),
        context_(context),
        x_{op.x, DenseStrides({op.channels, op.width.in, op.height.in, op.batches})},
        y_{output, DenseStrides({op.channels, op.width.out, op.height.out, op.batches})},
        stream_x_(StepBytesOf(x_, {1, 1, 1, 1}, context) != 0),
        stream_y_(StepBytesOf(y_, {1, 1, 1, 1}, context) != 0),
        tile_(ChoosePoolTile(op, stream_x_, stream_y_, context.StepBytes())) {}

  void Run() {
    const Extent4 extent = {op_.channels, op_.width.out, op_.height.out, op_.batches};
    const Extent4 box = {tile_.channels, tile_.cols, tile_.rows, 1};
    ForEachBox(extent, box,
               [&](const Extent4& origin, const Extent4& part) { RunTile(origin, part); });
  }

 private:
  void RunTile(const Extent4& origin, const Extent4& part) {
    const WindowAxis::Span rows = op_.height.InputsOf(origin[2], part[2]);
    const WindowAxis::Span cols = op_.width.InputsOf(origin[1], part[1]);
    const Extent4 in_origin = {origin[0], cols.first, rows.first, origin[3]};
    const Extent4 in_part = {part[0], cols.size(), rows.size(), 1};
    const int64_t x_bytes = StepBytesOf(x_, in_part, context_);
    const int64_t step = context_.BeginStep(x_bytes + StepBytesOf(y_, part, context_));
    const ScratchpadBox x = ReadBox(x_, in_origin, in_part, step, context_);
    const ScratchpadBox y = ResultBox(y_, origin, part, step + x_bytes, context_);
    const auto u = [](int32_t value) { return static_cast<uint32_t>(value); };
    context_.Append(
        {.config = {isa::VClamp{.lo = op_.clamp.lo, .hi = op_.clamp.hi}, ShapeConfig(part),
                    ViewConfig(View::kDst, y.stride_bytes),
                    isa::VWindow{.kernel_h = u(op_.height.kernel),
                                 .kernel_w = u(op_.width.kernel),
                                 .stride_h = u(op_.height.stride),
                                 .stride_w = u(op_.width.stride),
                                 .dilation_h = 1,
                                 .dilation_w = 1,
                                 .multiplier = 1},
                    isa::VInput{.in_h = u(in_part[2]),
                                .in_w = u(in_part[1]),
                                .row_stride = x.stride_bytes[2],
                                .pixel_stride = x.stride_bytes[1],
                                .y0 = op_.height.Origin(origin[2], rows.first),
                                .x0 = op_.width.Origin(origin[1], cols.first)}},
         .work = isa::VPool{
             .op = op_.op, .dtype = op_.dtype, .dst = u32(y.offset), .a = u32(x.offset)}});
    StoreBox(y_, origin, part, y, context_);
  }

  static uint32_t u32(int64_t value) { return static_cast<uint32_t>(value); }

  const Pool& op_;
  LoweringContext& context_;
  OperandLayout x_;
  OperandLayout y_;
  bool stream_x_;
  bool stream_y_;
  PoolTile tile_;
};

}  // namespace

int64_t PoolStepBytes(const Pool& op, const PoolTile& tile, bool stream_x, bool stream_y) {
  const int64_t elem_bytes = SizeBytes(op.dtype);
  const int64_t in_pixels = op.height.MostInputs(tile.rows) * op.width.MostInputs(tile.cols);
  const int64_t out_pixels = int64_t{tile.rows} * tile.cols;
  return (stream_x ? AlignUp(in_pixels * tile.channels * elem_bytes) : 0) +
         (stream_y ? AlignUp(out_pixels * tile.channels * elem_bytes) : 0);
}

PoolTile ChoosePoolTile(const Pool& op, bool stream_x, bool stream_y, int64_t step_bytes) {
  PoolTile tile{op.height.out, op.width.out, op.channels};
  const auto halve = [](int32_t& extent) { extent = (extent + 1) / 2; };
  while (tile.rows > 1 && op.height.MostInputs(tile.rows) > kMaxTileExtent) halve(tile.rows);
  while (tile.cols > 1 && op.width.MostInputs(tile.cols) > kMaxTileExtent) halve(tile.cols);
  const auto fits = [&] { return PoolStepBytes(op, tile, stream_x, stream_y) <= step_bytes; };
  while (!fits() && tile.rows > 1) halve(tile.rows);
  while (!fits() && tile.channels > 64) halve(tile.channels);
  while (!fits() && tile.cols > 1) halve(tile.cols);
  while (!fits() && tile.channels > 1) halve(tile.channels);
  return tile;
}

// One for each result at least; windows and samples may leave others out.
uint64_t Pool::ElemsRead(const Network& network, ValueId output, ValueId operand) const {
  return static_cast<uint64_t>(
      std::min(network.value(operand).Elems(), network.value(output).Elems()));
}

LayerWork Pool::Work(const Network& network, ValueId output) const {
  return {.vector_elems = static_cast<uint64_t>(network.value(output).Elems()), .dtype = dtype};
}

std::string Pool::Describe() const {
  const auto describe = [](const WindowAxis& window) {
    return fmt::format("{} to {} kernel {} stride {} pad {}", window.in, window.out, window.kernel,
                       window.stride, window.pad);
  };
  return fmt::format("pool {} v{} {} batches {} channels {} height {} width {} clamp {}",
                     NameOf(op), x, NameOf(dtype), batches, channels, describe(height),
                     describe(width), ToString(clamp));
}

RowRange Pool::RowsRead(ValueId /*image*/, const RowRange& result) const {
  return compiler::RowsRead(height, result);
}

std::shared_ptr<const LayerOp> Pool::Rows(const RowRange& result,
                                          std::span<const HeldRows> held) const {
  auto part = std::make_shared<Pool>(*this);
  HeldRows image = FindRows(x, held);
  // Of an image that is there as a whole FindRows gives no rows.
  if (image.value == x) image.rows = {0, height.in};
  part->x = image.value;
  part->height = RowsOf(height, result, image.rows);
  return part;
}

Expected<void> Pool::Lower(ValueId output, LoweringContext& context) const {
  PoolLowering(*this, output, context).Run();
  return {};
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise_task.h"

namespace acme::compiler {
namespace {

class DepthwiseLowering {
 public:
  DepthwiseLowering(const Depthwise& op, ValueId output, LoweringContext& context)
      : op_(op),
        context_(context),
        x_{op.x, DenseStrides({op.in_c, op.geometry.w.in, op.geometry.h.in, op.geometry.batches})},
        y_{output,
           DenseStrides({op.out_c(), op.geometry.w.out, op.geometry.h.out, op.geometry.batches})},
        stream_x_(!context.place(op.x).scratchpad_offset),
        stream_y_(!context.place(output).scratchpad_offset),
        tile_(ChooseDepthwiseTile(op, stream_x_, stream_y_, context.StepBytes(),
                                  context.hardware())) {}

  void Run() {
    // Parameters of several tiles' channels come with one load.
    group_ = tile_.channels;
    const int64_t limit = std::min(context_.ChunkBytes(), context_.StepBytes() / 4);
    while (group_ < op_.out_c() && ParameterBytes(op_, group_ + tile_.channels) <= limit)
      group_ += tile_.channels;
    context_.MakeResident(op_.x);
    extremes_ = context_.ExtremesOf(y_.value);
    if (!op_.table.empty()) table_ = context_.LoadTable(op_.table);
    if (op_.ScalesSums()) records_ = ReadAll(op_.scales_and_biases, context_);
    // Channels outside, so that what reads them can begin; a group's parameters stay as long as its
    // channels are worked on.
    for (int32_t first = 0; first < op_.out_c(); first += group_) {
      const int32_t channels = std::min(group_, op_.out_c() - first);
      LoadParameters(first, channels);
      ForEachBox({channels, op_.geometry.w.out, op_.geometry.h.out, op_.geometry.batches},
                 {tile_.channels, tile_.cols, tile_.rows, 1},
                 [&](Extent4 origin, const Extent4& box) {
                   origin[0] += first;
                   RunTile(origin, box, first, channels);
                 });
    }
  }

 private:
  void LoadParameters(int32_t first, int32_t channels) {
    std::vector<uint8_t> packed;
    packed.reserve(static_cast<size_t>(ParameterBytes(op_, channels)));
    const Value* bias = op_.bias == kNoValue ? nullptr : &context_.value(op_.bias);
    for (int32_t c = first; c < first + channels && !op_.ScalesSums(); ++c)
      AppendRecord(op_.requantize, bias, c, op_.dtype, packed);
    packed.resize(static_cast<size_t>(RecordsBytes(op_, channels)));
    const std::span<const uint8_t> weights = context_.value(op_.w).constant;
    const auto elem = WeightBytes(op_.dtype);
    const int64_t taps = int64_t{op_.geometry.h.kernel} * op_.geometry.w.kernel;
    for (int64_t tap = 0; tap < taps; ++tap) {
      const auto from = weights.subspan(static_cast<size_t>((tap * op_.out_c() + first) * elem),
                                        static_cast<size_t>(channels * elem));
      packed.insert(packed.end(), from.begin(), from.end());
    }
    parameters_ = context_.LoadConstant(context_.constants().Add(packed),
                                        static_cast<int64_t>(packed.size()), /*keep=*/true);
  }

  void RunTile(const Extent4& origin, const Extent4& box, int32_t group_first,
               int32_t group_channels) {
    const WindowGeometry& g = op_.geometry;
    const WindowAxis::Span rows = g.h.InputsOf(origin[2], box[2]);
    const WindowAxis::Span cols = g.w.InputsOf(origin[1], box[1]);
    const Extent4 in_origin = {origin[0] / op_.multiplier, cols.first, rows.first, origin[3]};
    const Extent4 in_box = {box[0] / op_.multiplier, cols.size(), rows.size(), 1};
    const int64_t x_bytes = StepBytesOf(x_, in_box, context_);
    const int64_t y_bytes = StepBytesOf(y_, box, context_);
    const int64_t x_buffer = x_bytes > 0 ? context_.BeginStep(x_bytes) : 0;
    const int64_t y_buffer = y_bytes > 0 ? context_.BeginStep(y_bytes) : 0;
    TilePlaces places;
    places.x = ReadBox(x_, in_origin, in_box, x_buffer, context_);
    places.y = ResultBox(y_, origin, box, y_buffer, context_);
    places.in_rows = rows.size();
    places.in_cols = cols.size();
    places.y0 = g.h.Origin(origin[2], rows.first);
    places.x0 = g.w.Origin(origin[1], cols.first);
    const int32_t in_group = origin[0] - group_first;
    places.records = op_.ScalesSums() ? records_ + RecordSize(op_) * origin[0]
                                      : parameters_ + RecordSize(op_) * in_group;
    places.weights =
        parameters_ + RecordsBytes(op_, group_channels) + in_group * WeightBytes(op_.dtype);
    places.tap_stride = group_channels * WeightBytes(op_.dtype);
    places.table = table_;
    places.extremes = extremes_;
    context_.Append(MakeTask(op_, {box[2], box[1], box[0]}, places));
    StoreBox(y_, origin, box, places.y, context_);
  }

  const Depthwise& op_;
  LoweringContext& context_;
  OperandLayout x_;
  OperandLayout y_;
  bool stream_x_;
  bool stream_y_;
  DepthwiseTile tile_;
  std::optional<isa::VEpilogue> extremes_;  // that are found on the way
  int32_t group_ = 1;                       // channels whose parameters are loaded together
  int64_t table_ = 0;                       // where it stands
  int64_t records_ = 0;     // where those of all channels stand that are known when it runs
  int64_t parameters_ = 0;  // of the current group: records, then weights [tap][channel]
};

}  // namespace

uint64_t Depthwise::ElemsRead(const Network& network, ValueId output, ValueId operand) const {
  if (operand != x) return LayerOp::ElemsRead(network, output, operand);
  return ImageElemsRead(geometry, in_c);
}

LayerWork Depthwise::Work(const Network& network, ValueId output) const {
  const auto elems = static_cast<uint64_t>(network.value(output).Elems());
  return {.depthwise_macs = elems * static_cast<uint64_t>(geometry.h.kernel) *
                            static_cast<uint64_t>(geometry.w.kernel),
          .padding_macs = PaddingProducts(geometry) * static_cast<uint64_t>(out_c()),
          .vector_elems = elems,
          .dtype = dtype};
}

std::string Depthwise::Describe() const {
  if (ScalesSums()) {
    return fmt::format(
        "depthwise {} channels {} multiplier {} x v{} zp {} w v{} zp {} scales{} and biases v{} "
        "clamp {}",
        ToString(geometry), in_c, multiplier, x, act_zp, w, weight_zp, offsets ? ", offsets" : "",
        scales_and_biases, ToString(requantize.clamp));
  }
  std::string text = fmt::format(
      "depthwise {} channels {} multiplier {} x v{} zp {} w v{} zp {} bias v{} {}",
      ToString(geometry), in_c, multiplier, x, act_zp, w, weight_zp, bias, ToString(requantize));
  if (!table.empty()) text += fmt::format(", then a table of {} bytes", table.size());
  return text;
}

std::shared_ptr<const LayerOp> Depthwise::Rows(const RowRange& result,
                                               std::span<const HeldRows> held) const {
  auto rows = std::make_shared<Depthwise>(*this);
  const HeldRows image = FindRows(x, held);
  rows->x = image.value;
  rows->geometry.h = image.value == x ? RowsOf(geometry.h, result, {0, geometry.h.in})
                                      : RowsOf(geometry.h, result, image.rows);
  return rows;
}

Expected<void> Depthwise::Lower(ValueId output, LoweringContext& context) const {
  DepthwiseLowering(*this, output, context).Run();
  return {};
}

}  // namespace acme::compiler

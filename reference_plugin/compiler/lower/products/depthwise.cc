// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/depthwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/placement/alignment.h"
#include "reference_plugin/compiler/tasks/footprint.h"
#include "simulator/timing/access_words.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
namespace {

int64_t ParameterBytes(const Depthwise& op, int32_t channels) {
  return AlignUp(RecordBytes(op.requantize, op.dtype) * channels) +
         AlignUp(int64_t{op.geometry.h.kernel} * op.geometry.w.kernel * channels *
                 WeightBytes(op.dtype));
}

// Where the parts of one tile stand.
struct TilePlaces {
  ScratchpadBox x;
  ScratchpadBox y;
  int32_t in_rows = 1;
  int32_t in_cols = 1;
  int32_t y0 = 0;
  int32_t x0 = 0;
  int64_t records = 0;
  int64_t weights = 0;
  int64_t tap_stride = 0;
  int64_t table = 0;
};

Task MakeTask(const Depthwise& op, const DepthwiseTile& tile, const TilePlaces& places) {
  const WindowGeometry& g = op.geometry;
  Task task;
  task.config = {
      isa::VShape{.n0 = U(tile.channels), .n1 = U(tile.cols), .n2 = U(tile.rows), .n3 = 1},
      isa::VWindow{.kernel_h = U(g.h.kernel),
                   .kernel_w = U(g.w.kernel),
                   .stride_h = U(g.h.stride),
                   .stride_w = U(g.w.stride),
                   .dilation_h = U(g.h.dilation),
                   .dilation_w = U(g.w.dilation),
                   .multiplier = U(op.multiplier)},
      isa::VInput{.in_h = U(places.in_rows),
                  .in_w = U(places.in_cols),
                  .row_stride = places.x.stride_bytes[2],
                  .pixel_stride = places.x.stride_bytes[1],
                  .y0 = places.y0,
                  .x0 = places.x0},
      isa::VView{.view = View::kDst,
                 .s0 = places.y.stride_bytes[0],
                 .s1 = places.y.stride_bytes[1],
                 .s2 = places.y.stride_bytes[2]},
      isa::VParams{.addr = U(places.records),
                   .tap_stride = static_cast<int32_t>(places.tap_stride),
                   .record_stride = static_cast<int32_t>(RecordBytes(op.requantize, op.dtype))},
      isa::VQuant{.view = View::kA, .zp = op.act_zp},
      isa::VQuant{.view = View::kB, .zp = op.weight_zp},
      isa::VQuant{
          .view = View::kDst, .zp = op.requantize.out_zp, .rounding = op.requantize.rounding},
      isa::VClamp{.lo = op.requantize.clamp.lo, .hi = op.requantize.clamp.hi}};
  task.work = isa::VDepthwise{.dtype = op.dtype,
                              .dst = U(places.y.offset),
                              .a = U(places.x.offset),
                              .weights = U(places.weights),
                              .lookup = !op.table.empty()};
  if (!op.table.empty()) task.config.emplace_back(isa::VLookup{.addr = U(places.table)});
  return task;
}

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
    if (!op_.table.empty()) table_ = context_.LoadTable(op_.table);
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
    for (int32_t c = first; c < first + channels; ++c)
      AppendRecord(op_.requantize, bias, c, op_.dtype, packed);
    packed.resize(static_cast<size_t>(AlignUp(RecordBytes(op_.requantize, op_.dtype) * channels)));
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
    places.records = parameters_ + RecordBytes(op_.requantize, op_.dtype) * in_group;
    places.weights = parameters_ +
                     AlignUp(RecordBytes(op_.requantize, op_.dtype) * group_channels) +
                     in_group * WeightBytes(op_.dtype);
    places.tap_stride = group_channels * WeightBytes(op_.dtype);
    places.table = table_;
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
  int32_t group_ = 1;       // channels whose parameters are loaded together
  int64_t table_ = 0;       // where it stands
  int64_t parameters_ = 0;  // of the current group: records, then weights [tap][channel]
};

// Cycles of all tiles, each as the one in the middle of a value in the scratchpad.
int64_t EstimateTiles(const Depthwise& op, const DepthwiseTile& tile, const Hardware& hardware) {
  const WindowGeometry& g = op.geometry;
  TilePlaces places;
  const auto elem = static_cast<int32_t>(SizeBytes(op.dtype));
  places.in_rows = static_cast<int32_t>(g.h.MostInputs(tile.rows));
  places.in_cols = static_cast<int32_t>(g.w.MostInputs(tile.cols));
  places.x.stride_bytes = {elem, op.in_c * elem, op.in_c * g.w.in * elem, 0};
  places.y.stride_bytes = {elem, op.out_c() * elem, op.out_c() * g.w.out * elem, 0};
  places.tap_stride = op.out_c() * WeightBytes(op.dtype);
  EngineState state;
  const int64_t cycles = EstimateTask(MakeTask(op, tile, places), state, hardware).busy_cycles;
  return cycles * g.batches * CeilDiv(g.h.out, tile.rows) * CeilDiv(g.w.out, tile.cols) *
         CeilDiv(op.out_c(), tile.channels);
}

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

int64_t DepthwiseTileBytes(const Depthwise& op, const DepthwiseTile& tile, bool stream_x,
                           bool stream_y) {
  const int64_t elem = SizeBytes(op.dtype);
  const int64_t x =
      AlignUp(op.geometry.h.MostInputs(tile.rows) * op.geometry.w.MostInputs(tile.cols) *
              (tile.channels / op.multiplier) * elem);
  const int64_t y = AlignUp(int64_t{tile.rows} * tile.cols * tile.channels * elem);
  return (stream_x ? x : 0) + (stream_y ? y : 0) + ParameterBytes(op, tile.channels);
}

namespace {

constexpr int32_t kLargestInput = 4095;  // of the instruction's fields
constexpr int64_t kWorthPercent = 80;

bool Halve(int32_t& extent, int32_t step) {
  if (extent <= step) return false;
  extent = std::max(step, (extent / step + 1) / 2 * step);
  return true;
}

class TileChooser {
 public:
  TileChooser(const Depthwise& op, bool stream_x, bool stream_y, int64_t max_bytes,
              const Hardware& hardware)
      : op_(op),
        stream_x_(stream_x),
        stream_y_(stream_y),
        max_bytes_(max_bytes),
        hardware_(hardware),
        whole_rows_(static_cast<int32_t>(hardware.array_cols) * op.multiplier) {}

  DepthwiseTile Choose() const {
    const DepthwiseTile coarse = stream_x_ || stream_y_ ? CheapestThatFits() : LargestThatFits();
    return Finer(coarse);
  }

 private:
  DepthwiseTile Whole() const { return {op_.geometry.h.out, op_.geometry.w.out, op_.out_c()}; }

  bool Fits(const DepthwiseTile& tile) const {
    return DepthwiseTileBytes(op_, tile, stream_x_, stream_y_) <= max_bytes_ &&
           op_.geometry.h.MostInputs(tile.rows) <= kLargestInput &&
           op_.geometry.w.MostInputs(tile.cols) <= kLargestInput &&
           int64_t{tile.rows} * tile.cols * tile.channels <= (1 << 23);
  }

  DepthwiseTile LargestThatFits() const {
    DepthwiseTile tile = Whole();
    while (!Fits(tile) && tile.rows > 4 && Halve(tile.rows, 1)) {
    }
    while (!Fits(tile) && tile.channels > 4 * whole_rows_ && Halve(tile.channels, whole_rows_)) {
    }
    while (!Fits(tile) && Halve(tile.rows, 1)) {
    }
    while (!Fits(tile) && Halve(tile.channels, op_.multiplier)) {
    }
    while (!Fits(tile) && Halve(tile.cols, 1)) {
    }
    return tile;
  }

  // Rows, columns and channels are cut where the windows then see less twice, and DRAM bursts are
  // used whole.
  DepthwiseTile CheapestThatFits() const {
    DepthwiseTile best = LargestThatFits();
    // The largest leaves the engines most to do side by side, which the estimate does not see.
    int64_t fewest = Cycles(best) * kWorthPercent / 100;
    DepthwiseTile tile = Whole();
    do {
      tile.cols = op_.geometry.w.out;
      do {
        tile.rows = op_.geometry.h.out;
        while (!Fits(tile) && Halve(tile.rows, 1)) {
        }
        if (!Fits(tile) || DramCycles(tile) >= fewest) continue;
        const int64_t cycles = Cycles(tile);
        if (cycles >= fewest) continue;
        fewest = cycles;
        best = tile;
      } while (Halve(tile.cols, 1));
    } while (Halve(tile.channels, whole_rows_));
    return best;
  }

  // Finer: by rows while the matrix engine makes the operand in several parts of all channels, else
  // by channels, which is how it makes one part.
  DepthwiseTile Finer(DepthwiseTile tile) const {
    const int64_t limit = Cycles(tile) * 5 / 4;
    const auto sums = static_cast<int32_t>(hardware_.accumulator_rows / 2);
    if (int64_t{tile.rows} * tile.cols > sums) {
      while (int64_t{tile.rows} * tile.cols > sums) {
        DepthwiseTile finer = tile;
        if (!Halve(finer.rows, 1) || Cycles(finer) > limit) break;
        tile = finer;
      }
      return tile;
    }
    const int32_t slice = whole_rows_ * 2;
    for (int32_t channels : {whole_rows_, slice, 2 * slice}) {
      if (channels >= tile.channels) break;
      DepthwiseTile finer = tile;
      finer.channels = channels;
      if (Cycles(finer) > limit) continue;
      tile = finer;
      break;
    }
    return tile;
  }

  int64_t Cycles(const DepthwiseTile& tile) const {
    return std::max(EstimateTiles(op_, tile, hardware_), DramCycles(tile));
  }

  // Of what streams, in whole bursts.
  int64_t DramCycles(const DepthwiseTile& tile) const {
    const WindowGeometry& g = op_.geometry;
    int64_t bytes = 0;
    if (stream_x_) {
      bytes += BurstBytes(g.h.MostInputs(tile.rows), g.w.MostInputs(tile.cols),
                          tile.channels / op_.multiplier, op_.in_c, g.w.in);
    }
    if (stream_y_) bytes += BurstBytes(tile.rows, tile.cols, tile.channels, op_.out_c(), g.w.out);
    return bytes * g.batches * CeilDiv(g.h.out, tile.rows) * CeilDiv(g.w.out, tile.cols) *
           CeilDiv(op_.out_c(), tile.channels) / hardware_.dram_bytes_per_cycle;
  }
  // Of a box of an image with so many channels and columns.
  int64_t BurstBytes(int64_t rows, int64_t cols, int64_t channels, int64_t all_channels,
                     int64_t all_cols) const {
    const int64_t elem = SizeBytes(op_.dtype);
    const int64_t burst = hardware_.dram_burst_bytes;
    int64_t runs = rows * cols;
    int64_t run = channels * elem;
    if (channels == all_channels) {
      runs = cols == all_cols ? 1 : rows;
      run *= rows * cols / runs;
    }
    const bool aligned = all_channels * elem % burst == 0 && run % burst == 0;
    // One that begins anywhere has half a burst before and behind that it does not need.
    return runs * (aligned ? run : run + burst);
  }

  const Depthwise& op_;
  bool stream_x_;
  bool stream_y_;
  int64_t max_bytes_;
  const Hardware& hardware_;
  int32_t whole_rows_;
};

}  // namespace

DepthwiseTile ChooseDepthwiseTile(const Depthwise& op, bool stream_x, bool stream_y,
                                  int64_t max_bytes, const Hardware& hardware) {
  return TileChooser(op, stream_x, stream_y, max_bytes, hardware).Choose();
}

int64_t DepthwiseLaneCycles(const Depthwise& op, const Hardware& hardware) {
  const WindowGeometry& g = op.geometry;
  const int64_t passes = CeilDiv(int64_t{g.h.kernel} * g.w.kernel, hardware.depthwise_taps);
  const int64_t row = CeilDiv(int64_t{g.w.out} * op.out_c(), LanesFor(op.dtype, hardware));
  return g.h.out * row * passes;
}

}  // namespace acme::compiler

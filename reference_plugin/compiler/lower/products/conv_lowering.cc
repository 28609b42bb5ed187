// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of output pixels; for each, column tiles of the array; for each, the folds of the
// reduction, then a drain.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/conv_block.h"
#include "reference_plugin/compiler/lower/products/conv_operands.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"
#include "reference_plugin/compiler/lower/products/conv_weights.h"
#include "reference_plugin/compiler/lower/products/fold_plan.h"
#include "reference_plugin/compiler/lower/products/pixel_plan.h"

namespace acme::compiler {
namespace {

class ConvLowering {
 public:
  // key: Conv::KeyOfStrips.
  ConvLowering(const Conv& conv, const PixelPlan& plan, std::string key, ValueId output,
               LoweringContext& context)
      : key_(std::move(key)),
        conv_(CutPixels(conv, plan.parts)),
        context_(context),
        widened_(conv_, plan.together),
        stream_x_(!context.place(conv.x).scratchpad_offset),
        block_(ChooseBlock()),
        tile_(block_ ? block_->tile
                     : ChooseConvTile(conv_, plan.together, stream_x_, ImageBytes(),
                                      context.hardware())),
        image_(widened_, tile_.channels, context),
        result_(widened_, output, context),
        drain_(widened_, output, context) {
    tile_.cols = std::max(1, tile_.cols / widened_.pixels);
  }

  void Run() {
    const int64_t budget = context_.StepBytes();
    packed_ = Pack(std::min(ChunkBytes(), budget / 8));
    if (!block_) SplitForOverlap();
    chunk_at_.assign(Weights().chunks.size(), -1);
    keep_weights_ =
        Tiles(tile_) == 1 || context_.in_strips() || Weights().total_bytes <= budget / 2;
    context_.MakeResident(conv_.x);
    const std::vector<ColumnGroup> groups = Groups(budget);
    const bool reload = block_ ? !block_->keeps_weights : !keep_weights_ && groups.size() == 1;
    if (!block_ && !reload) ShrinkToWholePixels(groups.front().cols);
    for (const ColumnGroup& group : groups) {
      ForEachTile([&](const OutputTile& tile) {
        if (reload) std::fill(chunk_at_.begin(), chunk_at_.end(), -1);
        RunTile(tile, group);
        if (groups.size() == 1) StoreResident(tile);
      });
    }
    if (groups.size() > 1) result_.StoreAllResident();
  }

 private:
  // Of a step, for a tile of an image that streams. Weights that do not stay come again for each
  // tile: the fewer tiles the better.
  int64_t ImageBytes() const {
    const int64_t step = context_.StepBytes();
    const bool reloads = context_.value(conv_.w).Elems() * WeightBytes(conv_.dtype) > step / 2 &&
                         step > GuaranteedStepBytes(context_.hardware());
    return reloads ? step / 2 : step / 4;
  }
  static int64_t Count(int32_t extent, int32_t step) { return (extent + step - 1) / step; }
  const WindowGeometry& Geometry() const { return widened_.geometry; }
  const ConvWeights& Weights() const { return *packed_->weights; }

  // Strips of one convolution share them.
  std::shared_ptr<const PackedConv> Pack(int64_t chunk_bytes) {
    const ArrayFeed feed = FeedOf(conv_, widened_.pixels, context_.hardware());
    int64_t how = chunk_bytes;
    for (const int32_t part : {widened_.pixels, conv_.geometry.w.stride, conv_.in_c})
      how = how * 4096 + part;
    std::shared_ptr<const PackedConv>& packed =
        context_.PackedFor(key_, how * 2 + (feed.padded ? 1 : 0));
    if (packed != nullptr) return packed;
    packed = std::make_shared<const PackedConv>(
        PlaceConvWeights(conv_, context_.network(), widened_.pixels, chunk_bytes,
                         context_.hardware(), context_.constants()));
    return packed;
  }

  // Few weights come in two parts, so that work begins while the second comes.
  int64_t ChunkBytes() const {
    constexpr int64_t kLeastBytes = 1024;
    const Value& w = context_.value(conv_.w);
    const int64_t w_bytes = w.Elems() * WeightBytes(conv_.dtype);
    const int64_t bytes = (w_bytes + conv_.out_c * conv_.RecordSize()) * widened_.pixels;
    if (context_.in_strips() || bytes > context_.ChunkBytes() / 4) return context_.ChunkBytes();
    return std::max(bytes / 2 + 64, kLeastBytes);
  }

  // One tile is cut into pieces, rows or of one row its columns, so that the image comes, and what
  // reads the results runs, beside other pieces. Not where it is the weights that are waited for.
  void SplitForOverlap() {
    constexpr int64_t kPieceCycles = 512;
    const int64_t most_pieces = context_.in_strips() ? 2 : 8;  // strips are pieces already
    if (stream_x_ || tile_.rows < Geometry().h.out || tile_.cols < widened_.whole_cols) return;
    if (Geometry().batches > 1) return;
    const Hardware& hardware = context_.hardware();
    const int64_t pixels = int64_t{tile_.rows} * tile_.cols;
    const ArrayFeed feed = FeedOf(conv_, widened_.pixels, hardware);
    const int64_t row_cycles = FoldsCycles(Weights().folds, conv_.in_c, feed);
    const int64_t cycles = pixels * row_cycles / kFeedCycle;
    // Enough to hide the next weights, most of the time.
    const int64_t least_pixels = 32 * kFeedCycle * I(Weights().folds.size()) / row_cycles;
    const int64_t weight_bytes = Weights().total_bytes;
    const auto column_tiles = static_cast<int64_t>(Weights().tiles.size());
    if (weight_bytes > context_.ChunkBytes() &&
        (context_.in_strips() || weight_bytes > context_.StepBytes() / 2 ||
         weight_bytes > cycles * column_tiles * hardware.dram_bytes_per_cycle))
      return;
    const int64_t pieces = std::clamp<int64_t>(cycles / kPieceCycles, 2, most_pieces);
    int32_t& extent = tile_.rows > 1 ? tile_.rows : tile_.cols;
    const int64_t part = Count(extent, I(pieces));
    if (tile_.rows > 1) {
      if (part < extent && pixels / extent * part >= least_pixels) extent = I(part);
    } else {
      extent = I(std::min<int64_t>(extent, std::max(part, least_pixels)));
    }
  }

  std::optional<ConvBlock> ChooseBlock() const {
    if (!stream_x_ || widened_.pixels > 1 || context_.in_strips() || !conv_.part.is_whole())
      return std::nullopt;
    return ChooseConvBlock(conv_, context_.StepBytes(), ImageBytes(), context_.hardware());
  }

  // Columns that take a tile of pixels before the next tile comes. If the image is there for all of
  // them, weights that do not stay come once this way.
  std::vector<ColumnGroup> Groups(int64_t budget) const {
    size_t tiles = Weights().tiles.size();
    if (block_) {
      tiles = static_cast<size_t>(block_->column_tiles);
    } else if (!keep_weights_ && !stream_x_ &&
               LargestTileBytes(Weights(), conv_, context_.hardware()) <= budget / 2) {
      tiles = 1;
    }
    if (conv_.end_out == 0) return GroupColumns(Weights(), tiles);
    const auto tiles_before = [&](int32_t col) {
      const auto& all = Weights().tiles;
      return static_cast<size_t>(std::count_if(
          all.begin(), all.end(), [&](const ColumnTile& tile) { return tile.first_col < col; }));
    };
    return GroupColumns(Weights(), tiles, tiles_before(conv_.first_out),
                        tiles_before(conv_.end_out));
  }

  // A tile's result that goes to DRAM by the array's columns wastes what they leave of a burst, so
  // that a smaller tile, of which all columns fit, may be better.
  void ShrinkToWholePixels(int32_t cols) {
    const Hardware& hardware = context_.hardware();
    const int32_t used_cols = UsedColumns(conv_, hardware);
    const int64_t run = used_cols * widened_.y_bytes;
    if (!result_.streams() || cols <= used_cols || run >= hardware.dram_burst_bytes) return;
    const auto fits = [&](const ConvTile& tile) {
      return result_.TileBytes({0, 0, 0, tile.rows, tile.cols}, cols) <= WholeTileBytes();
    };
    ConvTile tile = tile_;
    while (!fits(tile) && tile.rows > 1) tile.rows = (tile.rows + 1) / 2;
    while (!fits(tile) && tile.cols > 1) tile.cols = (tile.cols + 1) / 2;
    const int64_t bytes = result_.Bytes();
    if (Cycles(tile, bytes) < Cycles(tile_, bytes * hardware.dram_burst_bytes / run)) tile_ = tile;
  }
  // Of all tiles, if so many bytes are stored.
  int64_t Cycles(const ConvTile& tile, int64_t stored_bytes) const {
    const int64_t image = stream_x_ ? context_.value(conv_.x).Bytes() : 0;
    const ArrayFeed feed = FeedOf(conv_, widened_.pixels, context_.hardware());
    return EstimateCycles({.tiles = Tiles(tile),
                           .pixels = int64_t{tile.rows} * tile.cols,
                           .folds = static_cast<int64_t>(Weights().folds.size()),
                           .column_tiles = static_cast<int64_t>(Weights().tiles.size()),
                           .row_cycles = feed.row_cycles},
                          image + stored_bytes, context_.hardware());
  }
  int64_t WholeTileBytes() const { return context_.StepBytes() / 4; }

  int64_t Tiles(const ConvTile& tile) const {
    return int64_t{Geometry().batches} * Count(Geometry().h.out, tile.rows) *
           (Count(widened_.whole_cols, tile.cols) + (widened_.back > 0 ? 1 : 0));
  }

  template <class Visit>
  void ForEachTile(Visit&& visit) {
    const WindowGeometry& g = Geometry();
    for (int32_t b = 0; b < g.batches; ++b) {
      for (int32_t y = 0; y < g.h.out; y += tile_.rows) {
        const int32_t rows = std::min(tile_.rows, g.h.out - y);
        const int32_t whole = widened_.whole_cols;
        for (int32_t x = 0; x < whole; x += tile_.cols)
          visit(OutputTile{b, y, x, rows, std::min(tile_.cols, whole - x)});
        if (widened_.back > 0) visit(OutputTile{b, y, whole, rows, 1, widened_.back});
      }
    }
  }

  void RunTile(const OutputTile& tile, const ColumnGroup& group) {
    const int64_t bytes = result_.TileBytes(tile, group.cols);
    const bool whole = result_.streams() && bytes <= WholeTileBytes();
    const int64_t buffer = whole ? context_.BeginStep(bytes) : kNoBuffer;
    image_.BeginTile();
    drain_.BeginTile(tile, group.first_col, group.cols, WholeTileBytes());
    if (block_) {
      RunSlices(tile, group, buffer);
    } else {
      for (size_t i = group.begin; i < group.end; ++i) {
        const ColumnSums sums = BeginColumns(tile, i, group, buffer);
        for (size_t fold = 0; fold < Weights().folds.size(); ++fold) Multiply(tile, sums, fold);
        EndColumns(tile, sums);
      }
    }
    if (whole) result_.StoreTile(tile, group.first_col, group.cols, buffer);
  }

  // All columns take a slice of the channels before the next slice comes.
  void RunSlices(const OutputTile& tile, const ColumnGroup& group, int64_t buffer) {
    std::vector<ColumnSums> all;
    for (size_t i = group.begin; i < group.end; ++i)
      all.push_back(BeginColumns(tile, i, group, buffer));
    const std::vector<Fold>& folds = Weights().folds;
    for (size_t first = 0, end = 0; first < folds.size(); first = end) {
      const int32_t slice = folds[first].c0 / tile_.channels;
      while (end < folds.size() && folds[end].c0 / tile_.channels == slice) ++end;
      for (const ColumnSums& sums : all) {
        for (size_t fold = first; fold < end; ++fold) Multiply(tile, sums, fold);
      }
    }
    for (const ColumnSums& sums : all) EndColumns(tile, sums);
  }

  // Rows whose last pixels are a tile of their own are stored with that.
  void StoreResident(const OutputTile& tile) {
    if (widened_.back == 0 || tile_.cols < widened_.whole_cols) return result_.StoreResident(tile);
    if (tile.back > 0) result_.StoreResident({tile.batch, tile.y, 0, tile.rows, Geometry().w.out});
  }

  // A column tile of which a tile of pixels is summed up.
  struct ColumnSums {
    const ColumnTile* columns;
    ResultTile result;
    bool stored_alone;  // in a buffer of its own
    int64_t accumulators;
    int64_t records;
  };

  // `buffer`: for the group's columns of the tile, or kNoBuffer.
  ColumnSums BeginColumns(const OutputTile& tile, size_t index, const ColumnGroup& group,
                          int64_t buffer) {
    const ColumnTile& columns = Weights().tiles[index];
    const ResultTile result = PlaceResult(tile, columns, group, buffer);
    const int64_t acc_rows = int64_t{tile.rows} * tile.cols * (conv_.dtype == Dtype::kI16 ? 2 : 1);
    const int64_t acc = context_.NextAccumulators(acc_rows);
    // The records' chunk comes first, since the folds' chunks follow it.
    return {&columns, result, result_.streams() && buffer == kNoBuffer, acc,
            conv_.scales_and_biases == kNoValue ? ChunkAddress(columns.records)
                                                : drain_.RecordsAt(columns.first_col)};
  }

  void EndColumns(const OutputTile& tile, const ColumnSums& sums) {
    const ColumnTile& columns = *sums.columns;
    drain_.Append({tile, columns.first_col, columns.cols, sums.accumulators, sums.records},
                  sums.result);
    if (sums.stored_alone)
      result_.StoreTile(tile, columns.first_col, columns.cols, sums.result.base);
  }

  ResultTile PlaceResult(const OutputTile& tile, const ColumnTile& columns,
                         const ColumnGroup& group, int64_t buffer) {
    if (!result_.streams()) return result_.InValue(tile, columns.first_col);
    if (buffer == kNoBuffer) {
      return result_.InBuffer(tile, columns.cols,
                              context_.BeginStep(result_.TileBytes(tile, columns.cols)));
    }
    return result_.InBuffer(tile, group.cols,
                            buffer + (columns.first_col - group.first_col) * widened_.y_bytes);
  }

  int64_t ChunkAddress(const ChunkPlace& place) {
    const auto chunk = static_cast<size_t>(place.chunk);
    if (chunk_at_[chunk] < 0) {
      const WeightChunk& weights = Weights().chunks[chunk];
      chunk_at_[chunk] = context_.LoadConstant(packed_->homes[chunk], weights.SizeBytes(),
                                               keep_weights_, weights.int4);
    }
    return chunk_at_[chunk] + place.offset_bytes;
  }

  void Multiply(const OutputTile& tile, const ColumnSums& sums, size_t fold_index) {
    const Fold& fold = Weights().folds[fold_index];
    const ColumnTile& columns = *sums.columns;
    const InputTile input = image_.Place(tile, fold.c0);
    const bool joined = fold.joined;
    const WindowGeometry& g = Geometry();
    const Dtype weight = conv_.dtype == Dtype::kI16 ? Dtype::kI8 : conv_.dtype;
    const int64_t weight_bytes = SizeBytes(weight);
    const int64_t plane = ChunkAddress(columns.planes[fold_index]);
    context_.Append({.config = {isa::MType{.act = conv_.dtype,
                                           .weight = weight,
                                           .act_zp = conv_.act_zp,
                                           .weight_zp = conv_.weight_zp,
                                           .holes = HasHoles(conv_, widened_.pixels)},
                                isa::MConvInput{.in_h = U(input.rows),
                                                .in_w = U(input.cols),
                                                .row_stride = I(input.row_stride_bytes),
                                                .pixel_stride = I(input.pixel_stride_bytes)},
                                isa::MConvWindow{.taps_h = U(fold.taps_h),
                                                 .taps_w = U(joined ? 1 : fold.taps_w),
                                                 .channels = U(joined ? fold.taps_w * fold.channels
                                                                      : fold.channels),
                                                 .stride_h = U(g.h.stride),
                                                 .stride_w = U(g.w.stride),
                                                 .dilation_h = U(g.h.dilation),
                                                 .dilation_w = U(g.w.dilation)}},
                     .weights = isa::MLoadW{.addr = U(plane),
                                            .k = U(fold.depth()),
                                            .n = U(columns.cols),
                                            .k_stride = I(columns.cols * weight_bytes),
                                            .n_stride = I(weight_bytes)},
                     .work = isa::MConv{.addr = U(input.base),
                                        .acc = U(sums.accumulators),
                                        .y0 = input.y0 + fold.ky * g.h.dilation,
                                        .x0 = input.x0 + fold.kx * g.w.dilation,
                                        .out_h = U(tile.rows),
                                        .out_w = U(tile.cols),
                                        .swap = true,
                                        .accumulate = fold_index > 0}});
  }

  static constexpr int64_t kNoBuffer = -1;
  const std::string key_;
  const Conv conv_;  // of cut pixels
  LoweringContext& context_;
  WidenedConv widened_;
  bool stream_x_;
  std::optional<ConvBlock> block_;
  ConvTile tile_;  // in the widened kernel's pixels
  ConvImage image_;
  ConvResult result_;
  ConvDrain drain_;
  std::shared_ptr<const PackedConv> packed_;
  std::vector<int64_t> chunk_at_;  // -1: not in the scratchpad
  bool keep_weights_ = true;
};

}  // namespace

Expected<void> Conv::Lower(ValueId output, LoweringContext& context) const {
  if (const auto dot = AsDot(*this, context.network(), context.hardware()))
    return LowerDot(*dot, output, context);
  std::string key = KeyOfStrips();
  std::shared_ptr<const PixelPlan>& plan = context.PixelsFor(key);
  if (plan == nullptr) {
    plan = std::make_shared<PixelPlan>(end_out > 0 ? PixelPlan{}
                                                   : PlanPixels(*this, context.hardware()));
  }
  ConvLowering(*this, *plan, std::move(key), output, context).Run();
  return {};
}

}  // namespace acme::compiler

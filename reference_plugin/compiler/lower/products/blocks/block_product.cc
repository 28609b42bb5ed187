// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of rows; for each, column tiles of the array; for each, groups of blocks. The blocks of a
// group are multiplied and drained side by side, and one reduction adds them to the groups before.

#include "reference_plugin/compiler/lower/products/blocks/block_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "reference_plugin/compiler/arithmetic/packed_int4.h"
#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"

namespace acme::compiler {
namespace {

constexpr int64_t kSumBytes = sizeof(float);

int32_t Count(int32_t extent, int32_t step) { return (extent + step - 1) / step; }

// Shares of a step; two tiles are in work at a time.
int64_t SumShare(int64_t step_bytes) { return step_bytes / 6; }
int64_t RowShare(int64_t step_bytes) { return step_bytes / 8; }
int64_t PlaneShare(int64_t step_bytes) { return step_bytes / 8; }
int64_t ScaleShare(int64_t step_bytes) { return step_bytes / 32; }

// Constants, and where they stand while the scratchpad has them.
struct Loadable {
  DramPlace home;
  int64_t bytes = 0;  // in the scratchpad
  int64_t at = -1;
};

// Units of the result that the array computes side by side.
struct Column {
  int32_t first = 0;
  int32_t cols = 0;
  std::vector<Loadable> scales;  // of so many blocks each, [block][cols] of f32
  std::vector<Loadable> planes;  // the weights of so many folds each, [k][cols]
};

class BlockProductLowering {
 public:
  BlockProductLowering(const BlockProduct& product, ValueId output, LoweringContext& context)
      : product_(product),
        output_(output),
        context_(context),
        weights_(context.value(product.w).constant),
        tile_(ChooseBlockProductTile(product, context.StepBytes(), context.ChunkBytes(),
                                     context.hardware())),
        folds_(Count(product.block, tile_.fold)) {}

  void Run() {
    int64_t total_bytes = 0;
    for (int32_t first = 0; first < product_.units; first += tile_.cols) {
      columns_.push_back(Pack(first));
      for (const Loadable& planes : columns_.back().planes) total_bytes += planes.bytes;
      for (const Loadable& scales : columns_.back().scales) total_bytes += scales.bytes;
    }
    // What one tile of rows has read is there for the next, or comes again.
    const bool keeps = total_bytes <= context_.StepBytes() / 8;
    for (int32_t row = 0; row < product_.rows; row += tile_.rows) {
      const int32_t rows = std::min(tile_.rows, product_.rows - row);
      for (Column& column : columns_) {
        RunColumn(row, rows, column);
        if (!keeps) Forget(column);
      }
    }
  }

 private:
  static void Forget(Column& column) {
    for (Loadable& scales : column.scales) scales.at = -1;
    for (Loadable& planes : column.planes) planes.at = -1;
  }

  // -- Constants ------------------------------------------------------------------------------------

  Column Pack(int32_t first) {
    Column column{.first = first, .cols = std::min(tile_.cols, product_.units - first)};
    const int32_t blocks = product_.Blocks();
    for (int32_t block = 0; block < blocks; block += tile_.scaled)
      PackScales(block, std::min(block + tile_.scaled, blocks), column);
    for (int32_t plane = 0; plane < blocks * folds_; plane += tile_.planes)
      PackPlanes(plane, std::min(plane + tile_.planes, blocks * folds_), column);
    return column;
  }

  void PackScales(int32_t begin, int32_t end, Column& column) {
    const uint8_t* scales = context_.value(product_.scales).constant.data();
    std::vector<uint8_t> bytes;
    for (int32_t block = begin; block < end; ++block) {
      for (int32_t c = 0; c < column.cols; ++c) {
        const int64_t index = int64_t{column.first + c} * product_.Blocks() + block;
        const uint8_t* scale = scales + index * kSumBytes;
        bytes.insert(bytes.end(), scale, scale + kSumBytes);
      }
    }
    column.scales.push_back({context_.constants().Add(bytes), static_cast<int64_t>(bytes.size())});
  }

  void PackPlanes(int32_t begin, int32_t end, Column& column) {
    std::vector<uint8_t> weights;
    for (int32_t plane = begin; plane < end; ++plane) {
      const int32_t first = FirstOf(plane);
      for (int32_t k = first; k < first + DepthOf(plane); ++k) {
        for (int32_t c = 0; c < column.cols; ++c) {
          const int64_t elem = int64_t{column.first + c} * product_.depth + k;
          weights.push_back(Int4BitsAt(weights_, elem));
        }
      }
    }
    PackInt4(weights);
    const auto elems = static_cast<int64_t>(weights.size()) * 2;
    column.planes.push_back({context_.constants().Add(weights), elems});
  }

  int64_t AddressOf(Loadable& constant, bool int4) {
    if (constant.at < 0)
      constant.at = context_.LoadConstant(constant.home, constant.bytes, /*keep=*/false, int4);
    return constant.at;
  }

  // -- Planes: the folds of all blocks, numbered in the order of the sum ----------------------------

  int32_t DepthOf(int32_t plane) const {
    return std::min(tile_.fold, product_.block - plane % folds_ * tile_.fold);
  }
  // In the sum.
  int32_t FirstOf(int32_t plane) const {
    return plane / folds_ * product_.block + plane % folds_ * tile_.fold;
  }

  int64_t PlaneAddress(Column& column, int32_t plane) {
    const int32_t piece = plane / tile_.planes;
    return AddressOf(column.planes[static_cast<size_t>(piece)], /*int4=*/true) +
           int64_t{FirstOf(plane) - FirstOf(piece * tile_.planes)} * column.cols;
  }
  int64_t ScalesAddress(Column& column, int32_t block) {
    return AddressOf(column.scales[static_cast<size_t>(block / tile_.scaled)], /*int4=*/false) +
           int64_t{block % tile_.scaled} * column.cols * kSumBytes;
  }

  // -- Tasks ----------------------------------------------------------------------------------------

  void RunColumn(int32_t row, int32_t rows, Column& column) {
    const OperandLayout layout{output_, {1, product_.units, 0, 0}};
    const Extent4 origin = {column.first, row, 0, 0};
    const Extent4 box = {column.cols, rows, 1, 1};
    const int64_t bytes = StepBytesOf(layout, box, context_);
    const ScratchpadBox result =
        ResultBox(layout, origin, box, bytes > 0 ? context_.BeginStep(bytes) : 0, context_);
    const int64_t sum_bytes = int64_t{rows} * column.cols * kSumBytes;
    const auto buffer = [&](int32_t sums) {
      return ScratchpadBox{context_.BeginStep(sums * sum_bytes),
                           {I(kSumBytes), I(column.cols * kSumBytes), 0, 0}};
    };
    const int32_t blocks = product_.Blocks();
    ScratchpadBox sums;  // of a group's blocks, behind that of all blocks before
    for (int32_t first = 0, end = 0; first < blocks; first = end) {
      end = std::min(first + tile_.blocks, blocks);
      const int32_t parts = end - first + (first > 0 ? 1 : 0);
      // The sum so far goes to the head of the next group's buffer, whose sums are added to it.
      const ScratchpadBox to =
          end == blocks ? result : buffer(std::min(tile_.blocks, blocks - end) + 1);
      if (first == 0) sums = parts > 1 ? buffer(parts) : to;
      ScratchpadBox part = sums;
      if (first > 0) part.offset += sum_bytes;
      for (int32_t block = first; block < end; ++block, part.offset += sum_bytes)
        RunBlock(ReadRows(row, rows, first, end), rows, column, block, part);
      if (parts > 1) AddUp(sums, sum_bytes, {column.cols, rows, parts, 1}, to);
      sums = to;
    }
    StoreBox(layout, origin, box, result, context_);
  }

  // Rows of x as if they began with place 0 of the sum; blocks [begin, end) are there.
  ScratchpadBox ReadRows(int32_t row, int32_t rows, int32_t begin, int32_t end) {
    const Extent4 origin = {tile_.whole_depth ? 0 : begin * product_.block, row, 0, 0};
    const int32_t depth = tile_.whole_depth ? product_.depth : (end - begin) * product_.block;
    if (x_origin_ != origin) {
      const OperandLayout layout{product_.x, {1, product_.depth, 0, 0}};
      const Extent4 box = {depth, rows, 1, 1};
      const int64_t bytes = StepBytesOf(layout, box, context_);
      x_ = ReadBox(layout, origin, box, bytes > 0 ? context_.BeginStep(bytes) : 0, context_);
      x_origin_ = origin;
    }
    ScratchpadBox from = x_;
    // An element is a byte.
    from.offset -= origin[0];
    return from;
  }

  // One block, to where its scaled sums go.
  void RunBlock(const ScratchpadBox& x, int32_t rows, Column& column, int32_t block,
                const ScratchpadBox& to) {
    const int64_t scales = ScalesAddress(column, block);
    const int64_t acc = context_.NextAccumulators(rows);
    for (int32_t plane = block * folds_; plane < (block + 1) * folds_; ++plane) {
      Task task;
      task.config = {isa::MType{.act = Dtype::kI8, .weight = Dtype::kI8}};
      task.weights = isa::MLoadW{.addr = U(PlaneAddress(column, plane)),
                                 .k = U(DepthOf(plane)),
                                 .n = U(column.cols),
                                 .k_stride = column.cols,
                                 .n_stride = 1};
      task.work = isa::MStream{.addr = U(x.offset + FirstOf(plane)),
                               .acc = U(acc),
                               .m = U(rows),
                               .row_stride = x.stride_bytes[1],
                               .swap = true,
                               .accumulate = plane > block * folds_};
      context_.Append(std::move(task));
    }
    context_.Append(
        {.config = {isa::VQuant{.view = View::kDst, .rounding = Rounding::kDouble},
                    OpenClamp(Dtype::kF32), isa::VParams{.record_stride = I(kSumBytes)},
                    ShapeConfig({column.cols, rows, 1, 1}),
                    ViewConfig(View::kDst, {to.stride_bytes[0], to.stride_bytes[1], 0, 0})},
         .work = isa::VDrain{.acc = U(acc),
                             .dst = U(to.offset),
                             .params = U(scales),
                             .acc_type = Dtype::kI32,
                             .out = Dtype::kF32}});
  }

  // extent: columns, rows, and parts that stand one behind the other.
  void AddUp(const ScratchpadBox& parts, int64_t part_bytes, const Extent4& extent,
             const ScratchpadBox& to) {
    constexpr uint32_t kOverParts = 1 << 2;
    context_.Append(
        {.config = {OpenClamp(Dtype::kF32), ShapeConfig(extent),
                    ViewConfig(View::kDst, {to.stride_bytes[0], to.stride_bytes[1], 0, 0}),
                    ViewConfig(View::kA,
                               {parts.stride_bytes[0], parts.stride_bytes[1], I(part_bytes), 0}),
                    isa::VQuant{.view = View::kA},
                    isa::VQuant{.view = View::kDst, .rounding = Rounding::kDouble}},
         .work = isa::VReduce{.op = ReduceOp::kSum,
                              .dims = kOverParts,
                              .dtype = Dtype::kF32,
                              .out = Dtype::kF32,
                              .dst = U(to.offset),
                              .a = U(parts.offset)}});
  }

  const BlockProduct& product_;
  ValueId output_;
  LoweringContext& context_;
  std::span<const uint8_t> weights_;
  BlockProductTile tile_;
  int32_t folds_;  // of a block
  std::vector<Column> columns_;
  ScratchpadBox x_;
  Extent4 x_origin_ = {-1, -1, -1, -1};
};

}  // namespace

LayerWork BlockProduct::Work(const Network& network, ValueId output) const {
  const auto elems = static_cast<uint64_t>(network.value(output).Elems());
  return {.macs = elems * static_cast<uint64_t>(depth), .vector_elems = elems, .dtype = Dtype::kI8};
}

std::string BlockProduct::Describe() const {
  return fmt::format("product {}x{} by {} units in blocks of {} x v{} w v{} sums times v{}", rows,
                     depth, units, block, x, w, scales);
}

Expected<void> BlockProduct::Lower(ValueId output, LoweringContext& context) const {
  BlockProductLowering(*this, output, context).Run();
  return {};
}

BlockProductTile ChooseBlockProductTile(const BlockProduct& product, int64_t step_bytes,
                                        int64_t chunk_bytes, const Hardware& hardware) {
  constexpr int32_t kMostRows = 2047;  // of the instructions' fields
  constexpr int32_t kUsualBlocks = 4;  // enough that adding them up is not most of the work
  const int32_t blocks = product.Blocks();
  BlockProductTile tile;
  tile.cols = std::min(product.units, static_cast<int32_t>(hardware.array_cols));
  tile.fold = std::min(product.block, static_cast<int32_t>(hardware.array_rows));
  const int64_t guaranteed = GuaranteedStepBytes(hardware);
  while (int64_t{tile.fold} * tile.cols > PlaneShare(guaranteed) && tile.cols > 1)
    tile.cols = (tile.cols + 1) / 2;
  const int64_t sum_row_bytes = tile.cols * kSumBytes;
  const int64_t plane_bytes = std::min(chunk_bytes, PlaneShare(guaranteed));
  tile.planes = I(std::max<int64_t>(1, plane_bytes / (int64_t{tile.fold} * tile.cols)));
  tile.scaled = I(std::max<int64_t>(1, ScaleShare(guaranteed) / sum_row_bytes));
  // A piece begins with a block where it can.
  const int32_t folds = Count(product.block, tile.fold);
  if (tile.planes > folds) tile.planes = tile.planes / folds * folds;

  tile.rows = I(std::min<int64_t>(
      {product.rows, kMostRows, std::max<int64_t>(1, hardware.accumulator_rows / 2)}));
  const int64_t sums = std::min(blocks, kUsualBlocks) + 1;
  while (tile.rows > 1 && (tile.rows * sum_row_bytes * sums > SumShare(step_bytes) ||
                           int64_t{tile.rows} * product.block > RowShare(step_bytes)))
    tile.rows = (tile.rows + 1) / 2;
  tile.whole_depth = int64_t{tile.rows} * product.depth <= RowShare(step_bytes);
  int64_t most = std::min<int64_t>(blocks, SumShare(step_bytes) / (tile.rows * sum_row_bytes) - 1);
  if (!tile.whole_depth)
    most = std::min(most, RowShare(step_bytes) / (int64_t{tile.rows} * product.block));
  tile.blocks = I(std::max<int64_t>(1, most));
  return tile;
}

bool BlockProductFits(const BlockProduct& product, const Hardware& hardware) {
  const int64_t step = GuaranteedStepBytes(hardware);
  const BlockProductTile tile = ChooseBlockProductTile(product, step, step, hardware);
  const int64_t sum_row_bytes = tile.cols * kSumBytes;
  const int64_t depth = tile.whole_depth ? product.depth : int64_t{tile.blocks} * product.block;
  return tile.rows * sum_row_bytes * (tile.blocks + 1) <= SumShare(step) &&
         tile.rows * depth <= RowShare(step) &&
         int64_t{tile.fold} * tile.cols <= PlaneShare(step) && sum_row_bytes <= ScaleShare(step);
}

}  // namespace acme::compiler

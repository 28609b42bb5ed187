// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Column tiles of the array; for each, tiles of rows; for each, the folds of the sum, then a drain.
// What b holds is loaded as weights from where it stands, by strides if it is transposed.

#include "reference_plugin/compiler/lower/products/matmul.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/dma_transfer.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"
#include "simulator/timing/access_words.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
namespace {

// What is streamed is often there last, and weights can be loaded before: an exchange must save so
// much that it does not matter.
constexpr int64_t kExchangedPercent = 70;
constexpr int64_t kParts = 8;  // of a step: a, b, y and records of two tiles

// A part of an operand that stays in the scratchpad as long as tiles in a row read it.
struct LoadedPart {
  int64_t base_elems = -1;
  Extent4 origin = {};
  ScratchpadBox box;
};

// Part of one matrix of y.
struct Tile {
  MatMul::Product product;
  int32_t row = 0;
  int32_t col = 0;
  int32_t rows = 1;
  int32_t cols = 1;
};

class MatMulLowering {
 public:
  MatMulLowering(const MatMul& matmul, ValueId output, LoweringContext& context)
      : matmul_(matmul),
        output_(output),
        context_(context),
        elem_(SizeBytes(matmul.dtype)),
        wide_(matmul.dtype == Dtype::kI16),
        tile_(ChooseMatMulTile(matmul, context.StepBytes() / kParts, context.hardware())) {}

  void Run() {
    std::vector<uint8_t> records;
    for (int32_t i = 0; i < tile_.cols; ++i)
      AppendRecord(matmul_.requantize, nullptr, 0, matmul_.dtype, records);
    const auto record_bytes = static_cast<int64_t>(records.size());
    records_ = context_.LoadConstant(context_.constants().Add(std::move(records)), record_bytes,
                                     /*keep=*/true);
    for (const MatMul::Product& product : matmul_.products) {
      for (int32_t col = 0; col < matmul_.cols; col += tile_.cols) {
        for (int32_t row = 0; row < matmul_.rows; row += tile_.rows) {
          RunTile({product, row, col, std::min(tile_.rows, matmul_.rows - row),
                   std::min(tile_.cols, matmul_.cols - col)});
        }
      }
    }
  }

 private:
  void RunTile(const Tile& tile) {
    const int64_t acc = context_.NextAccumulators(AccumulatorRows(tile));
    for (int32_t k = 0; k < matmul_.depth; k += tile_.depth) {
      const int32_t depth = std::min(tile_.depth, matmul_.depth - k);
      const ScratchpadBox a = ReadA(tile, k, depth);
      const ScratchpadBox b = ReadB(tile, k, depth);
      const auto fold = static_cast<int32_t>(context_.hardware().array_rows);
      for (int32_t begin = 0; begin < depth; begin += fold)
        Multiply(tile, a, b, begin, std::min(fold, depth - begin), acc, k + begin > 0);
    }
    Drain(tile, acc);
  }

  ScratchpadBox Read(const OperandLayout& layout, const Extent4& origin, const Extent4& box,
                     LoadedPart& loaded) {
    if (loaded.base_elems == layout.base_elems && loaded.origin == origin) return loaded.box;
    const int64_t bytes = StepBytesOf(layout, box, context_);
    const int64_t step = bytes > 0 ? context_.BeginStep(bytes) : 0;
    loaded = {layout.base_elems, origin, ReadBox(layout, origin, box, step, context_)};
    return loaded.box;
  }

  ScratchpadBox ReadA(const Tile& tile, int32_t k, int32_t depth) {
    const OperandLayout layout{matmul_.a, {1, matmul_.a_row_stride, 0, 0}, tile.product.a};
    return Read(layout, {k, tile.row, 0, 0}, {depth, tile.rows, 1, 1}, a_);
  }

  ScratchpadBox ReadB(const Tile& tile, int32_t k, int32_t depth) {
    const OperandLayout layout{matmul_.b, {1, matmul_.b_row_stride, 0, 0}, tile.product.b};
    if (matmul_.b_transposed) {
      const Extent4 origin = {k, tile.col, 0, 0};
      const Extent4 box = {depth, tile.cols, 1, 1};
      const int64_t pitch = PitchElems(layout, box);
      return pitch > depth ? ReadApart(layout, origin, box, pitch, b_)
                           : Read(layout, origin, box, b_);
    }
    return Read(layout, {tile.col, k, 0, 0}, {tile.cols, depth, 1, 1}, b_);
  }

  // Columns of weights that stand as rows are read across them. Where so many words are between two
  // rows that all are in few banks, what is loaded gets one more.
  int64_t PitchElems(const OperandLayout& layout, const Extent4& box) const {
    const Hardware& hardware = context_.hardware();
    const int64_t word = hardware.scratchpad_word_bytes;
    const int64_t elem = SizeBytes(matmul_.b_dtype);
    const int64_t row_bytes = box[0] * elem;
    if (StepBytesOf(layout, box, context_) == 0 || row_bytes % word != 0 || word % elem != 0)
      return box[0];
    const int64_t banks = hardware.scratchpad_banks;
    const int64_t port_words = hardware.array_cols * hardware.weight_rows_per_cycle / word + 1;
    const bool conflicts = banks / std::gcd(banks, row_bytes / word) < port_words;
    const bool fits = (row_bytes + word) * box[1] <= context_.StepBytes() / kParts;
    return conflicts && fits ? (row_bytes + word) / elem : box[0];
  }

  // As Read, with so many elements from row to row. What is read is not in the scratchpad.
  ScratchpadBox ReadApart(const OperandLayout& layout, const Extent4& origin, const Extent4& box,
                          int64_t pitch_elems, LoadedPart& loaded) {
    if (loaded.base_elems == layout.base_elems && loaded.origin == origin) return loaded.box;
    const int64_t elem = SizeBytes(matmul_.b_dtype);
    DmaTransfer transfer{.dram = context_.DramHome(layout.value), .elem_bytes = elem};
    transfer.dram.offset_bytes +=
        (layout.base_elems + origin[0] + int64_t{origin[1]} * layout.stride_elems[1]) * elem;
    transfer.scratchpad = context_.BeginStep(pitch_elems * box[1] * elem);
    transfer.dims[0] = {box[0], 1, 1};
    transfer.dims[1] = {box[1], layout.stride_elems[1], pitch_elems};
    context_.Append(DmaTask(transfer));
    loaded = {
        layout.base_elems, origin, {transfer.scratchpad, {I(elem), I(pitch_elems * elem), 0, 0}}};
    return loaded.box;
  }

  // k in [begin, begin + depth) of the parts.
  void Multiply(const Tile& tile, const ScratchpadBox& a, const ScratchpadBox& b, int32_t begin,
                int32_t depth, int64_t acc, bool accumulate) {
    const size_t k_dim = matmul_.b_transposed ? 0 : 1;
    const int64_t weights = b.offset + int64_t{begin} * b.stride_bytes[k_dim];
    const int64_t activations = a.offset + int64_t{begin} * elem_;
    Task task;
    task.config = {isa::MType{.act = matmul_.dtype,
                              .weight = matmul_.b_dtype,
                              .act_zp = matmul_.a_zp,
                              .weight_zp = matmul_.b_zp}};
    task.weights = isa::MLoadW{.addr = U(weights),
                               .k = U(depth),
                               .n = U(tile.cols),
                               .k_stride = b.stride_bytes[k_dim],
                               .n_stride = b.stride_bytes[1 - k_dim]};
    task.work = isa::MStream{.addr = U(activations),
                             .acc = U(acc),
                             .m = U(tile.rows),
                             .row_stride = a.stride_bytes[1],
                             .swap = true,
                             .accumulate = accumulate};
    context_.Append(std::move(task));
  }

  void Drain(const Tile& tile, int64_t acc) {
    const Extent4 stride = matmul_.y_transposed ? Extent4{matmul_.y_row_stride, 1, 0, 0}
                                                : Extent4{1, matmul_.y_row_stride, 0, 0};
    const OperandLayout layout{output_, stride, tile.product.y};
    const Extent4 origin = {tile.col, tile.row, 0, 0};
    const Extent4 box = {tile.cols, tile.rows, 1, 1};
    const int64_t bytes = StepBytesOf(layout, box, context_);
    const int64_t step = bytes > 0 ? context_.BeginStep(bytes) : 0;
    const ScratchpadBox to = ResultBox(layout, origin, box, step, context_);
    const int64_t record_bytes = RecordBytes(matmul_.requantize, matmul_.dtype);
    const Requantization& requantize = matmul_.requantize;
    context_.Append(
        {.config = {isa::VQuant{.view = View::kDst,
                                .zp = requantize.out_zp,
                                .rounding = requantize.rounding},
                    isa::VClamp{.lo = requantize.clamp.lo, .hi = requantize.clamp.hi},
                    isa::VParams{.record_stride = I(record_bytes)}, ShapeConfig(box),
                    ViewConfig(View::kDst, {to.stride_bytes[0], to.stride_bytes[1], 0, 0})},
         .work = isa::VDrain{.acc = U(acc),
                             .dst = U(to.offset),
                             .params = U(records_),
                             .acc_type = matmul_.dtype == Dtype::kF32 ? Dtype::kF32
                                         : wide_                      ? Dtype::kI64
                                                                      : Dtype::kI32,
                             .out = matmul_.y_dtype}});
    StoreBox(layout, origin, box, to, context_);
  }

  const MatMul& matmul_;
  ValueId output_;
  LoweringContext& context_;
  // int16's sums take two.
  int64_t AccumulatorRows(const Tile& tile) const { return int64_t{tile.rows} * (wide_ ? 2 : 1); }

  int64_t elem_;
  bool wide_;
  MatMulTile tile_;
  int64_t records_ = 0;
  LoadedPart a_;
  LoadedPart b_;
};

int64_t LargestPartBytes(const MatMul& matmul, const MatMulTile& tile) {
  return std::max({SizeBytes(matmul.dtype) * int64_t{tile.rows} * tile.depth,
                   SizeBytes(matmul.b_dtype) * int64_t{tile.depth} * tile.cols,
                   SizeBytes(matmul.y_dtype) * int64_t{tile.rows} * tile.cols});
}

}  // namespace

void MatMul::SetDenseRows() {
  a_row_stride = depth;
  b_row_stride = b_transposed ? depth : cols;
  y_row_stride = y_transposed ? rows : cols;
}

uint64_t MatMul::ElemsRead(const Network& network, ValueId, ValueId operand) const {
  int64_t most = 0;
  const auto count = [&](ValueId read, int64_t matrix_elems, int64_t Product::*begin) {
    if (read != operand) return;
    std::set<int64_t> matrices;
    for (const Product& product : products) matrices.insert(product.*begin);
    most = std::max(most, static_cast<int64_t>(matrices.size()) * matrix_elems);
  };
  count(a, int64_t{rows} * depth, &Product::a);
  count(b, int64_t{depth} * cols, &Product::b);
  return static_cast<uint64_t>(std::min(most, network.value(operand).Elems()));
}

LayerWork MatMul::Work(const Network& network, ValueId output) const {
  const auto elems = static_cast<uint64_t>(network.value(output).Elems());
  return {.macs = elems * static_cast<uint64_t>(depth), .vector_elems = elems, .dtype = dtype};
}

std::string MatMul::Describe() const {
  std::string text =
      fmt::format("matmul {} of {}x{} by {}x{}{} {} by {} to {} a v{} zp {} b v{} zp {}",
                  products.size(), rows, depth, depth, cols, b_transposed ? " transposed" : "",
                  NameOf(dtype), NameOf(b_dtype), NameOf(y_dtype), a, a_zp, b, b_zp);
  text += fmt::format(" rows apart {} {} {}", a_row_stride, b_row_stride, y_row_stride);
  if (!requantize.scales.empty())
    text += fmt::format(" scale {}", ToString(requantize.scales.front()));
  return text + fmt::format(" out zp {} clamp {}", requantize.out_zp, ToString(requantize.clamp));
}

std::vector<ValueId> MatMul::Images() const {
  if (a_row_elems == 0) return {};
  return {a};
}

std::shared_ptr<const LayerOp> MatMul::Rows(const RowRange& result,
                                            std::span<const HeldRows> held) const {
  auto some = std::make_shared<MatMul>(*this);
  const HeldRows image = a_row_elems > 0 ? FindRows(a, held) : HeldRows{a, a, {}};
  some->a = image.value;
  if (row_of_each) {
    some->rows = result.size();
    for (Product& product : some->products)
      product.a += int64_t{result.begin - image.rows.begin} * a_row_stride;
    return some;
  }
  std::erase_if(some->products, [&](const Product& product) {
    return product.y < result.begin * row_elems || product.y >= result.end * row_elems;
  });
  for (Product& product : some->products) {
    product.y -= result.begin * row_elems;
    product.a -= image.rows.begin * a_row_elems;
  }
  return some;
}

MatMul Exchanged(const MatMul& matmul) {
  MatMul exchanged = matmul;
  std::swap(exchanged.a, exchanged.b);
  std::swap(exchanged.a_zp, exchanged.b_zp);
  std::swap(exchanged.rows, exchanged.cols);
  std::swap(exchanged.a_row_stride, exchanged.b_row_stride);
  for (MatMul::Product& product : exchanged.products) std::swap(product.a, product.b);
  exchanged.y_transposed = !matmul.y_transposed;
  return exchanged;
}

int64_t EstimateMatMul(const MatMul& matmul, bool b_is_loaded, const Hardware& hardware) {
  const auto parts = [](int64_t extent, int64_t part) { return (extent + part - 1) / part; };
  const int64_t word = hardware.scratchpad_word_bytes;
  // Elements so far apart, of which an engine takes so many words a cycle: those of other banks.
  const auto strided = [&](int64_t elems, int64_t stride_bytes, int64_t words) {
    const int64_t banks = hardware.scratchpad_banks;
    return stride_bytes % word != 0
               ? elems / words
               : elems / std::min(words, banks / std::gcd(banks, stride_bytes / word));
  };
  const int64_t folds = parts(matmul.depth, hardware.array_rows);
  const int64_t column_tiles = parts(matmul.cols, hardware.array_cols);
  const int64_t elem = SizeBytes(matmul.b_dtype);
  const int64_t port_words = hardware.array_cols * hardware.weight_rows_per_cycle / word + 1;
  // Loads put rows apart (PitchElems).
  const int64_t apart = b_is_loaded ? 1 : matmul.b_row_stride * elem;
  int64_t weights = matmul.b_transposed
                        ? strided(int64_t{matmul.depth} * matmul.cols, apart, port_words)
                        : matmul.depth * parts(matmul.cols * elem, word) / port_words;
  const int64_t shift = hardware.array_rows / hardware.weight_rows_per_cycle * elem;
  weights = std::max(weights, folds * column_tiles * shift);
  const int64_t stream =
      folds * column_tiles * matmul.rows * CyclesPerRow(matmul.dtype, matmul.b_dtype, hardware);
  const int64_t drain =
      matmul.y_transposed
          ? strided(int64_t{matmul.rows} * matmul.cols,
                    matmul.y_row_stride * SizeBytes(matmul.y_dtype), hardware.vector_write_words)
          : matmul.rows * column_tiles / hardware.accumulator_read_rows;
  // One matrix's weights, stream and drain run beside those of others.
  const auto matrices = static_cast<int64_t>(matmul.products.size());
  return (matrices - 1) * std::max({weights, stream, drain}) + weights + stream + drain;
}

int64_t PartCycles(const MatMul& matmul, const Hardware& hardware) {
  constexpr int64_t kOfOne = 32;
  return static_cast<int64_t>(matmul.products.size()) * CeilDiv(matmul.depth, hardware.array_rows) *
         CeilDiv(matmul.cols, hardware.array_cols) * kOfOne;
}

Expected<void> MatMul::Lower(ValueId output, LoweringContext& context) const {
  const Hardware& hardware = context.hardware();
  const ValuePlace& place = context.place(output);
  // The exchanged product's results stand across the rows: v.drain's strides write them so where
  // they stay in the scratchpad.
  if (b_transposed && dtype == b_dtype && place.scratchpad_offset && !place.dram) {
    const auto is_loaded = [&](const MatMul& matmul) {
      return context.value(matmul.b).is_constant() || !context.place(matmul.b).scratchpad_offset;
    };
    const MatMul exchanged = Exchanged(*this);
    const int64_t part_bytes = context.StepBytes() / kParts;
    const MatMulTile tile = ChooseMatMulTile(exchanged, part_bytes, hardware);
    if (LargestPartBytes(exchanged, tile) <= part_bytes &&
        EstimateMatMul(exchanged, is_loaded(exchanged), hardware) * 100 <
            EstimateMatMul(*this, is_loaded(*this), hardware) * kExchangedPercent) {
      MatMulLowering(exchanged, output, context).Run();
      return {};
    }
  }
  MatMulLowering(*this, output, context).Run();
  return {};
}

MatMulTile ChooseMatMulTile(const MatMul& matmul, int64_t part_bytes, const Hardware& hardware) {
  constexpr int32_t kLargestRows = 2047;  // of the instructions' fields
  constexpr int32_t kFewRows = 16;
  const auto array_rows = static_cast<int32_t>(hardware.array_rows);
  const int64_t sum_rows = matmul.dtype == Dtype::kI16 ? 2 : 1;
  const auto acc_rows = static_cast<int32_t>(
      std::clamp<int64_t>(hardware.accumulator_rows / 2 / sum_rows, 1, kLargestRows));
  MatMulTile tile{std::min(matmul.rows, acc_rows), matmul.depth,
                  std::min(matmul.cols, static_cast<int32_t>(hardware.array_cols))};
  const auto halve_depth = [&] {
    tile.depth = ((tile.depth + 1) / 2 + array_rows - 1) / array_rows * array_rows;
  };
  const int64_t elems = part_bytes / std::max({SizeBytes(matmul.dtype), SizeBytes(matmul.b_dtype),
                                               SizeBytes(matmul.y_dtype)});
  while (int64_t{tile.depth} * tile.cols > elems && tile.depth > array_rows) halve_depth();
  while (int64_t{tile.depth} * tile.cols > elems * 4 / 3 && tile.cols > 1)
    tile.cols = (tile.cols + 1) / 2;
  while (int64_t{tile.rows} * std::max(tile.depth, tile.cols) > elems && tile.rows > kFewRows)
    tile.rows = (tile.rows + 1) / 2;
  while (int64_t{tile.rows} * tile.depth > elems && tile.depth > array_rows) halve_depth();
  while (int64_t{tile.rows} * std::max(tile.depth, tile.cols) > elems && tile.rows > 1)
    tile.rows = (tile.rows + 1) / 2;
  return tile;
}

bool MatMulFits(const MatMul& matmul, const Hardware& hardware) {
  const int64_t part_bytes = GuaranteedStepBytes(hardware) / kParts;
  const MatMulTile tile = ChooseMatMulTile(matmul, part_bytes, hardware);
  // A plane may take a little more than its part before it has fewer columns.
  return LargestPartBytes(matmul, tile) <= part_bytes * 4 / 3 &&
         RecordBytes(matmul.requantize, matmul.dtype) * tile.cols <= part_bytes &&
         tile.rows * (matmul.dtype == Dtype::kI16 ? 2 : 1) <= hardware.accumulator_rows / 2;
}

}  // namespace acme::compiler

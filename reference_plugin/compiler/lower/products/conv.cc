// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of output pixels; for each, column tiles of the array; for each, the folds of the
// reduction, then a drain.

#include "reference_plugin/compiler/lower/products/conv.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/conv_weights.h"
#include "reference_plugin/compiler/lower/products/fold_plan.h"

namespace acme::compiler {
namespace {

int32_t I(int64_t value) { return static_cast<int32_t>(value); }

// Where a tile of x stands in the scratchpad.
struct InputTile {
  int64_t base = 0;  // pixel (0, 0), channel 0
  int32_t rows = 1;
  int32_t cols = 1;
  int64_t row_stride = 0;    // bytes
  int64_t pixel_stride = 0;  // bytes
  int32_t y0 = 0;            // of the first window, from the tile's first row
  int32_t x0 = 0;
};

// A tile of output pixels of one image, in the geometry of the widened kernel.
struct OutputTile {
  int32_t batch = 0;
  int32_t y = 0;
  int32_t x = 0;
  int32_t rows = 1;
  int32_t cols = 1;
};

// Where its results stand.
struct ResultPlace {
  int64_t base = 0;
  int64_t row_stride = 0;
  int64_t pixel_stride = 0;
};

class ConvLowering {
 public:
  ConvLowering(const Conv& conv, ValueId output, LoweringContext& context)
      : conv_(conv),
        output_(output),
        context_(context),
        geometry_(conv.geometry),
        elem_(SizeBytes(conv.dtype)),
        pixels_(ChoosePixelsTogether(conv, context.hardware())),
        stream_x_(!context.place(conv.x).scratchpad_offset),
        stream_y_(!context.place(output).scratchpad_offset) {
    geometry_.w.kernel += (pixels_ - 1) * geometry_.w.stride;
    geometry_.w.stride *= pixels_;
    geometry_.w.out /= pixels_;
    out_cols_ = conv.out_c * pixels_;
    part_ = conv.part;
    if (part_.x_channels == 0) part_.x_channels = conv.in_c;
    if (part_.is_whole()) {
      part_.y_rows = geometry_.h.out;
      part_.y_cols = geometry_.w.out;
      part_.y_channels = out_cols_;
    } else if (pixels_ > 1) {  // only of pixels that stand side by side
      part_.y_cols /= pixels_;
      part_.y_channels = out_cols_;
    }
  }

  void Run() {
    const int64_t budget = context_.StepBytes();
    tile_ = ChooseConvTile(conv_, stream_x_, budget / 4, context_.hardware());
    tile_.cols = std::max(1, tile_.cols / pixels_);
    weights_ = PackConvWeights(conv_, context_.network(), pixels_,
                               std::min(ChunkBytes(), budget / 8), context_.hardware());
    SplitForOverlap();
    for (const auto& chunk : weights_.chunks)
      chunk_homes_.push_back(context_.constants().Add(chunk));
    chunk_at_.assign(weights_.chunks.size(), -1);
    const int64_t tiles = int64_t{geometry_.batches} * Count(geometry_.h.out, tile_.rows) *
                          Count(geometry_.w.out, tile_.cols);
    keep_weights_ = tiles == 1 || weights_.total_bytes <= budget / 2;
    if (!keep_weights_ && !stream_x_ && LargestColumnTile() <= budget / 2) {
      RunColumnsFirst();
    } else {
      RunTilesFirst();
    }
  }

 private:
  static int64_t Count(int32_t extent, int32_t step) { return (extent + step - 1) / step; }

  // Few weights come in two parts, so that work begins while the second comes.
  int64_t ChunkBytes() const {
    constexpr int64_t kLeastBytes = 1024;
    const Value& w = context_.value(conv_.w);
    const int64_t bytes =
        (w.Bytes() + conv_.out_c * RecordBytes(conv_.requantize, conv_.dtype)) * pixels_;
    if (context_.in_strips() || bytes > context_.ChunkBytes() / 4) return context_.ChunkBytes();
    return std::max(bytes / 2 + 64, kLeastBytes);
  }

  // One tile whose weights come at once is cut in two, so that what reads the first half's results
  // runs beside the second half.
  void SplitForOverlap() {
    constexpr int64_t kLeastRows = 32;  // of the array's input: enough to hide the next weights
    if (stream_x_ || tile_.rows < geometry_.h.out || tile_.cols < geometry_.w.out) return;
    if (weights_.total_bytes > context_.ChunkBytes() || geometry_.batches > 1) return;
    const int32_t half = (tile_.rows + 1) / 2;
    if (int64_t{half} * tile_.cols >= kLeastRows && half < tile_.rows) tile_.rows = half;
  }

  int64_t LargestColumnTile() const {
    int64_t bytes = 0;
    for (const Fold& fold : weights_.folds) bytes += fold.depth();
    return (bytes * (conv_.dtype == Dtype::kF32 ? 4 : 1) + 16) * context_.hardware().array_cols;
  }

  template <class Visit>
  void ForEachTile(Visit&& visit) {
    for (int32_t b = 0; b < geometry_.batches; ++b) {
      for (int32_t y = 0; y < geometry_.h.out; y += tile_.rows) {
        for (int32_t x = 0; x < geometry_.w.out; x += tile_.cols) {
          visit(OutputTile{b, y, x, std::min(tile_.rows, geometry_.h.out - y),
                           std::min(tile_.cols, geometry_.w.out - x)});
        }
      }
    }
  }

  // Every tile takes all columns before the next: weights stay, or are loaded again.
  void RunTilesFirst() {
    context_.MakeResident(conv_.x);
    ForEachTile([&](const OutputTile& tile) {
      if (!keep_weights_) std::fill(chunk_at_.begin(), chunk_at_.end(), -1);
      const bool whole = WholeTileBuffered(tile);
      int64_t buffer =
          whole ? context_.BeginStep(int64_t{tile.rows} * tile.cols * out_cols_ * elem_) : -1;
      input_slice_ = -1;
      for (const ColumnTile& columns : weights_.tiles) RunColumns(tile, columns, buffer);
      if (whole) StoreTile(tile, 0, out_cols_, buffer);
      if (!stream_y_ && conv_.part.is_whole()) StoreResident(tile);
    });
  }

  // Every column tile takes all pixels before the next: each weight is loaded once.
  void RunColumnsFirst() {
    context_.MakeResident(conv_.x);
    for (const ColumnTile& columns : weights_.tiles) {
      ForEachTile([&](const OutputTile& tile) { RunColumns(tile, columns, -1); });
    }
    if (!stream_y_ && conv_.part.is_whole()) {
      const ValuePlace& place = context_.place(output_);
      if (place.dram) {
        context_.Store(*place.scratchpad_offset, *place.dram, context_.value(output_).Bytes());
      }
    }
  }

  bool WholeTileBuffered(const OutputTile& tile) const {
    return stream_y_ &&
           int64_t{tile.rows} * tile.cols * out_cols_ * elem_ <= context_.StepBytes() / 4;
  }

  void RunColumns(const OutputTile& tile, const ColumnTile& columns, int64_t buffer) {
    ResultPlace result = PlaceResult(tile, columns, buffer);
    const int64_t acc_rows = int64_t{tile.rows} * tile.cols * (conv_.dtype == Dtype::kI16 ? 2 : 1);
    const int64_t acc = context_.NextAccumulators(acc_rows);
    // The records' chunk comes first, since the folds' chunks follow it.
    const int64_t records = ChunkAddress(columns.records);
    for (size_t i = 0; i < weights_.folds.size(); ++i) {
      const InputTile input = PlaceInput(tile, weights_.folds[i]);
      Multiply(tile, columns, i, input, acc, acc_rows);
    }
    Drain(tile, columns, records, acc, acc_rows, result);
    if (stream_y_ && buffer < 0) StoreTile(tile, columns.first_col, columns.cols, result.base);
  }

  int64_t ChunkAddress(const ChunkPlace& place) {
    const auto chunk = static_cast<size_t>(place.chunk);
    if (chunk_at_[chunk] < 0) {
      chunk_at_[chunk] = context_.LoadConstant(
          chunk_homes_[chunk], static_cast<int64_t>(weights_.chunks[chunk].size()), keep_weights_);
    }
    return chunk_at_[chunk] + place.offset_bytes;
  }

  InputTile PlaceInput(const OutputTile& tile, const Fold& fold) {
    const WindowAxis::Span rows = geometry_.h.InputsOf(tile.y, tile.rows);
    const WindowAxis::Span cols = geometry_.w.InputsOf(tile.x, tile.cols);
    InputTile input;
    input.rows = rows.size();
    input.cols = cols.size();
    input.y0 = geometry_.h.Origin(tile.y, rows.first);
    input.x0 = geometry_.w.Origin(tile.x, cols.first);
    const int64_t pixel_bytes = int64_t{part_.x_channels} * elem_;
    const int64_t image_offset =
        ((int64_t{tile.batch} * geometry_.h.in + rows.first) * geometry_.w.in + cols.first) *
            pixel_bytes +
        part_.first_x_channel * elem_;
    if (!stream_x_) {
      input.base = *context_.place(conv_.x).scratchpad_offset + image_offset + fold.c0 * elem_;
      input.pixel_stride = pixel_bytes;
      input.row_stride = geometry_.w.in * pixel_bytes;
      return input;
    }
    const int32_t slice = fold.c0 / tile_.channels;
    const int32_t channels = std::min(tile_.channels, conv_.in_c - slice * tile_.channels);
    if (slice != input_slice_) {
      input_slice_ = slice;
      input_at_ = context_.BeginStep(int64_t{input.rows} * input.cols * channels * elem_);
      LoadInput(image_offset + int64_t{slice} * tile_.channels * elem_, input.rows, input.cols,
                channels);
    }
    input.base = input_at_ + int64_t{fold.c0 - slice * tile_.channels} * elem_;
    input.pixel_stride = int64_t{channels} * elem_;
    input.row_stride = input.pixel_stride * input.cols;
    return input;
  }

  void LoadInput(int64_t offset, int32_t rows, int32_t cols, int32_t channels) {
    DramPlace from = context_.DramHome(conv_.x);
    from.offset_bytes += offset;
    const int64_t pixel_bytes = int64_t{part_.x_channels} * elem_;
    const int64_t bytes = int64_t{rows} * cols * channels * elem_;
    if (channels == part_.x_channels && (cols == geometry_.w.in || rows == 1)) {
      context_.Load(from, input_at_, bytes);
      return;
    }
    Task task;
    task.config = {isa::LdShape{.n0 = U(channels), .n1 = U(cols), .n2 = U(rows), .n3 = 1},
                   isa::LdDramStride{.s1 = I(pixel_bytes), .s2 = I(geometry_.w.in * pixel_bytes)},
                   isa::LdSpmStride{.s0 = I(elem_),
                                    .s1 = I(int64_t{channels} * elem_),
                                    .s2 = I(int64_t{channels} * cols * elem_)}};
    task.work = isa::LdNd{.binding = from.binding,
                          .dram = U(from.offset_bytes),
                          .spm = U(input_at_),
                          .elem_bytes = U(elem_)};
    const int64_t last = (int64_t{rows - 1} * geometry_.w.in + cols - 1) * pixel_bytes;
    task.reads = {DramRegion(from.binding, from.offset_bytes, last + channels * elem_)};
    task.writes = {ScratchpadRegion(input_at_, bytes)};
    context_.Append(std::move(task));
  }

  void Multiply(const OutputTile& tile, const ColumnTile& columns, size_t fold_index,
                const InputTile& input, int64_t acc, int64_t acc_rows) {
    const Fold& fold = weights_.folds[fold_index];
    const Dtype weight = conv_.dtype == Dtype::kI16 ? Dtype::kI8 : conv_.dtype;
    const int64_t weight_bytes = SizeBytes(weight);
    const int64_t plane = ChunkAddress(columns.planes[fold_index]);
    Task task;
    task.config = {isa::MType{.act = conv_.dtype,
                              .weight = weight,
                              .act_zp = conv_.act_zp,
                              .weight_zp = conv_.weight_zp},
                   isa::MConvInput{.in_h = U(input.rows),
                                   .in_w = U(input.cols),
                                   .row_stride = I(input.row_stride),
                                   .pixel_stride = I(input.pixel_stride)},
                   isa::MConvWindow{.taps_h = U(fold.taps_h),
                                    .taps_w = U(fold.taps_w),
                                    .channels = U(fold.channels),
                                    .stride_h = U(geometry_.h.stride),
                                    .stride_w = U(geometry_.w.stride),
                                    .dilation_h = U(geometry_.h.dilation),
                                    .dilation_w = U(geometry_.w.dilation)}};
    task.weights = isa::MLoadW{.addr = U(plane),
                               .k = U(fold.depth()),
                               .n = U(columns.cols),
                               .k_stride = I(columns.cols * weight_bytes),
                               .n_stride = I(weight_bytes)};
    task.work = isa::MConv{.addr = U(input.base),
                           .acc = U(acc),
                           .y0 = input.y0 + fold.ky * geometry_.h.dilation,
                           .x0 = input.x0 + fold.kx * geometry_.w.dilation,
                           .out_h = U(tile.rows),
                           .out_w = U(tile.cols),
                           .swap = true,
                           .accumulate = fold_index > 0};
    task.reads = {ScratchpadRegion(plane, int64_t{fold.depth()} * columns.cols * weight_bytes),
                  ScratchpadRegion(input.base, (input.rows - 1) * input.row_stride +
                                                   (input.cols - 1) * input.pixel_stride +
                                                   fold.channels * elem_)};
    task.writes = {AccumulatorRegion(acc, acc_rows)};
    context_.Append(std::move(task));
  }

  ResultPlace PlaceResult(const OutputTile& tile, const ColumnTile& columns, int64_t buffer) {
    ResultPlace result;
    if (stream_y_) {
      const int32_t cols = buffer < 0 ? columns.cols : out_cols_;
      result.base = buffer < 0 ? context_.BeginStep(int64_t{tile.rows} * tile.cols * cols * elem_)
                               : buffer + columns.first_col * elem_;
      result.pixel_stride = cols * elem_;
      result.row_stride = result.pixel_stride * tile.cols;
      return result;
    }
    result.pixel_stride = PixelBytes() * part_.col_step;
    result.row_stride = PixelBytes() * part_.y_cols * part_.row_step;
    result.base = *context_.place(output_).scratchpad_offset + Offset(tile, columns.first_col);
    return result;
  }

  int64_t PixelBytes() const { return part_.y_channels * elem_; }

  // Bytes from the value's beginning.
  int64_t Offset(const OutputTile& tile, int32_t col) const {
    const int64_t row =
        int64_t{tile.batch} * part_.y_rows + part_.first_row + int64_t{tile.y} * part_.row_step;
    const int64_t pixel = row * part_.y_cols + part_.first_col + int64_t{tile.x} * part_.col_step;
    return pixel * PixelBytes() + (part_.first_channel + col) * elem_;
  }

  void Drain(const OutputTile& tile, const ColumnTile& columns, int64_t records, int64_t acc,
             int64_t acc_rows, const ResultPlace& result) {
    const int64_t record_bytes = RecordBytes(conv_.requantize, conv_.dtype);
    const Dtype acc_type = conv_.dtype == Dtype::kF32   ? Dtype::kF32
                           : conv_.dtype == Dtype::kI16 ? Dtype::kI64
                                                        : Dtype::kI32;
    Task task;
    task.config = {
        isa::VQuant{.view = View::kDst,
                    .zp = conv_.requantize.out_zp,
                    .rounding = conv_.requantize.rounding},
        isa::VClamp{.lo = conv_.requantize.clamp.lo, .hi = conv_.requantize.clamp.hi},
        isa::VParams{.record_stride = I(record_bytes)},
        isa::VShape{.n0 = U(columns.cols), .n1 = U(tile.cols), .n2 = U(tile.rows), .n3 = 1},
        isa::VView{.view = View::kDst,
                   .s0 = I(elem_),
                   .s1 = I(result.pixel_stride),
                   .s2 = I(result.row_stride)}};
    task.work = isa::VDrain{.acc = U(acc),
                            .dst = U(result.base),
                            .params = U(records),
                            .acc_type = acc_type,
                            .out = conv_.dtype};
    task.reads = {AccumulatorRegion(acc, acc_rows),
                  ScratchpadRegion(records, record_bytes * columns.cols)};
    task.writes = {ScratchpadRegion(result.base, (tile.rows - 1) * result.row_stride +
                                                     (tile.cols - 1) * result.pixel_stride +
                                                     columns.cols * elem_)};
    context_.Append(std::move(task));
  }

  // Columns [first, first + cols) of a buffered tile to DRAM.
  void StoreTile(const OutputTile& tile, int32_t first, int32_t cols, int64_t buffer) {
    DramPlace to = *context_.place(output_).dram;
    to.offset_bytes += Offset(tile, first);
    const bool whole_pixels = cols == part_.y_channels && part_.col_step == 1;
    const bool whole_rows = tile.cols == part_.y_cols && part_.row_step == 1;
    if (whole_pixels && (whole_rows || tile.rows == 1)) {
      context_.Store(buffer, to, int64_t{tile.rows} * tile.cols * cols * elem_);
      return;
    }
    Task task;
    const int64_t pixel_stride = PixelBytes() * part_.col_step;
    const int64_t row_stride = PixelBytes() * part_.y_cols * part_.row_step;
    task.config = {
        isa::StShape{.n0 = U(cols), .n1 = U(tile.cols), .n2 = U(tile.rows), .n3 = 1},
        isa::StDramStride{.s1 = I(pixel_stride), .s2 = I(row_stride)},
        isa::StSpmStride{
            .s0 = I(elem_), .s1 = I(cols * elem_), .s2 = I(int64_t{cols} * tile.cols * elem_)}};
    task.work = isa::StNd{.binding = to.binding,
                          .dram = U(to.offset_bytes),
                          .spm = U(buffer),
                          .elem_bytes = U(elem_)};
    task.reads = {ScratchpadRegion(buffer, int64_t{tile.rows} * tile.cols * cols * elem_)};
    task.writes = {
        DramRegion(to.binding, to.offset_bytes,
                   (tile.rows - 1) * row_stride + (tile.cols - 1) * pixel_stride + cols * elem_)};
    context_.Append(std::move(task));
  }

  // A tile that stands in its value and has a home in DRAM, too.
  void StoreResident(const OutputTile& tile) {
    const ValuePlace& place = context_.place(output_);
    if (!place.dram) return;
    const int64_t row_bytes = int64_t{geometry_.w.out} * out_cols_ * elem_;
    for (int32_t y = 0; y < tile.rows; ++y) {
      OutputTile row = tile;
      row.y += y;
      const bool whole_rows = tile.cols == geometry_.w.out;
      const int64_t at = Offset(row, 0);
      context_.Store(*place.scratchpad_offset + at,
                     {place.dram->binding, place.dram->offset_bytes + at},
                     whole_rows ? row_bytes * tile.rows : tile.cols * out_cols_ * elem_);
      if (whole_rows) return;
    }
  }

  const Conv& conv_;
  ValueId output_;
  LoweringContext& context_;
  WindowGeometry geometry_;  // of the kernel widened for `pixels_` neighbouring pixels
  int64_t elem_;
  int32_t pixels_;
  bool stream_x_;
  bool stream_y_;
  int32_t out_cols_ = 0;
  ConvPart part_;  // with its extents, in the widened kernel's pixels
  ConvTile tile_;
  ConvWeights weights_;
  std::vector<DramPlace> chunk_homes_;
  std::vector<int64_t> chunk_at_;  // -1: not in the scratchpad
  bool keep_weights_ = true;
  int32_t input_slice_ = -1;  // of the channels, in the scratchpad
  int64_t input_at_ = 0;
};

}  // namespace

uint64_t Conv::ElemsRead(const Network& network, ValueId output, ValueId operand) const {
  if (operand != x) return LayerOp::ElemsRead(network, output, operand);
  return ImageElemsRead(geometry, in_c);
}

LayerWork Conv::Work(const Network& network, ValueId output) const {
  const auto elems = static_cast<uint64_t>(network.value(output).Elems());
  return {.macs = elems * static_cast<uint64_t>(geometry.h.kernel) *
                  static_cast<uint64_t>(geometry.w.kernel) * static_cast<uint64_t>(in_c),
          .padding_macs = PaddingProducts(geometry) * static_cast<uint64_t>(in_c) *
                          static_cast<uint64_t>(out_c),
          .vector_elems = elems,
          .dtype = dtype};
}

void Conv::Print(std::ostream& out) const {
  out << "conv " << geometry << " channels " << in_c << " to " << out_c << " x v" << x << " zp "
      << act_zp << " w v" << w << " zp " << weight_zp << " bias v" << bias << " scales "
      << requantize.scales.size();
  if (!requantize.scales.empty()) out << " first " << requantize.scales.front();
  if (!requantize.reals.empty())
    out << " real " << requantize.reals.size() << " first " << requantize.reals.front();
  out << " out zp " << requantize.out_zp << " clamp " << requantize.clamp;
}

std::shared_ptr<const LayerOp> Conv::Rows(const RowRange& result, ValueId image,
                                          const RowRange& held) const {
  auto rows = std::make_shared<Conv>(*this);
  rows->x = image;
  rows->geometry.h = RowsOf(geometry.h, result, held);
  return rows;
}

Expected<void> Conv::Lower(ValueId output, LoweringContext& context) const {
  ConvLowering(*this, output, context).Run();
  return {};
}

}  // namespace acme::compiler

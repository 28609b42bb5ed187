// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_operands.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/dma_transfer.h"
#include "reference_plugin/compiler/lower/elementwise/binary_instruction.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"
#include "reference_plugin/compiler/lower/vector_task.h"

namespace acme::compiler {

WidenedConv::WidenedConv(const Conv& narrow, int32_t together)
    : conv(narrow),
      pixels(together),
      geometry(narrow.geometry),
      out_cols(narrow.out_c * pixels),
      part(narrow.part),
      elem_bytes(SizeBytes(narrow.dtype)),
      y_bytes(SizeBytes(narrow.YDtype())) {
  geometry.w.kernel += (pixels - 1) * geometry.w.stride;
  geometry.w.stride *= pixels;
  geometry.w.out = (narrow.geometry.w.out + pixels - 1) / pixels;
  whole_cols = narrow.geometry.w.out / pixels;
  back = geometry.w.out * pixels - narrow.geometry.w.out;
  row_elems = part.is_whole() ? int64_t{narrow.geometry.w.out} * conv.out_c
                              : int64_t{part.y_cols} * part.y_channels;
  if (part.x_channels == 0) part.x_channels = conv.in_c;
  if (part.is_whole()) {
    part.y_rows = geometry.h.out;
    part.y_cols = geometry.w.out;
    part.y_channels = out_cols;
  } else if (pixels > 1) {  // only of pixels that stand side by side
    part.y_cols /= pixels;
    part.y_channels = out_cols;
  }
}

ConvImage::ConvImage(const WidenedConv& conv, int32_t slice_channels, LoweringContext& context)
    : conv_(conv), context_(context), slice_channels_(slice_channels) {}

InputTile ConvImage::Place(const OutputTile& tile, int32_t c0) {
  const WindowGeometry& g = conv_.geometry;
  const int64_t elem_bytes = conv_.elem_bytes;
  WindowAxis w = g.w;
  // Windows that begin so many result pixels further left are as if there were so much more
  // padding.
  w.pad += tile.back * conv_.conv.geometry.w.stride;
  const WindowAxis::Span rows = g.h.InputsOf(tile.y, tile.rows);
  const WindowAxis::Span cols = w.InputsOf(tile.x, tile.cols);
  InputTile input;
  input.rows = rows.size();
  input.cols = cols.size();
  input.y0 = g.h.Origin(tile.y, rows.first);
  input.x0 = w.Origin(tile.x, cols.first);
  const int64_t pixel_bytes = conv_.part.x_channels * elem_bytes;
  const int64_t image_offset =
      ((int64_t{tile.batch} * g.h.in + rows.first) * g.w.in + cols.first) * pixel_bytes +
      conv_.part.first_x_channel * elem_bytes;
  if (const auto& resident = context_.place(conv_.conv.x).scratchpad_offset) {
    input.base = *resident + image_offset + c0 * elem_bytes;
    input.pixel_stride_bytes = pixel_bytes;
    input.row_stride_bytes = g.w.in * pixel_bytes;
    return input;
  }
  const int32_t slice = c0 / slice_channels_;
  const int32_t first = slice * slice_channels_;
  const int32_t channels = std::min(slice_channels_, conv_.conv.in_c - first);
  if (slice != slice_) {
    slice_ = slice;
    buffer_ = context_.BeginStep(int64_t{input.rows} * input.cols * channels * elem_bytes);
    Load(image_offset + first * elem_bytes, input.rows, input.cols, channels);
  }
  input.base = buffer_ + (c0 - first) * elem_bytes;
  input.pixel_stride_bytes = channels * elem_bytes;
  input.row_stride_bytes = input.pixel_stride_bytes * input.cols;
  return input;
}

void ConvImage::Load(int64_t offset_bytes, int32_t rows, int32_t cols, int32_t channels) {
  const int32_t in_cols = conv_.geometry.w.in;
  const int64_t x_channels = conv_.part.x_channels;
  DramPlace from = context_.DramHome(conv_.conv.x);
  from.offset_bytes += offset_bytes;
  if (channels == x_channels && (cols == in_cols || rows == 1)) {
    context_.Load(from, buffer_, int64_t{rows} * cols * channels * conv_.elem_bytes);
    return;
  }
  context_.Append(DmaTask({DmaDirection::kLoad,
                           from,
                           buffer_,
                           conv_.elem_bytes,
                           {{{channels, 1, 1},
                             {cols, x_channels, channels},
                             {rows, in_cols * x_channels, int64_t{channels} * cols},
                             {}}}}));
}

int64_t ConvResult::TileBytes(const OutputTile& tile, int32_t cols) const {
  return int64_t{tile.rows} * tile.cols * cols * conv_.y_bytes;
}

ResultTile ConvResult::InValue(const OutputTile& tile, int32_t first) const {
  return {*context_.place(output_).scratchpad_offset + Offset(tile, first),
          conv_.row_elems * conv_.y_bytes * conv_.part.row_step,
          PixelBytes() * conv_.part.col_step};
}

ResultTile ConvResult::InBuffer(const OutputTile& tile, int32_t cols, int64_t base) const {
  const int64_t pixel_bytes = cols * conv_.y_bytes;
  return {base, pixel_bytes * tile.cols, pixel_bytes};
}

int64_t ConvResult::Offset(const OutputTile& tile, int32_t col) const {
  const ConvPart& part = conv_.part;
  const int64_t row =
      int64_t{tile.batch} * part.y_rows + part.first_row + int64_t{tile.y} * part.row_step;
  const int64_t pixel = part.first_col + int64_t{tile.x} * part.col_step;
  return row * conv_.row_elems * conv_.y_bytes + pixel * PixelBytes() +
         (part.first_channel + col - int64_t{tile.back} * conv_.conv.out_c) * conv_.y_bytes;
}

void ConvResult::StoreTile(const OutputTile& tile, int32_t first, int32_t cols, int64_t buffer) {
  const ConvPart& part = conv_.part;
  DramPlace to = *context_.place(output_).dram;
  to.offset_bytes += Offset(tile, first);
  const bool whole_pixels = cols == part.y_channels && part.col_step == 1;
  const bool whole_rows = tile.cols == part.y_cols && part.row_step == 1 && conv_.back == 0;
  if (whole_pixels && (whole_rows || tile.rows == 1)) {
    context_.Store(buffer, to, TileBytes(tile, cols));
    return;
  }
  const int64_t pixel_elems = part.y_channels;
  context_.Append(
      DmaTask({DmaDirection::kStore,
               to,
               buffer,
               conv_.y_bytes,
               {{{cols, 1, 1},
                 {tile.cols, pixel_elems * part.col_step, cols},
                 {tile.rows, conv_.row_elems * part.row_step, int64_t{cols} * tile.cols},
                 {}}}}));
}

void ConvResult::StoreResident(const OutputTile& tile) {
  const ValuePlace& place = context_.place(output_);
  if (streams() || !conv_.conv.part.is_whole() || !place.dram) return;
  const auto store = [&](const OutputTile& from, int64_t bytes) {
    const int64_t at = Offset(from, 0);
    context_.Store(*place.scratchpad_offset + at,
                   {place.dram->binding, place.dram->offset_bytes + at}, bytes);
  };
  // Whole rows follow each other in the value; else row by row.
  if (tile.cols == conv_.geometry.w.out)
    return store(tile, tile.rows * conv_.row_elems * conv_.y_bytes);
  OutputTile row = tile;
  row.rows = 1;
  for (; row.y < tile.y + tile.rows; ++row.y) store(row, TileBytes(row, conv_.out_cols));
}

void ConvResult::StoreAllResident() {
  const ValuePlace& place = context_.place(output_);
  if (streams() || !conv_.conv.part.is_whole() || !place.dram) return;
  context_.Store(*place.scratchpad_offset, *place.dram, context_.value(output_).Bytes());
}

ConvDrain::ConvDrain(const WidenedConv& conv, ValueId output, LoweringContext& context)
    : widened_(conv), conv_(conv.conv), context_(context), extremes_(context.ExtremesOf(output)) {}

void ConvDrain::Append(const TileSums& sums, const ResultTile& result) {
  const OutputTile& tile = sums.tile;
  const Requantization& requantize = conv_.requantize;
  const Dtype acc_type = conv_.dtype == Dtype::kF32   ? Dtype::kF32
                         : conv_.dtype == Dtype::kI16 ? Dtype::kI64
                                                      : Dtype::kI32;
  Task drain = {
      .config = {isa::VQuant{
                     .view = View::kDst, .zp = requantize.out_zp, .rounding = requantize.rounding},
                 isa::VClamp{.lo = requantize.clamp.lo, .hi = requantize.clamp.hi},
                 isa::VParams{.addr = U(FactorsAt(tile)),
                              .record_stride = I(conv_.RecordSize()),
                              .epilogue = extremes_.has_value(),
                              .offsets = conv_.offsets},
                 isa::VShape{.n0 = U(sums.cols), .n1 = U(tile.cols), .n2 = U(tile.rows), .n3 = 1},
                 isa::VView{.view = View::kDst,
                            .s0 = I(widened_.y_bytes),
                            .s1 = I(result.pixel_stride_bytes),
                            .s2 = I(result.row_stride_bytes)}},
      .work = isa::VDrain{.acc = U(sums.accumulators),
                          .dst = U(result.base),
                          .params = U(sums.records),
                          .acc_type = acc_type,
                          .out = conv_.YDtype(),
                          .residual = conv_.residual.has_value(),
                          .lookup = !conv_.table.empty()}};
  if (conv_.row_factors != kNoValue) drain.config.emplace_back(FactorsView());
  if (extremes_) drain.config.emplace_back(*extremes_);
  if (conv_.residual) AddResidual(sums, drain);
  if (!conv_.table.empty()) drain.config.emplace_back(isa::VLookup{.addr = U(TableAt())});
  context_.Append(std::move(drain));
}

int64_t ConvDrain::AllOf(ValueId value, int64_t& at) {
  if (at < 0) at = ReadAll(value, context_);
  return at;
}

bool ConvDrain::FactorsComeByTile() const {
  return conv_.factor_a_pixel && !context_.place(conv_.row_factors).scratchpad_offset &&
         context_.value(conv_.row_factors).Bytes() > context_.hardware().scratchpad_bytes / 4;
}

int64_t ConvDrain::FactorsAt(const OutputTile& tile) {
  if (conv_.row_factors == kNoValue) return 0;
  const int64_t elem_bytes = SizeBytes(Dtype::kF32);
  if (!FactorsComeByTile()) {
    return AllOf(conv_.row_factors, factors_) +
           (conv_.factor_a_pixel ? tile.x : tile.batch) * elem_bytes;
  }
  if (factors_ < 0) {
    const int64_t step = context_.BeginStep(tile.cols * elem_bytes);
    factors_ =
        ReadBox({conv_.row_factors, {1, 0, 0, 0}}, {tile.x}, {tile.cols, 1, 1, 1}, step, context_)
            .offset;
  }
  return factors_;
}

int64_t ConvDrain::RecordsAt(int32_t channel) {
  return AllOf(conv_.scales_and_biases, records_) + channel * conv_.RecordSize();
}

int64_t ConvDrain::TableAt() {
  if (table_ < 0) table_ = context_.LoadTable(conv_.table);
  return table_;
}

isa::VView ConvDrain::FactorsView() const {
  return {.view = View::kB, .s1 = conv_.factor_a_pixel ? I(SizeBytes(Dtype::kF32)) : 0};
}

OperandLayout ConvDrain::ResidualLayout(const OutputTile& tile) const {
  const WindowGeometry& result = conv_.geometry;
  const int32_t channels = conv_.ResidualChannels();
  const int64_t row = int64_t{result.w.out} * channels;
  return {conv_.residual->b.value,
          {1, channels * widened_.pixels, I(row), I(row * result.h.out)},
          conv_.residual->b.base_elems - int64_t{tile.back} * channels};
}

Extent4 ConvDrain::ResidualExtent(const OutputTile& tile, int32_t first, int32_t cols) const {
  const int32_t all = conv_.ResidualChannels() * widened_.pixels;
  return {std::clamp(all - first, 0, cols), tile.cols, tile.rows, 1};
}

ScratchpadBox ConvDrain::ReadResidual(const OutputTile& tile, int32_t first, int32_t cols) {
  const OperandLayout layout = ResidualLayout(tile);
  const Extent4 box = ResidualExtent(tile, first, cols);
  const int64_t bytes = StepBytesOf(layout, box, context_);
  const int64_t buffer = bytes > 0 ? context_.BeginStep(bytes) : 0;
  return ReadBox(layout, {first, tile.x, tile.y, tile.batch}, box, buffer, context_);
}

void ConvDrain::BeginTile(const OutputTile& tile, int32_t first, int32_t cols, int64_t most_bytes) {
  held_.reset();
  if (conv_.row_factors != kNoValue && FactorsComeByTile()) factors_ = -1;
  if (!conv_.residual) return;
  const Extent4 box = ResidualExtent(tile, first, cols);
  if (box[0] == 0) return;
  const int64_t bytes = StepBytesOf(ResidualLayout(tile), box, context_);
  if (bytes == 0 || bytes > most_bytes) return;
  held_ = ReadResidual(tile, first, cols);
  first_held_ = first;
}

void ConvDrain::AddResidual(const TileSums& sums, Task& drain) {
  const Binary& sum = *conv_.residual;
  const int32_t there = ResidualExtent(sums.tile, sums.first_col, sums.cols)[0];
  std::get<isa::VDrain>(drain.work).missing = U(sums.cols - there);
  ScratchpadBox at;
  if (there > 0 && held_) {
    at = *held_;
    at.offset += (sums.first_col - first_held_) * widened_.y_bytes;
  } else if (there > 0) {
    at = ReadResidual(sums.tile, sums.first_col, sums.cols);
  }
  const std::vector<AnyInstr> quant = QuantConfig(sum, View::kC);
  drain.config.insert(drain.config.end(), quant.begin(), quant.end());
  drain.config.insert(
      drain.config.end(),
      {ViewConfig(View::kB, at.stride_bytes),
       isa::VResidual{.addr = U(at.offset), .lo = sum.clamp.lo, .hi = sum.clamp.hi}});
}

}  // namespace acme::compiler

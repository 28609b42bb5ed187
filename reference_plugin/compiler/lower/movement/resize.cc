// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tiles of the result; each brings the rectangle of the operand that it samples and the table of
// its samples, relative to that rectangle.

#include "reference_plugin/compiler/lower/movement/resize.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"
#include "reference_plugin/compiler/placement/alignment.h"

namespace acme::compiler {
namespace {

// Rows, or columns, of the operand that the samples [first, first + count) touch, and those between.
RowRange SpanOf(const std::vector<ResizeSample>& samples, int32_t first, int32_t count) {
  const auto begin = samples.begin() + first;
  RowRange span{begin->lo, begin->hi + 1};
  for (auto sample = begin; sample != begin + count; ++sample) {
    span.begin = std::min(span.begin, sample->lo);
    span.end = std::max(span.end, sample->hi + 1);
  }
  return span;
}

// The most of any tile of `count` samples.
int32_t MostSpan(const std::vector<ResizeSample>& samples, int32_t count) {
  int32_t most = 0;
  const auto size = static_cast<int32_t>(samples.size());
  for (int32_t first = 0; first < size; first += count)
    most = std::max(most, SpanOf(samples, first, std::min(count, size - first)).size());
  return most;
}

int64_t RecordBytes(ResizeOp op) { return op == ResizeOp::kNearest ? 4 : 12; }

void AppendRecords(ResizeOp op, const std::vector<ResizeSample>& samples, int32_t first,
                   int32_t count, std::vector<uint8_t>& table) {
  const auto append = [&table](int32_t value) {
    for (int byte = 0; byte < 4; ++byte)
      table.push_back(static_cast<uint8_t>(static_cast<uint32_t>(value) >> (8 * byte)));
  };
  const int32_t base = SpanOf(samples, first, count).begin;
  for (int32_t i = first; i < first + count; ++i) {
    const ResizeSample& sample = samples[static_cast<size_t>(i)];
    append(sample.lo - base);
    if (op == ResizeOp::kNearest) continue;
    append(sample.hi - base);
    append(sample.fraction_bits);
  }
}

Extent4 ChooseTile(const Resize& op, int64_t step_bytes) {
  std::array<int32_t, 3> tile = {op.channels, static_cast<int32_t>(op.cols.size()),
                                 static_cast<int32_t>(op.rows.size())};
  const auto halve = [&tile](size_t d) { tile[d] = (tile[d] + 1) / 2; };
  while (tile[2] > 1 && MostSpan(op.rows, tile[2]) > kMaxTileExtent) halve(2);
  while (tile[1] > 1 && MostSpan(op.cols, tile[1]) > kMaxTileExtent) halve(1);
  const auto fits = [&] { return op.StepBytes(tile) <= step_bytes; };
  while (!fits() && tile[2] > 1) halve(2);
  while (!fits() && tile[0] > 64) halve(0);
  while (!fits() && tile[1] > 1) halve(1);
  while (!fits() && tile[0] > 1) halve(0);
  return {tile[0], tile[1], tile[2], 1};
}

}  // namespace

int64_t Resize::StepBytes(const std::array<int32_t, 3>& tile) const {
  const int64_t elem_bytes = SizeBytes(dtype);
  const int64_t in_pixels = int64_t{MostSpan(rows, tile[2])} * MostSpan(cols, tile[1]);
  return AlignUp(in_pixels * tile[0] * elem_bytes) +
         AlignUp(int64_t{tile[0]} * tile[1] * tile[2] * elem_bytes) +
         AlignUp((int64_t{tile[1]} + tile[2]) * RecordBytes(op));
}

// One for each result at least; windows and samples may leave others out.
uint64_t Resize::ElemsRead(const Network& network, ValueId output, ValueId operand) const {
  return static_cast<uint64_t>(
      std::min(network.value(operand).Elems(), network.value(output).Elems()));
}

// Nearest neighbours are moved: none, as of a Move.
LayerWork Resize::Work(const Network& network, ValueId output) const {
  if (op == ResizeOp::kNearest) return {.dtype = dtype};
  return {.vector_elems = static_cast<uint64_t>(network.value(output).Elems()), .dtype = dtype};
}

std::string Resize::Describe() const {
  return fmt::format("resize {}{} v{} {} batches {} {}x{} to {}x{} channels {}", NameOf(op),
                     real ? " real" : "", x, NameOf(dtype), batches, in_h, in_w, rows.size(),
                     cols.size(), channels);
}

RowRange Resize::RowsRead(ValueId /*image*/, const RowRange& result) const {
  return SpanOf(rows, result.begin, result.size());
}

std::shared_ptr<const LayerOp> Resize::Rows(const RowRange& result,
                                            std::span<const HeldRows> held) const {
  auto part = std::make_shared<Resize>(*this);
  const HeldRows image = FindRows(x, held);
  part->x = image.value;
  if (image.value != x) part->in_h = image.rows.size();
  part->rows.assign(rows.begin() + result.begin, rows.begin() + result.end);
  for (ResizeSample& sample : part->rows) {
    sample.lo -= image.rows.begin;
    sample.hi -= image.rows.begin;
  }
  return part;
}

Expected<void> Resize::Lower(ValueId output, LoweringContext& context) const {
  const Extent4 extent = {channels, static_cast<int32_t>(cols.size()),
                          static_cast<int32_t>(rows.size()), batches};
  const OperandLayout x_layout{x, DenseStrides({channels, in_w, in_h, batches})};
  const OperandLayout y_layout{output, DenseStrides(extent)};
  const Extent4 box = ChooseTile(*this, context.StepBytes());
  ForEachBox(extent, box, [&](const Extent4& origin, const Extent4& part) {
    const RowRange in_cols = SpanOf(cols, origin[1], part[1]);
    const RowRange in_rows = SpanOf(rows, origin[2], part[2]);
    const Extent4 in_origin = {origin[0], in_cols.begin, in_rows.begin, origin[3]};
    const Extent4 in_part = {part[0], in_cols.size(), in_rows.size(), 1};
    std::vector<uint8_t> records;
    AppendRecords(op, rows, origin[2], part[2], records);
    AppendRecords(op, cols, origin[1], part[1], records);
    const auto record_bytes = static_cast<int64_t>(records.size());
    const int64_t x_bytes = StepBytesOf(x_layout, in_part, context);
    const int64_t y_bytes = StepBytesOf(y_layout, part, context);
    const int64_t step = context.BeginStep(x_bytes + y_bytes + record_bytes);
    const int64_t table = step + x_bytes + y_bytes;
    context.Load(context.constants().Add(records), table, record_bytes);
    const ScratchpadBox from = ReadBox(x_layout, in_origin, in_part, step, context);
    const ScratchpadBox to = ResultBox(y_layout, origin, part, step + x_bytes, context);
    context.Append(
        {.config = {OpenClamp(dtype), ShapeConfig(part), ViewConfig(View::kDst, to.stride_bytes),
                    isa::VInput{.in_h = static_cast<uint32_t>(in_part[2]),
                                .in_w = static_cast<uint32_t>(in_part[1]),
                                .row_stride = from.stride_bytes[2],
                                .pixel_stride = from.stride_bytes[1]}},
         .work = isa::VResize{.op = op,
                              .dtype = dtype,
                              .dst = static_cast<uint32_t>(to.offset),
                              .a = static_cast<uint32_t>(from.offset),
                              .table = static_cast<uint32_t>(table),
                              .real = real}});
    StoreBox(y_layout, origin, part, to, context);
  });
  return {};
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whole rows, as many at a time as fit a step. The int16 tables come along with each step.

#include "reference_plugin/compiler/lower/elementwise/softmax.h"

#include <fmt/format.h>

#include <cstring>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"
#include "reference_plugin/compiler/placement/alignment.h"

namespace acme::compiler {

int32_t Softmax::Exponential(size_t entry) const {
  int16_t exponential = 0;
  std::memcpy(&exponential, tables.data() + entry * sizeof(exponential), sizeof(exponential));
  return exponential;
}

void Softmax::LeaveOut(int32_t elems) {
  depth -= elems;
  if (in == Dtype::kI16)
    b.mult += static_cast<uint32_t>(elems) * static_cast<uint32_t>(Exponential(0));
}

int64_t Softmax::StepBytes(int32_t rows_in_step) const {
  const int64_t elems = int64_t{rows_in_step} * depth;
  return AlignUp(elems * SizeBytes(in)) + AlignUp(elems * SizeBytes(out)) +
         AlignUp(static_cast<int64_t>(tables.size()));
}

LayerWork Softmax::Work(const Network& network, ValueId output) const {
  const auto elems = static_cast<uint64_t>(network.value(output).Elems());
  // Of one class there is nothing to compute, and integers' may be looked up.
  const bool counts = in == Dtype::kF32 && depth > 1;
  return {.vector_elems = elems, .functions = counts ? elems : 0, .dtype = in};
}

std::string Softmax::Describe() const {
  return fmt::format("softmax rows {} depth {} v{} {} to {} mult {} shift {} left shift {} {} {}",
                     rows, depth, x, NameOf(in), NameOf(out), a.mult, a.shift, a.left_shift,
                     in == Dtype::kI16 ? "left out" : "largest difference", b.mult);
}

std::shared_ptr<const LayerOp> Softmax::Rows(const RowRange& result,
                                             std::span<const HeldRows> held) const {
  auto some = std::make_shared<Softmax>(*this);
  const HeldRows image = FindRows(x, held);
  some->x = image.value;
  some->x_base_elems = int64_t{result.begin - image.rows.begin} * row_elems;
  some->rows = result.size() * (row_elems / depth);
  return some;
}

Expected<void> Softmax::Lower(ValueId output, LoweringContext& context) const {
  const Extent4 extent = {depth, rows, 1, 1};
  const OperandLayout x_layout{x, DenseStrides(extent), x_base_elems};
  const OperandLayout y_layout{output, DenseStrides(extent)};
  Extent4 box = extent;
  while (StepBytes(box[1]) > context.StepBytes() && box[1] > 1) box[1] = (box[1] + 1) / 2;
  DramPlace table_home;
  if (!tables.empty()) table_home = context.constants().Add(tables);
  ForEachBox(extent, box, [&](const Extent4& origin, const Extent4& part) {
    const int64_t x_bytes = StepBytesOf(x_layout, part, context);
    const int64_t y_bytes = StepBytesOf(y_layout, part, context);
    const auto table_bytes = static_cast<int64_t>(tables.size());
    const int64_t step = context.BeginStep(x_bytes + y_bytes + table_bytes);
    const int64_t table = step + x_bytes + y_bytes;
    if (table_bytes > 0) context.Load(table_home, table, table_bytes);
    const ScratchpadBox from = ReadBox(x_layout, origin, part, step, context);
    const ScratchpadBox to = ResultBox(y_layout, origin, part, step + x_bytes, context);
    Task task =
        Task{.config = {OpenClamp(in), ShapeConfig(part), ViewConfig(View::kDst, to.stride_bytes),
                        ViewConfig(View::kA, from.stride_bytes), a, b},
             .work = isa::VSoftmax{.dtype = in,
                                   .out = out,
                                   .dst = static_cast<uint32_t>(to.offset),
                                   .a = static_cast<uint32_t>(from.offset)}};
    if (table_bytes > 0) {
      task.config.emplace_back(isa::VParams{.addr = static_cast<uint32_t>(table)});
    }
    context.Append(std::move(task));
    StoreBox(y_layout, origin, part, to, context);
  });
  return {};
}

}  // namespace acme::compiler

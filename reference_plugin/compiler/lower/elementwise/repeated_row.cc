// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/repeated_row.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/vector_task.h"
#include "simulator/timing/access_words.h"

namespace acme::compiler {
namespace {

// The type by size: bits are copied.
Dtype BitsOf(int64_t elem_bytes) {
  return elem_bytes == 1 ? Dtype::kI8 : elem_bytes == 2 ? Dtype::kI16 : Dtype::kI32;
}

}  // namespace

int32_t ChooseRepetitions(int64_t row_elems, int64_t rows, int64_t lanes, int64_t startup_cycles,
                          int64_t max_elems) {
  // More lanes than this in a row do not fill them noticeably better.
  constexpr int64_t kMostLanes = 8;
  const int64_t row_cycles = CeilDiv(row_elems, lanes);
  const int64_t most = std::min({kMostLanes * lanes / row_elems, rows, max_elems / row_elems});
  int64_t fewest_cycles = rows * row_cycles;
  int64_t best = 1;
  for (int64_t times = 2; times <= most; ++times) {
    // Copying it, whole rows, and the rest of the elements.
    const int64_t rest = rows % times;
    const int64_t cycles = startup_cycles + times * row_cycles +
                           rows / times * CeilDiv(times * row_elems, lanes) +
                           (rest > 0 ? startup_cycles + CeilDiv(rest * row_elems, lanes) : 0);
    if (cycles >= fewest_cycles) continue;
    fewest_cycles = cycles;
    best = times;
  }
  return static_cast<int32_t>(best);
}

ScratchpadBox RepeatRow(ValueId id, int64_t base_elems, int32_t row_elems, int32_t repetitions,
                        LoweringContext& context) {
  const Value& value = context.value(id);
  const auto elem_bytes = static_cast<int32_t>(SizeBytes(value.dtype));
  const int32_t row_bytes = row_elems * elem_bytes;
  const int64_t bytes = int64_t{row_bytes} * repetitions;
  const Extent4 view = {elem_bytes, 0, 0, 0};
  if (value.is_constant()) {
    const auto row = value.constant.begin() + base_elems * elem_bytes;
    std::vector<uint8_t> repeated;
    for (int32_t i = 0; i < repetitions; ++i) repeated.insert(repeated.end(), row, row + row_bytes);
    return {context.LoadConstant(context.constants().Add(std::move(repeated)), bytes,
                                 /*keep=*/true),
            view};
  }
  const OperandLayout layout{id, {1, 0, 0, 0}, base_elems};
  const Extent4 extent = {row_elems, 1, 1, 1};
  const int64_t loaded = StepBytesOf(layout, extent, context);
  const ScratchpadBox once =
      ReadBox(layout, {}, extent, loaded > 0 ? context.BeginStep(loaded) : 0, context);
  const int64_t to = context.BeginStep(bytes);
  context.Append(
      {.config = {OpenClamp(Dtype::kI32), ShapeConfig({row_elems, repetitions, 1, 1}),
                  ViewConfig(View::kDst, {elem_bytes, row_bytes, 0, 0}),
                  ViewConfig(View::kA, view)},
       .work = isa::VUnary{
           .op = UnaryOp::kCopy, .dtype = BitsOf(elem_bytes), .dst = U(to), .a = U(once.offset)}});
  return {to, view};
}

}  // namespace acme::compiler

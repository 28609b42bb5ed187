// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Costs of the vector engine's operations whose results see windows of an image: v.pool, v.depthwise,
// v.resize.

#include <algorithm>

#include "simulator/timing/access_words.h"
#include "simulator/timing/vector_cost.h"
#include "simulator/timing/vector_parts.h"

namespace acme {
namespace {

// Input words that the windows of one output row read: kernel_h rows of the columns they touch.
WordCount WindowRowWords(const VectorState& v, int64_t pixel_bytes, int64_t addr,
                         const Hardware& hw) {
  const isa::VWindow& w = v.window;
  const bool gapless = w.dilation_w == 1 && w.stride_w <= w.kernel_w;
  const int64_t columns =
      std::min<int64_t>(v.input.in_w, gapless ? (v.shape[1] - 1) * w.stride_w + w.kernel_w
                                              : v.shape[1] * static_cast<int64_t>(w.kernel_w));
  const bool joined = gapless && v.input.pixel_stride == pixel_bytes;
  WordCount words = CountWords(
      {.addr_bytes = addr,
       .run_bytes = joined ? columns * pixel_bytes : pixel_bytes,
       .count = {1, joined ? 1 : columns, 1, 1},
       .stride = {0, v.input.pixel_stride * static_cast<int64_t>(gapless ? 1 : w.stride_w), 0, 0}},
      hw);
  words.words *= std::min<int64_t>(w.kernel_h, v.input.in_h);
  return words;
}

// v.pool and v.depthwise: every output row is the larger of its lanes' and its read port's cycles.
template <class I>
InstructionCost Windowed(const I& op, Dtype dtype, Dtype result, int64_t in_channels,
                         int64_t taps_per_cycle, int64_t extra_words, const EngineState& state,
                         const Hardware& hw) {
  const VectorState& v = state.vector;
  InstructionCost cost;
  cost.dtype = dtype;
  cost.vector_elems = v.Elements();
  PortTotals ports = Ports(op, state, hw, cost);
  const int64_t taps = static_cast<int64_t>(std::min(v.window.kernel_h, v.input.in_h)) *
                       std::min(v.window.kernel_w, v.input.in_w);
  // Of a row of results: their products, and where the results are wider, these.
  const int64_t elems = v.shape[1] * v.shape[0];
  const int64_t lanes = LanesFor(result, hw);
  const int64_t lane_cycles = std::max(
      CeilDiv(elems, LanesFor(dtype, hw)) * CeilDiv(taps, taps_per_cycle), CeilDiv(elems, lanes));
  const WordCount row = WindowRowWords(v, in_channels * SizeBytes(dtype), op.a, hw);
  const PortCycles read = CyclesThroughPort(row, hw.vector_read_words);
  const int64_t row_cycles = std::max(lane_cycles, read.cycles);
  // Windows were counted row by row above, for a row of results waits for its own words alone.
  ports.reads = {0, 1};
  Finish(CyclesWithEpilogue(op, v.shape[2] * row_cycles, v, lanes), ports, hw, cost);
  cost.cycles += CeilDiv(extra_words, hw.vector_read_words);
  cost.bank_conflict_cycles +=
      v.shape[2] * std::min(read.conflict_cycles, row_cycles - lane_cycles);
  cost.scratchpad_words += v.shape[2] * row.words + extra_words;
  cost.scratchpad_bytes = cost.scratchpad_words * hw.scratchpad_word_bytes;
  return cost;
}

// Words that a row of a resampling reads: the rows of the image that it lies between as wholes, or each
// pixel's corners where that is less.
int64_t ResizeRowWords(const VectorState& v, int64_t corners, int64_t pixel_bytes,
                       const Hardware& hw) {
  const bool joined = v.input.pixel_stride == pixel_bytes;
  const int64_t pixel_words = CeilDiv(pixel_bytes, hw.scratchpad_word_bytes) + 1;
  const int64_t line_words = joined
                                 ? CeilDiv(v.input.in_w * pixel_bytes, hw.scratchpad_word_bytes) + 1
                                 : v.input.in_w * pixel_words;
  return std::min((corners > 1 ? 2 : 1) * line_words, corners * v.shape[1] * pixel_words);
}

}  // namespace

InstructionCost EstimateVector(const isa::VPool& i, const EngineState& state, const Hardware& hw) {
  return Windowed(i, i.dtype, i.dtype, state.vector.shape[0], hw.pool_taps, 0, state, hw);
}

InstructionCost EstimateVector(const isa::VDepthwise& i, const EngineState& state,
                               const Hardware& hw) {
  const VectorState& v = state.vector;
  const int64_t weight_bytes = i.dtype == Dtype::kF32 ? 4 : 1;
  const int64_t taps = static_cast<int64_t>(v.window.kernel_h) * v.window.kernel_w;
  const int64_t parameter_words =
      taps * CeilDiv(v.shape[0] * weight_bytes, hw.scratchpad_word_bytes) +
      CeilDiv(v.shape[0] * RecordBytes(i, v), hw.scratchpad_word_bytes) +
      (i.lookup ? CeilDiv(kLookupBytes, hw.scratchpad_word_bytes) : 0);
  InstructionCost cost = Windowed(i, i.dtype, ResultOf(i), v.shape[0] / v.window.multiplier,
                                  hw.depthwise_taps, parameter_words, state, hw);
  cost.macs = v.Elements() * taps;
  if (i.lookup) cost.vector_elems *= 2;
  return cost;
}

InstructionCost EstimateVector(const isa::VResize& i, const EngineState& state,
                               const Hardware& hw) {
  const VectorState& v = state.vector;
  InstructionCost cost;
  cost.dtype = i.dtype;
  const int64_t corners = i.op == ResizeOp::kNearest ? 1 : 4;
  cost.vector_elems = corners * v.Elements();
  PortTotals ports = Ports(i, state, hw, cost);
  const int64_t table_words =
      CeilDiv((v.shape[1] + v.shape[2]) * ResizeRecordBytes(i.op), hw.scratchpad_word_bytes);
  // As for windows, each lane takes an element of the row of results, whose taps are the corners: its
  // pixel's records say where they stand. The records are read before.
  const int64_t row_words = ResizeRowWords(v, corners, v.shape[0] * SizeBytes(i.dtype), hw);
  ports.reads = {0, 1};
  const int64_t lane_cycles =
      CeilDiv(v.shape[0] * v.shape[1], LanesFor(i.real ? Dtype::kF32 : i.dtype, hw)) *
      CeilDiv(corners, hw.depthwise_taps);
  const PortCycles read = CyclesThroughPort({row_words, hw.scratchpad_banks}, hw.vector_read_words);
  Finish(v.shape[2] * std::max(lane_cycles, read.cycles), ports, hw, cost);
  cost.cycles += CeilDiv(table_words, hw.vector_read_words);
  cost.scratchpad_words += v.shape[2] * row_words + table_words;
  return cost;
}

}  // namespace acme

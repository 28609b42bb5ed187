// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/timing/matrix_cost.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "simulator/timing/access_words.h"

namespace acme {
namespace {

// Words the activation feeders read a cycle: each a full row of bytes, and one more for rows that are
// not aligned.
int64_t FeedWords(int64_t n, const Hardware& hw) {
  return ColumnGroups(n, hw) * (CeilDiv(hw.array_rows, hw.scratchpad_word_bytes) + 1);
}

// Rows of activations that enter together: one for each copy of the weights.
int64_t RowsTogether(const WeightPlane& plane, const Hardware& hw) {
  return RowGroups(plane.k, hw) * ColumnGroups(plane.n, hw);
}

// The largest power of two of at most `most` parts of `extent` that hold `used` each.
int64_t Groups(int64_t used, int64_t extent, int64_t most) {
  int64_t groups = 1;
  while (groups * 2 <= most && used * groups * 2 <= extent) groups *= 2;
  return groups;
}

// Results of `rows` rows: read if accumulating, and written.
int64_t AccumulatorBytes(int64_t rows, int64_t n, Dtype act, bool accumulate) {
  return rows * n * (act == Dtype::kI16 ? 8 : 4) * (accumulate ? 2 : 1);
}

const WeightPlane& PlaneOf(bool swap, const EngineState& state) {
  return swap ? state.matrix.shadow : state.matrix.active;
}

int64_t Log2(int64_t power) { return std::bit_width(static_cast<uint64_t>(power)) - 1; }

// Cycles from the end of a stream's feed until its last result, in column n - 1 or the array's last,
// is in the accumulators.
int64_t DrainCycles(int64_t n, Dtype act, const Hardware& hw) {
  // Registers stand between tiles, so what enters the first tile in a cycle leaves the last one as
  // many cycles later as there are tiles below and to the right. Wide operands are fed as several
  // passes a cycle apart: their way through the array takes no longer. All blocks are entered at once
  // and their sums added up, but those of float32, whose order is given, go on from block to block.
  const bool chained = act == Dtype::kF32;
  const int64_t rows = chained ? hw.array_rows : hw.array_rows / hw.row_groups;
  const int64_t cols = chained ? hw.array_cols : hw.array_cols / hw.col_groups;
  const int64_t last = chained ? hw.array_cols - hw.array_cols / ColumnGroups(n, hw) + n : n;
  const int64_t columns = hw.drain_used_columns ? std::min(cols, last) : cols;
  return CeilDiv(rows, hw.tile_rows) + CeilDiv(columns, hw.tile_cols) - 2 + hw.pipeline_cycles +
         (chained ? 0 : Log2(hw.row_groups * hw.col_groups));
}

// Cycles in which k rows of weights are shifted in, through weight_rows_per_cycle chains of byte-wide
// registers, each the length of its share of the array's rows.
int64_t ShiftCycles(int64_t k, Dtype weight, const Hardware& hw) {
  // The used rows are the upper ones. Below them old weights may stay: they meet zeros.
  const int64_t chain_rows = CeilDiv(hw.array_rows, hw.weight_rows_per_cycle);
  const bool some = hw.load_used_rows && RowGroups(k, hw) == 1;
  return (some ? std::min(k, chain_rows) : chain_rows) * SizeBytes(weight);
}

// The weights as columns of contiguous elements, each of which the turning registers take whole;
// nothing if they are not, or stand alone.
std::optional<Access> TurnedAccess(const isa::MLoadW& load, Dtype weight) {
  const int64_t elem = SizeBytes(weight);
  if (load.k_stride != elem || load.n_stride == elem || load.k == 1 || load.n == 1)
    return std::nullopt;
  return Access{.addr_bytes = load.addr,
                .run_bytes = load.k * elem,
                .count = {1, load.n, 1, 1},
                .stride = {0, load.n_stride, 0, 0}};
}

}  // namespace

int64_t CyclesPerRow(Dtype act, Dtype weight, const Hardware& hw) {
  // Weights of 16 bits are two planes of bytes, which a row passes one after the other.
  if (act == Dtype::kI16) return hw.int16_cycles_per_row * SizeBytes(weight);
  return act == Dtype::kF32 ? hw.f32_cycles_per_row : hw.int8_cycles_per_row;
}

int64_t RowGroups(int64_t k, const Hardware& hw) { return Groups(k, hw.array_rows, hw.row_groups); }

int64_t ColumnGroups(int64_t n, const Hardware& hw) {
  return Groups(n, hw.array_cols, hw.col_groups);
}

InstructionCost EstimateMatrix(const isa::MLoadW& instr, const EngineState& state,
                               const Hardware& hw) {
  InstructionCost cost;
  cost.dtype = state.matrix.type.weight;
  const int64_t port_words =
      CeilDiv(hw.array_cols * hw.weight_rows_per_cycle, hw.scratchpad_word_bytes) + 1;
  PortCycles port;
  ForEachAccess(Instr{{}, instr}, state, hw.array_cols, [&](const Access& access) {
    const WordCount words = CountWords(access, hw);
    port = CyclesThroughPort(words, port_words);
    cost.scratchpad_words = words.words;
    cost.scratchpad_bytes = access.TotalBytes();
  });
  const int64_t shift = ShiftCycles(instr.k, state.matrix.type.weight, hw);
  cost.cycles = std::max(shift, port.cycles);
  // Lost is only what the banks make longer than the shift.
  cost.bank_conflict_cycles = std::min(port.conflict_cycles, cost.cycles - shift);
  const std::optional<Access> turned = TurnedAccess(instr, state.matrix.type.weight);
  if (!turned) return cost;
  // The first row is complete when the last column has come: nothing is shifted before.
  const WordCount words = CountWords(*turned, hw);
  const PortCycles columns = CyclesThroughPort(words, port_words);
  // The chip has both ways and takes the shorter one.
  if (columns.cycles + shift >= cost.cycles) return cost;
  cost.cycles = columns.cycles + shift;
  cost.bank_conflict_cycles = columns.conflict_cycles;
  cost.scratchpad_words = words.words;
  return cost;
}

InstructionCost EstimateMatrix(const isa::MStream& instr, const EngineState& state,
                               const Hardware& hw) {
  const WeightPlane& plane = PlaneOf(instr.swap, state);
  const Dtype act = state.matrix.type.act;
  InstructionCost cost;
  cost.dtype = act;
  const int64_t compute =
      CeilDiv(instr.m, RowsTogether(plane, hw)) * CyclesPerRow(act, plane.dtype, hw);
  PortCycles port;
  ForEachAccess(Instr{{}, instr}, state, hw.array_cols, [&](const Access& access) {
    if (access.space != Space::kScratchpad) return;
    const WordCount words = CountWords(access, hw);
    port = CyclesThroughPort(words, FeedWords(plane.n, hw));
    cost.scratchpad_words = words.words;
  });
  cost.scratchpad_bytes = static_cast<int64_t>(instr.m) * plane.k * SizeBytes(act);
  cost.cycles = std::max(compute, port.cycles);
  cost.bank_conflict_cycles = std::min(port.conflict_cycles, cost.cycles - compute);
  cost.tail_cycles = DrainCycles(plane.n, act, hw);
  cost.macs = static_cast<int64_t>(instr.m) * plane.k * plane.n;
  cost.accumulator_bytes = AccumulatorBytes(instr.m, plane.n, act, instr.accumulate);
  return cost;
}

InstructionCost EstimateMatrix(const isa::MConv& instr, const EngineState& state,
                               const Hardware& hw) {
  const WeightPlane& plane = PlaneOf(instr.swap, state);
  const isa::MConvWindow& w = state.matrix.window;
  const isa::MConvInput& in = state.matrix.input;
  const Dtype act = state.matrix.type.act;
  const int64_t rows = static_cast<int64_t>(instr.out_h) * instr.out_w;
  InstructionCost cost;
  cost.dtype = act;
  // The feeder keeps the words of an output row's taps_h input rows in a line buffer, so each is
  // read once an output row.
  const int64_t pixel_bytes = static_cast<int64_t>(w.channels) * SizeBytes(act);
  // Windows that touch or overlap read a row of pixels from the first to the last. With gaps
  // between them or within, each tap's pixel counts by itself.
  const bool gapless = w.dilation_w == 1 && w.stride_w <= w.taps_w;
  const int64_t columns = gapless ? (static_cast<int64_t>(instr.out_w) - 1) * w.stride_w + w.taps_w
                                  : static_cast<int64_t>(instr.out_w) * w.taps_w;
  const Access line = {
      .addr_bytes = instr.addr,
      .run_bytes = gapless && in.pixel_stride == pixel_bytes ? columns * pixel_bytes : pixel_bytes,
      .count = {1, gapless && in.pixel_stride == pixel_bytes ? 1 : columns, 1, 1},
      .stride = {0, in.pixel_stride * static_cast<int64_t>(gapless ? 1 : w.stride_w), 0, 0}};
  WordCount words = CountWords(line, hw);
  words.words *= w.taps_h;
  const PortCycles port = CyclesThroughPort(words, FeedWords(plane.n, hw));
  const int64_t compute =
      CeilDiv(rows, RowsTogether(plane, hw)) * CyclesPerRow(act, plane.dtype, hw);
  const int64_t port_cycles = instr.out_h * port.cycles;
  cost.cycles = std::max(compute, port_cycles);
  cost.bank_conflict_cycles = std::min(instr.out_h * port.conflict_cycles, cost.cycles - compute);
  cost.scratchpad_words = instr.out_h * words.words;
  cost.scratchpad_bytes = static_cast<int64_t>(instr.out_h) * w.taps_h * columns * pixel_bytes;
  cost.tail_cycles = DrainCycles(plane.n, act, hw);
  cost.macs = rows * plane.k * plane.n;
  cost.accumulator_bytes = AccumulatorBytes(rows, plane.n, act, instr.accumulate);
  return cost;
}

}  // namespace acme

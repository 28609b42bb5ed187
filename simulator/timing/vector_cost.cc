// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/timing/vector_cost.h"

#include <algorithm>
#include <bit>

#include "simulator/timing/access_words.h"

namespace acme {
namespace {

// Of no access, so no limit by its banks: far above the 256 that a chip may have.
constexpr WordCount kNoWords{0, 1 << 20};

// Sums up an operation: lanes' cycles are given, the ports' follow from its footprint.
struct PortTotals {
  WordCount reads = kNoWords;
  WordCount writes = kNoWords;
};

template <class I>
PortTotals Ports(const I& op, const EngineState& state, const Hardware& hw, InstructionCost& cost) {
  PortTotals totals;
  ForEachAccess(Instr{{}, op}, state, hw.array_cols, [&](const Access& access) {
    if (access.space == Space::kAccumulators) {
      cost.accumulator_bytes += access.TotalBytes();
      return;
    }
    const WordCount count = CountWords(access, hw);
    WordCount& total = access.write ? totals.writes : totals.reads;
    total.words += count.words;
    total.parallel_words = std::min(total.parallel_words, count.parallel_words);
    cost.scratchpad_bytes += access.TotalBytes();
  });
  return totals;
}

// cycles = startup + max(lane cycles, read port, write port).
void Finish(int64_t lane_cycles, const PortTotals& ports, const Hardware& hw,
            InstructionCost& cost) {
  const PortCycles read = CyclesThroughPort(ports.reads, hw.vector_read_words);
  const PortCycles write = CyclesThroughPort(ports.writes, hw.vector_write_words);
  const int64_t work = std::max({lane_cycles, read.cycles, write.cycles});
  const int64_t work_without_conflicts = std::max(
      {lane_cycles, read.cycles - read.conflict_cycles, write.cycles - write.conflict_cycles});
  cost.cycles = hw.vector_startup_cycles + work;
  cost.bank_conflict_cycles = work - work_without_conflicts;
  cost.scratchpad_words = ports.reads.words + ports.writes.words;
}

// Rows that lanes fill without a break: dimensions contiguous in every listed view.
struct LaneRows {
  int64_t rows;
  int64_t length;
};

LaneRows MergeRows(const Extents& shape,
                   std::initializer_list<std::pair<const Strides*, int64_t>> views) {
  LaneRows result{1, shape[0]};
  bool merging = true;
  for (int d = 1; d < 4; ++d) {
    for (const auto& [stride, bytes] : views) {
      const bool held =
          (*stride)[0] == 0 && (*stride)[d] == 0;  // a broadcast scalar breaks nothing
      merging = merging && (shape[d] == 1 || held ||
                            ((*stride)[0] == bytes && (*stride)[d] == result.length * bytes));
    }
    if (merging) {
      result.length *= shape[d];
    } else {
      result.rows *= shape[d];
    }
  }
  return result;
}

LaneRows RowsOf(const VectorState& v, Dtype dst, Dtype a) {
  return MergeRows(
      v.shape, {{&v.StrideOf(View::kDst), SizeBytes(dst)}, {&v.StrideOf(View::kA), SizeBytes(a)}});
}
LaneRows RowsOf(const VectorState& v, Dtype dst, Dtype a, Dtype b) {
  return MergeRows(v.shape, {{&v.StrideOf(View::kDst), SizeBytes(dst)},
                             {&v.StrideOf(View::kA), SizeBytes(a)},
                             {&v.StrideOf(View::kB), SizeBytes(b)}});
}

int64_t LaneCycles(const LaneRows& rows, int64_t lanes) {
  return rows.rows * CeilDiv(rows.length, lanes);
}

// Cycles of the tree that combines the lanes, which takes what they give a cycle. It has a result at
// every level, so that short rows go together, each on the next power of two of lanes.
int64_t TreeCycles(const LaneRows& rows, int64_t lanes) {
  const auto row_lanes = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(rows.length)));
  return CeilDiv(rows.rows, std::max<int64_t>(1, lanes / row_lanes));
}

// Lanes are combined by the tree once a result, while the next one's elements come.
int64_t ReducedCycles(int64_t lane_cycles, uint32_t dims, const Extents& shape, int64_t lanes) {
  if ((dims & 1) == 0) return lane_cycles;
  return std::max(lane_cycles, TreeCycles({Count(KeptExtents(shape, dims)), shape[0]}, lanes)) +
         std::bit_width(static_cast<uint64_t>(lanes)) - 1;
}

int64_t WiderLanes(Dtype a, Dtype b, const Hardware& hw) {
  return std::min(LanesFor(a, hw), LanesFor(b, hw));
}

int64_t FunctionFactor(UnaryOp op, const Hardware& hw) {
  switch (op) {
    case UnaryOp::kExp:
    case UnaryOp::kLog:
    case UnaryOp::kTanh:
    case UnaryOp::kLogistic:
    case UnaryOp::kGelu:
    case UnaryOp::kGeluTanh:
    case UnaryOp::kElu:
    case UnaryOp::kSin:
    case UnaryOp::kCos:
      return hw.transcendental_cycles;
    case UnaryOp::kSqrt:
    case UnaryOp::kRsqrt:
    case UnaryOp::kReciprocal:
      return hw.divide_cycles;
    default:
      return 1;
  }
}

template <class I>
InstructionCost Elementwise(const I& op, Dtype in, Dtype out, const LaneRows& rows, int64_t factor,
                            const EngineState& state, const Hardware& hw) {
  InstructionCost cost;
  cost.dtype = in == Dtype::kF32 || out == Dtype::kF32 ? Dtype::kF32 : in;
  cost.vector_elems = state.vector.Elements();
  const PortTotals ports = Ports(op, state, hw, cost);
  const int64_t lanes = WiderLanes(in, out, hw);
  int64_t lane_cycles = LaneCycles(rows, lanes) * factor;
  if constexpr (requires { op.epilogue; }) {
    if (op.epilogue)
      lane_cycles =
          ReducedCycles(lane_cycles, state.vector.epilogue.dims, state.vector.shape, lanes);
  }
  Finish(lane_cycles, ports, hw, cost);
  return cost;
}

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
InstructionCost Windowed(const I& op, Dtype dtype, int64_t in_channels, int64_t taps_per_cycle,
                         int64_t extra_words, const EngineState& state, const Hardware& hw) {
  const VectorState& v = state.vector;
  InstructionCost cost;
  cost.dtype = dtype;
  cost.vector_elems = v.Elements();
  PortTotals ports = Ports(op, state, hw, cost);
  const int64_t taps = static_cast<int64_t>(std::min(v.window.kernel_h, v.input.in_h)) *
                       std::min(v.window.kernel_w, v.input.in_w);
  const int64_t lanes = LanesFor(dtype, hw);
  const int64_t lane_cycles =
      CeilDiv(v.shape[1] * v.shape[0], lanes) * CeilDiv(taps, taps_per_cycle);
  const WordCount row = WindowRowWords(v, in_channels * SizeBytes(dtype), op.a, hw);
  const PortCycles read = CyclesThroughPort(row, hw.vector_read_words);
  const int64_t row_cycles = std::max(lane_cycles, read.cycles);
  // Windows were counted row by row above, for a row of results waits for its own words alone.
  ports.reads = {0, 1};
  Finish(v.shape[2] * row_cycles, ports, hw, cost);
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

int64_t LanesFor(Dtype dtype, const Hardware& hw) {
  switch (SizeBytes(dtype)) {
    case 1:
      return hw.vector_lanes;
    case 2:
      return hw.vector_lanes_16;
    case 4:
      return hw.vector_lanes_32;
    default:
      return std::max<int64_t>(1, hw.vector_lanes_32 / 2);
  }
}

InstructionCost EstimateVector(const isa::VDrain& i, const EngineState& state, const Hardware& hw) {
  const VectorState& v = state.vector;
  InstructionCost cost;
  cost.dtype = i.out == Dtype::kF32 ? Dtype::kF32 : Dtype::kI32;
  cost.vector_elems = v.Elements() * (1 + int{i.residual} + int{i.lookup});
  PortTotals ports = Ports(i, state, hw, cost);
  const int64_t rows = v.shape[1] * v.shape[2] * v.shape[3];
  const int64_t acc_rows = i.acc_type == Dtype::kI64 ? 2 * rows : rows;
  // Records are read before the first row; they share no cycle with results. A residual comes with
  // the results.
  const WordCount residual = ReadsResidual(i, v) ? CountWords(ResidualOf(i, v), hw) : kNoWords;
  const int64_t record_cycles = CeilDiv(ports.reads.words - residual.words, hw.vector_read_words);
  ports.reads = residual;
  // The lanes are as wide as the result; bias, multiplier and shift of 32-bit sums are their normal
  // work. The product of a binary64 scale has four times the partial products.
  constexpr int64_t kRealPasses = 4;
  const bool real = v.QuantOf(View::kDst).rounding == Rounding::kReal && i.out != Dtype::kF32 &&
                    i.out != Dtype::kI32;
  const int64_t lane_cycles =
      std::max(CeilDiv(acc_rows, hw.accumulator_read_rows * ColumnGroups(v.shape[0], hw)),
               CeilDiv(v.Elements(), LanesFor(i.out, hw)) * (real ? kRealPasses : 1));
  Finish(lane_cycles, ports, hw, cost);
  cost.cycles += record_cycles;
  return cost;
}

InstructionCost EstimateVector(const isa::VBinary& i, const EngineState& state,
                               const Hardware& hw) {
  const LaneRows rows = RowsOf(state.vector, ResultOf(i), FirstOf(i), SecondOf(i));
  const int64_t factor = IsDivision(i.op) ? hw.divide_cycles : 1;
  return Elementwise(i, i.dtype, ResultOf(i), rows, factor, state, hw);
}

InstructionCost EstimateVector(const isa::VChain& i, const EngineState& state, const Hardware& hw) {
  const VectorState& v = state.vector;
  const int64_t bytes = SizeBytes(Dtype::kF32);
  const LaneRows rows = MergeRows(v.shape, {{&v.StrideOf(View::kDst), bytes},
                                            {&v.StrideOf(View::kA), bytes},
                                            {&v.StrideOf(View::kB), bytes},
                                            {&v.StrideOf(View::kC), bytes}});
  return Elementwise(i, Dtype::kF32, Dtype::kF32, rows, 1, state, hw);
}

InstructionCost EstimateVector(const isa::VCompare& i, const EngineState& state,
                               const Hardware& hw) {
  return Elementwise(i, i.dtype, Dtype::kBool, RowsOf(state.vector, Dtype::kBool, i.dtype, i.dtype),
                     1, state, hw);
}

InstructionCost EstimateVector(const isa::VSelect& i, const EngineState& state,
                               const Hardware& hw) {
  return Elementwise(i, i.dtype, i.dtype, RowsOf(state.vector, i.dtype, i.dtype, Dtype::kBool), 1,
                     state, hw);
}

InstructionCost EstimateVector(const isa::VUnary& i, const EngineState& state, const Hardware& hw) {
  return Elementwise(i, i.dtype, i.dtype, RowsOf(state.vector, i.dtype, i.dtype),
                     FunctionFactor(i.op, hw), state, hw);
}

InstructionCost EstimateVector(const isa::VLut& i, const EngineState& state, const Hardware& hw) {
  return Elementwise(i, i.dtype, i.out, RowsOf(state.vector, i.out, i.dtype), 1, state, hw);
}

InstructionCost EstimateVector(const isa::VConvert& i, const EngineState& state,
                               const Hardware& hw) {
  // To divide by the scale of all is to multiply by 56 bits of its reciprocal: lanes have those.
  return Elementwise(i, i.dtype, i.out, RowsOf(state.vector, i.out, i.dtype), 1, state, hw);
}

InstructionCost EstimateVector(const isa::VReduce& i, const EngineState& state,
                               const Hardware& hw) {
  const VectorState& v = state.vector;
  const LaneRows rows = MergeRows(v.shape, {{&v.StrideOf(View::kA), SizeBytes(i.dtype)}});
  InstructionCost cost;
  cost.dtype = i.dtype;
  cost.vector_elems = v.Elements();
  const PortTotals ports = Ports(i, state, hw, cost);
  const int64_t lanes = LanesFor(i.dtype, hw);
  const int64_t lane_cycles = ReducedCycles(LaneCycles(rows, lanes), i.dims, v.shape, lanes);
  Finish(lane_cycles, ports, hw, cost);
  return cost;
}

InstructionCost EstimateVector(const isa::VPool& i, const EngineState& state, const Hardware& hw) {
  return Windowed(i, i.dtype, state.vector.shape[0], hw.pool_taps, 0, state, hw);
}

InstructionCost EstimateVector(const isa::VDepthwise& i, const EngineState& state,
                               const Hardware& hw) {
  const VectorState& v = state.vector;
  const int64_t weight_bytes = i.dtype == Dtype::kF32 ? 4 : 1;
  const int64_t taps = static_cast<int64_t>(v.window.kernel_h) * v.window.kernel_w;
  const int64_t parameter_words =
      taps * CeilDiv(v.shape[0] * weight_bytes, hw.scratchpad_word_bytes) +
      CeilDiv(v.shape[0] * RecordBytes(v, i.dtype == Dtype::kF32), hw.scratchpad_word_bytes) +
      (i.lookup ? CeilDiv(kLookupBytes, hw.scratchpad_word_bytes) : 0);
  InstructionCost cost = Windowed(i, i.dtype, v.shape[0] / v.window.multiplier, hw.depthwise_taps,
                                  parameter_words, state, hw);
  cost.macs = v.Elements() * taps;
  if (i.lookup) cost.vector_elems *= 2;
  return cost;
}

InstructionCost EstimateVector(const isa::VDot& i, const EngineState& state, const Hardware& hw) {
  const VectorState& v = state.vector;
  InstructionCost cost;
  cost.dtype = i.dtype;
  cost.macs = v.Elements();
  cost.vector_elems = v.shape[0];
  const PortTotals ports = Ports(i, state, hw, cost);
  // Each vector's products take the lanes as a depthwise window's do; a tree combines them, while the
  // next vector's come.
  const int64_t lanes = hw.vector_lanes;
  const int64_t lane_cycles = v.shape[0] * CeilDiv(v.shape[1], lanes * hw.depthwise_taps);
  Finish(lane_cycles, ports, hw, cost);
  cost.cycles += std::bit_width(static_cast<uint64_t>(lanes)) - 1;
  return cost;
}

InstructionCost EstimateVector(const isa::VSoftmax& i, const EngineState& state,
                               const Hardware& hw) {
  const VectorState& v = state.vector;
  InstructionCost cost;
  cost.dtype = i.dtype;
  cost.vector_elems = 3 * v.Elements();
  PortTotals ports = Ports(i, state, hw, cost);
  // Exponentials of 8-bit operands need more bits than a result has, so each is computed twice; the
  // others stay in the result's place until the sum is known.
  const bool twice = SizeBytes(i.dtype) == 1;
  ports.reads.words *= 3;
  if (!twice) ports.writes.words *= 2;
  const int64_t lanes = WiderLanes(i.dtype, i.out, hw);
  const int64_t rows = v.shape[1] * v.shape[2] * v.shape[3];
  const LaneRows every_row{rows, v.shape[0]};
  const int64_t pass =
      v.shape[0] <= lanes ? TreeCycles(every_row, lanes) : LaneCycles(every_row, lanes);
  // int16 looks its exponentials up, as v.lut does.
  const int64_t exponential = i.dtype == Dtype::kI16 ? 1 : hw.transcendental_cycles;
  const int64_t reciprocal = i.dtype == Dtype::kF32 ? hw.divide_cycles : 0;
  Finish(pass * (1 + exponential + (twice ? exponential : 1)) + reciprocal, ports, hw, cost);
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

InstructionCost EstimateVector(const isa::VFill& i, const EngineState& state, const Hardware& hw) {
  InstructionCost cost;
  cost.dtype = i.dtype;
  const PortTotals ports = Ports(i, state, hw, cost);
  Finish(0, ports, hw, cost);
  return cost;
}

}  // namespace acme

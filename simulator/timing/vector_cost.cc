// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/timing/vector_cost.h"

#include <algorithm>
#include <bit>

#include "simulator/timing/access_words.h"
#include "simulator/timing/vector_parts.h"

namespace acme {
namespace {

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

// Short rows go together where the hardware packs them, as they do in the tree that combines lanes.
int64_t LaneCycles(const LaneRows& rows, int64_t lanes, bool pack_rows) {
  return pack_rows && rows.length <= lanes ? TreeCycles(rows.rows, rows.length, lanes)
                                           : rows.rows * CeilDiv(rows.length, lanes);
}

int64_t WiderLanes(Dtype a, Dtype b, const Hardware& hw) {
  return std::min(LanesFor(a, hw), LanesFor(b, hw));
}

int64_t FunctionFactor(UnaryOp op, const Hardware& hw) {
  if (IsTranscendental(op)) return hw.transcendental_cycles;
  switch (op) {
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
  Finish(
      CyclesWithEpilogue(op, LaneCycles(rows, lanes, hw.pack_rows) * factor, state.vector, lanes),
      ports, hw, cost);
  return cost;
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

bool IsTranscendental(UnaryOp op) {
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
      return true;
    default:
      return false;
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
  Finish(CyclesWithEpilogue(i, lane_cycles, v, LanesFor(i.out, hw)), ports, hw, cost);
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
  const LaneRows rows = MergeRows(v.shape, {{&v.StrideOf(View::kDst), SizeBytes(ResultOf(i))},
                                            {&v.StrideOf(View::kA), bytes},
                                            {&v.StrideOf(View::kB), bytes},
                                            {&v.StrideOf(View::kC), bytes}});
  return Elementwise(i, Dtype::kF32, ResultOf(i), rows, 1, state, hw);
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
  const int64_t lane_cycles =
      ReducedCycles(LaneCycles(rows, lanes, hw.pack_rows), i.dims, v.shape, lanes);
  Finish(lane_cycles, ports, hw, cost);
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
  const int64_t pass = LaneCycles(every_row, lanes, /*pack_rows=*/true);
  // int16 looks its exponentials up, as v.lut does.
  const int64_t exponential = i.dtype == Dtype::kI16 ? 1 : hw.transcendental_cycles;
  const int64_t reciprocal = i.dtype == Dtype::kF32 ? hw.divide_cycles : 0;
  Finish(pass * (1 + exponential + (twice ? exponential : 1)) + reciprocal, ports, hw, cost);
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

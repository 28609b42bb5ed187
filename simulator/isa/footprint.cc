// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/footprint.h"

#include <algorithm>

namespace acme {
namespace {

// A box of elements as runs: contiguous dimensions are merged into the run.
Access Box(Space space, bool write, int64_t addr, const Extents& shape, const Strides& stride,
           int64_t elem_bytes) {
  Access access{.space = space, .write = write, .addr_bytes = addr, .run_bytes = elem_bytes};
  bool merging = true;
  for (int d = 0; d < 4; ++d) {
    if (merging && (shape[d] == 1 || stride[d] == access.run_bytes)) {
      access.run_bytes *= shape[d];
      continue;
    }
    merging = false;
    access.count[d] = shape[d];
    access.stride[d] = stride[d];
  }
  return access;
}

// The input coordinates along one axis that windows touch: one arithmetic progression per entry.
struct Axis {
  int64_t origin;    // coordinate of output 0, tap 0
  int64_t outputs;   // how many
  int64_t stride;    // between outputs
  int64_t taps;      // how many
  int64_t dilation;  // between taps
  int64_t limit;     // coordinates outside 0 .. limit-1 are padding
};

struct Progression {
  int64_t first, count, step;
};

// Calls visit for each progression; together they are exactly the coordinates touched.
template <class F>
void ForEachProgression(const Axis& axis, F&& visit) {
  const int64_t last =
      axis.origin + (axis.outputs - 1) * axis.stride + (axis.taps - 1) * axis.dilation;
  // Beyond 64 taps with gaps between windows the gaps are covered too: no real network has such,
  // and the list stays short.
  const bool gapless = axis.dilation == 1 && (axis.stride <= axis.taps || axis.outputs == 1);
  if (gapless || axis.taps > 64) {
    const int64_t low = std::max<int64_t>(axis.origin, 0);
    const int64_t high = std::min(last, axis.limit - 1);
    if (low <= high) visit(Progression{low, high - low + 1, 1});
    return;
  }
  for (int64_t tap = 0; tap < axis.taps; ++tap) {
    const int64_t start = axis.origin + tap * axis.dilation;
    const int64_t skip = start >= 0 ? 0 : (-start + axis.stride - 1) / axis.stride;
    const int64_t first = start + skip * axis.stride;
    if (skip >= axis.outputs || first >= axis.limit) continue;
    const int64_t count = std::min(axis.outputs - skip, (axis.limit - 1 - first) / axis.stride + 1);
    visit(Progression{first, count, axis.stride});
  }
}

using Visit = AccessVisitor;

// The pixels that windows touch, `pixel_bytes` contiguous bytes of each.
void VisitWindows(const Axis& y_axis, const Axis& x_axis, int64_t addr, int64_t row_stride,
                  int64_t pixel_stride, int64_t pixel_bytes, Visit visit) {
  ForEachProgression(y_axis, [&](const Progression& y) {
    ForEachProgression(x_axis, [&](const Progression& x) {
      visit(Box(Space::kScratchpad, false, addr + y.first * row_stride + x.first * pixel_stride,
                {pixel_bytes, x.count, y.count, 1},
                {1, x.step * pixel_stride, y.step * row_stride, 0}, 1));
    });
  });
}

struct FootprintVisitor {
  const EngineState& state;
  int64_t array_cols;
  Visit visit;

  // Contiguous bytes.
  void Run(Space space, bool write, int64_t addr, int64_t bytes, uint32_t binding = 0) const {
    visit(Access{.space = space,
                 .write = write,
                 .binding = binding,
                 .addr_bytes = addr,
                 .run_bytes = bytes});
  }
  void VectorBox(bool write, View view, int64_t addr, Dtype dtype) const {
    visit(Box(Space::kScratchpad, write, addr, state.vector.shape, state.vector.StrideOf(view),
              SizeBytes(dtype)));
  }
  void Accumulators(bool write, int64_t row, int64_t rows, int64_t cols, bool wide) const {
    visit(Box(Space::kAccumulators, write, row * array_cols * 4,
              {cols, wide ? 2 * rows : rows, 1, 1}, {4, array_cols * 4, 0, 0}, 4));
  }
  void Records(int64_t addr, int64_t count, int64_t bytes) const {
    const int64_t stride = state.vector.params.record_stride;
    visit(Box(Space::kScratchpad, false, addr, {1, count, 1, 1}, {0, stride, 0, 0}, bytes));
  }
  // One float32 for each row of results.
  void Factors(int64_t addr) const {
    const Strides& stride = state.vector.StrideOf(View::kB);
    Extents count = {1, 1, 1, 1};
    for (size_t d = 1; d < count.size(); ++d) {
      if (stride[d] != 0) count[d - 1] = state.vector.shape[d];
    }
    visit(Box(Space::kScratchpad, false, addr, count, {stride[1], stride[2], stride[3], 0},
              SizeBytes(Dtype::kF32)));
  }

  void operator()(const isa::LdCopy& i) const {
    Run(Space::kDram, false, i.dram, i.bytes, i.binding);
    Run(Space::kScratchpad, true, i.spm, i.bytes);
  }
  void operator()(const isa::StCopy& i) const {
    Run(Space::kScratchpad, false, i.spm, i.bytes);
    Run(Space::kDram, true, i.dram, i.bytes, i.binding);
  }
  void operator()(const isa::LdNd& i) const {
    const DmaState& dma = state.load;
    Strides dram = dma.dram_stride;
    dram[0] = i.elem_bytes;
    Access from = Box(Space::kDram, false, i.dram, dma.shape, dram, i.elem_bytes);
    from.binding = i.binding;
    visit(from);
    Extents outer = dma.shape;
    for (int d = 0; d < 4 && i.pad; ++d) outer[d] += dma.pad_lo[d] + dma.pad_hi[d];
    if (i.unpack) outer[0] *= 2;
    visit(Box(Space::kScratchpad, true, i.spm, outer, dma.spm_stride, i.elem_bytes));
  }
  // The indices, and the boxes of all of them.
  template <class I>
  void IndexedBoxes(const I& i, const DmaState& dma, bool write) const {
    Run(Space::kScratchpad, false, dma.index.addr, dma.shape[3] * SizeBytes(Dtype::kI32));
    Extents slices = dma.shape;
    slices[3] = 1;
    Strides dram = dma.dram_stride;
    dram[0] = i.elem_bytes;
    Access boxes = Box(Space::kDram, write, i.dram, slices, dram, i.elem_bytes);
    boxes.binding = i.binding;
    // One slice left dimension 3 to nobody. Here it becomes all that an index may choose, by which
    // bounds are checked and races are found without a look at the indices.
    boxes.count[3] = dma.index.last + 1;
    boxes.stride[3] = dram[3];
    boxes.chosen = dma.shape[3];
    visit(boxes);
  }
  void operator()(const isa::LdGather& i) const {
    const DmaState& dma = state.load;
    IndexedBoxes(i, dma, false);
    Extents shape = dma.shape;
    if (i.unpack) shape[0] *= 2;
    visit(Box(Space::kScratchpad, true, i.spm, shape, dma.spm_stride, i.elem_bytes));
  }
  void operator()(const isa::StScatter& i) const {
    const DmaState& dma = state.store;
    IndexedBoxes(i, dma, true);
    visit(Box(Space::kScratchpad, false, i.spm, dma.shape, dma.spm_stride, i.elem_bytes));
  }
  void operator()(const isa::StNd& i) const {
    const DmaState& dma = state.store;
    Strides dram = dma.dram_stride;
    dram[0] = i.elem_bytes;
    visit(Box(Space::kScratchpad, false, i.spm, dma.shape, dma.spm_stride, i.elem_bytes));
    Access to = Box(Space::kDram, true, i.dram, dma.shape, dram, i.elem_bytes);
    to.binding = i.binding;
    visit(to);
  }

  void operator()(const isa::MLoadW& i) const {
    visit(Box(Space::kScratchpad, false, i.addr, {i.n, i.k, 1, 1}, {i.n_stride, i.k_stride, 0, 0},
              SizeBytes(state.matrix.type.weight)));
  }
  void Results(int64_t acc, int64_t rows, bool swap, bool accumulate) const {
    const WeightPlane& plane = swap ? state.matrix.shadow : state.matrix.active;
    const bool wide = state.matrix.type.act == Dtype::kI16;
    if (accumulate) Accumulators(false, acc, rows, plane.n, wide);
    Accumulators(true, acc, rows, plane.n, wide);
  }
  void operator()(const isa::MStream& i) const {
    const WeightPlane& plane = i.swap ? state.matrix.shadow : state.matrix.active;
    const int64_t bytes = SizeBytes(state.matrix.type.act);
    visit(Box(Space::kScratchpad, false, i.addr, {plane.k, i.m, 1, 1}, {bytes, i.row_stride, 0, 0},
              bytes));
    Results(i.acc, i.m, i.swap, i.accumulate);
  }
  void operator()(const isa::MConv& i) const {
    const isa::MConvWindow& w = state.matrix.window;
    const isa::MConvInput& in = state.matrix.input;
    VisitWindows({i.y0, i.out_h, w.stride_h, w.taps_h, w.dilation_h, in.in_h},
                 {i.x0, i.out_w, w.stride_w, w.taps_w, w.dilation_w, in.in_w}, i.addr,
                 in.row_stride, in.pixel_stride, w.channels * SizeBytes(state.matrix.type.act),
                 visit);
    Results(i.acc, static_cast<int64_t>(i.out_h) * i.out_w, i.swap, i.accumulate);
  }

  void operator()(const isa::VDrain& i) const {
    const Extents& shape = state.vector.shape;
    Accumulators(false, i.acc, shape[1] * shape[2] * shape[3], shape[0], i.acc_type == Dtype::kI64);
    if (ScalesRows(i, state.vector)) {
      Records(i.params, shape[0], ScaledRecordBytes(state.vector));
      Factors(state.vector.params.addr);
    } else if (i.out != Dtype::kI32) {
      Records(i.params, shape[0], RecordBytes(state.vector, i.out == Dtype::kF32));
    }
    if (ReadsResidual(i, state.vector)) visit(ResidualOf(i, state.vector));
    Lookup(i.lookup);
    VectorBox(true, View::kDst, i.dst, i.out);
    Epilogue(i);
  }
  void Lookup(bool has_one) const {
    if (has_one) Run(Space::kScratchpad, false, state.vector.lookup.addr, kLookupBytes);
  }
  // What v.epilogue makes of the results, if the instruction has one.
  template <class Op>
  void Epilogue(const Op& op) const {
    if (!HasEpilogue(op, state.vector)) return;
    const isa::VEpilogue& epilogue = state.vector.epilogue;
    const int64_t bytes =
        Count(KeptExtents(state.vector.shape, epilogue.dims)) * SizeBytes(Dtype::kF32);
    const auto results = [&](int64_t at) {
      if (epilogue.accumulate) Run(Space::kScratchpad, false, at, bytes);
      Run(Space::kScratchpad, true, at, bytes);
    };
    results(epilogue.dst);
    if (epilogue.lows) results(epilogue.lows_dst);
  }
  void operator()(const isa::VBinary& i) const {
    VectorBox(false, View::kA, i.a, FirstOf(i));
    VectorBox(false, View::kB, i.b, SecondOf(i));
    VectorBox(true, View::kDst, i.dst, ResultOf(i));
    Epilogue(i);
  }
  void operator()(const isa::VChain& i) const {
    VectorBox(false, View::kA, i.a, Dtype::kF32);
    VectorBox(false, View::kB, i.b, Dtype::kF32);
    VectorBox(false, View::kC, state.vector.params.addr, Dtype::kF32);
    VectorBox(true, View::kDst, i.dst, ResultOf(i));
    Epilogue(i);
  }
  void operator()(const isa::VCompare& i) const {
    VectorBox(false, View::kA, i.a, i.dtype);
    VectorBox(false, View::kB, i.b, i.dtype);
    VectorBox(true, View::kDst, i.dst, Dtype::kBool);
  }
  // Which elements the mask lets through is data: all of the result counts as written, so that the
  // instruction is ordered after whoever wrote what stays.
  void operator()(const isa::VSelect& i) const {
    VectorBox(false, View::kA, i.a, i.dtype);
    VectorBox(false, View::kB, i.b, Dtype::kBool);
    VectorBox(true, View::kDst, i.dst, i.dtype);
  }
  void operator()(const isa::VUnary& i) const {
    VectorBox(false, View::kA, i.a, i.dtype);
    VectorBox(true, View::kDst, i.dst, i.dtype);
  }
  void operator()(const isa::VLut& i) const {
    VectorBox(false, View::kA, i.a, i.dtype);
    Run(Space::kScratchpad, false, state.vector.params.addr, LutTableBytes(i));
    VectorBox(true, View::kDst, i.dst, i.out);
  }
  void operator()(const isa::VConvert& i) const {
    VectorBox(false, View::kA, i.a, i.dtype);
    VectorBox(true, View::kDst, i.dst, i.out);
  }
  void operator()(const isa::VReduce& i) const {
    VectorBox(false, View::kA, i.a, i.dtype);
    visit(Box(Space::kScratchpad, true, i.dst, KeptExtents(state.vector.shape, i.dims),
              state.vector.StrideOf(View::kDst), SizeBytes(i.out)));
  }
  void Windows(int64_t addr, int64_t pixel_bytes) const {
    const isa::VWindow& w = state.vector.window;
    const isa::VInput& in = state.vector.input;
    VisitWindows({in.y0, state.vector.shape[2], w.stride_h, w.kernel_h, w.dilation_h, in.in_h},
                 {in.x0, state.vector.shape[1], w.stride_w, w.kernel_w, w.dilation_w, in.in_w},
                 addr, in.row_stride, in.pixel_stride, pixel_bytes, visit);
  }
  void operator()(const isa::VPool& i) const {
    Windows(i.a, state.vector.shape[0] * SizeBytes(i.dtype));
    VectorBox(true, View::kDst, i.dst, i.dtype);
  }
  void operator()(const isa::VDepthwise& i) const {
    const VectorState& v = state.vector;
    const Dtype weight = i.dtype == Dtype::kI16 ? Dtype::kI8 : i.dtype;
    Windows(i.a, v.shape[0] / v.window.multiplier * SizeBytes(i.dtype));
    visit(Box(Space::kScratchpad, false, i.weights,
              {v.shape[0], static_cast<int64_t>(v.window.kernel_h) * v.window.kernel_w, 1, 1},
              {SizeBytes(weight), v.params.tap_stride, 0, 0}, SizeBytes(weight)));
    Records(v.params.addr, v.shape[0], RecordBytes(i, v));
    Lookup(i.lookup);
    VectorBox(true, View::kDst, i.dst, ResultOf(i));
    Epilogue(i);
  }
  void operator()(const isa::VDot& i) const {
    const VectorState& v = state.vector;
    Run(Space::kScratchpad, false, i.a, v.shape[1]);
    visit(Box(Space::kScratchpad, false, i.weights, {v.shape[1], v.shape[0], 1, 1},
              {1, v.StrideOf(View::kB)[0], 0, 0}, 1));
    Records(v.params.addr, v.shape[0], RecordBytes(v, /*is_float=*/false));
    visit(Box(Space::kScratchpad, true, i.dst, {v.shape[0], 1, 1, 1},
              {v.StrideOf(View::kDst)[0], 0, 0, 0}, 1));
  }
  void operator()(const isa::VSoftmax& i) const {
    Extents rows = state.vector.shape;
    VectorBox(false, View::kA, i.a, i.dtype);
    if (i.dtype == Dtype::kI16)
      Run(Space::kScratchpad, false, state.vector.params.addr, 4 * kInterpolatedEntries);
    visit(Box(Space::kScratchpad, true, i.dst, rows, state.vector.StrideOf(View::kDst),
              SizeBytes(i.out)));
  }
  void operator()(const isa::VResize& i) const {
    const VectorState& v = state.vector;
    // Which pixels depends on the table; indices are clamped to the tile, so the whole tile bounds
    // them.
    visit(Box(Space::kScratchpad, false, i.a,
              {v.shape[0] * SizeBytes(i.dtype), v.input.in_w, v.input.in_h, 1},
              {1, v.input.pixel_stride, v.input.row_stride, 0}, 1));
    Run(Space::kScratchpad, false, i.table, (v.shape[1] + v.shape[2]) * ResizeRecordBytes(i.op));
    VectorBox(true, View::kDst, i.dst, i.dtype);
  }
  void operator()(const isa::VFill& i) const { VectorBox(true, View::kDst, i.dst, i.dtype); }

  template <class I>
  void operator()(const I&) const {}
};

}  // namespace

Access Access::FirstSlice() const {
  Access slice = *this;
  if (chosen > 0) slice.count[3] = 1;
  slice.chosen = 0;
  return slice;
}

bool ReadsResidual(const isa::VDrain& drain, const VectorState& state) {
  return drain.residual && drain.missing < state.shape[0];
}

Access ResidualOf(const isa::VDrain& drain, const VectorState& state) {
  Extents there = state.shape;
  there[0] -= drain.missing;
  return Box(Space::kScratchpad, false, state.residual.addr, there, state.StrideOf(View::kB),
             SizeBytes(drain.out));
}

int64_t Access::LowBytes() const {
  int64_t low = addr_bytes;
  for (int d = 0; d < 4; ++d) low += std::min<int64_t>(0, (count[d] - 1) * stride[d]);
  return low;
}

int64_t Access::HighBytes() const {
  int64_t high = addr_bytes + run_bytes;
  for (int d = 0; d < 4; ++d) high += std::max<int64_t>(0, (count[d] - 1) * stride[d]);
  return high;
}

int64_t RecordBytes(const VectorState& state, bool is_float) {
  if (is_float) return kFloatRecordBytes;
  return state.QuantOf(View::kDst).rounding == Rounding::kReal ? kRealRecordBytes
                                                               : kIntegerRecordBytes;
}

int64_t ScaledRecordBytes(const VectorState& state) {
  return state.params.offsets ? kOffsetRecordBytes : kScaledRecordBytes;
}

int64_t RecordBytes(const isa::VDepthwise& depthwise, const VectorState& state) {
  return depthwise.scaled ? ScaledRecordBytes(state)
                          : RecordBytes(state, depthwise.dtype == Dtype::kF32);
}

bool ScalesRows(const isa::VDrain& drain, const VectorState& state) {
  return drain.out == Dtype::kF32 && drain.acc_type == Dtype::kI32 &&
         state.params.record_stride == ScaledRecordBytes(state);
}

int64_t LutTableBytes(const isa::VLut& lut) {
  return lut.kind == LutKind::kDirect ? 256 * SizeBytes(lut.out) : 2 * kInterpolatedEntries;
}

int64_t ResizeRecordBytes(ResizeOp op) { return op == ResizeOp::kNearest ? 4 : 12; }

void ForEachAccess(const Instr& instr, const EngineState& state, int64_t array_cols,
                   AccessVisitor visit) {
  std::visit(FootprintVisitor{state, array_cols, visit}, instr.op);
}

}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The rules of single instructions. Bounds come from the footprints, so no rule is written twice.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "simulator/isa/footprint.h"
#include "simulator/isa/info.h"
#include "simulator/module/access_check.h"
#include "simulator/module/verify.h"

namespace acme {
namespace {

bool IsOneOf(Dtype dtype, std::initializer_list<Dtype> list) {
  return std::find(list.begin(), list.end(), dtype) != list.end();
}

Refusal BadType(std::string_view what, Dtype dtype) {
  return fmt::format("{} can't be {}", what, NameOf(dtype));
}

constexpr std::initializer_list<Dtype> kActivationTypes = {Dtype::kI8, Dtype::kU8, Dtype::kI16,
                                                           Dtype::kF32};

constexpr int64_t kMaxIndices = 1 << 20;

struct Checker {
  const EngineState& state;
  const Hardware& hw;

  Refusal Elements() const {
    // Extents are below 2^24 each, so the product is taken step by step.
    int64_t elements = 1;
    for (int64_t extent : state.vector.shape) {
      elements *= extent;
      if (elements > kMaxInstructionElements) return "v.shape has more than 2^24 elements";
    }
    return std::nullopt;
  }

  template <class Op>
  Refusal Epilogue(const Op& op) const {
    if (!HasEpilogue(op, state.vector)) return Elements();
    const isa::VEpilogue& epilogue = state.vector.epilogue;
    if (ResultOf(op) != Dtype::kF32) return BadType("the results of an epilogue", ResultOf(op));
    if (epilogue.dims == 0) return "v.epilogue is not set";
    if (epilogue.lows && epilogue.op != ReduceOp::kMax) return "lows go with max alone";
    if (epilogue.accumulate && !IsExtreme(epilogue.op))
      return fmt::format("an epilogue can't accumulate {}", NameOf(epilogue.op));
    return Elements();
  }

  Refusal DmaBox(const DmaState& dma, int64_t elem_bytes, bool pad) const {
    if (elem_bytes != 1 && elem_bytes != 2 && elem_bytes != 4 && elem_bytes != 8)
      return "elem_bytes must be 1, 2, 4 or 8";
    int64_t elements = 1;
    for (int d = 0; d < 4; ++d) {
      elements *= dma.shape[d] + (pad ? dma.pad_lo[d] + dma.pad_hi[d] : 0);
      if (elements > kMaxInstructionElements) return "more than 2^24 elements";
    }
    return std::nullopt;
  }

  Refusal operator()(const isa::LdNd& i) const {
    if (i.unpack && (i.elem_bytes != 1 || i.pad)) return "unpack needs elem_bytes 1 and no border";
    return DmaBox(state.load, i.elem_bytes, i.pad);
  }
  // Bounds what one instruction may touch and the indices that it reads.
  Refusal Indexed(const DmaState& dma, int64_t elem_bytes) const {
    if (dma.shape[3] >= kMaxIndices) return "n3 of indexed boxes is 2^20 or more";
    return DmaBox(dma, elem_bytes, false);
  }
  Refusal operator()(const isa::LdGather& i) const {
    if (i.unpack && i.elem_bytes != 1) return "unpack needs elem_bytes 1";
    return Indexed(state.load, i.elem_bytes);
  }
  Refusal operator()(const isa::StScatter& i) const { return Indexed(state.store, i.elem_bytes); }
  Refusal operator()(const isa::StNd& i) const { return DmaBox(state.store, i.elem_bytes, false); }

  Refusal operator()(const isa::MType& i) const {
    const bool wide = i.act == Dtype::kI16 && i.weight == Dtype::kI16;
    const bool integer = wide || (IsOneOf(i.act, {Dtype::kI8, Dtype::kU8, Dtype::kI16}) &&
                                  IsOneOf(i.weight, {Dtype::kI8, Dtype::kU8}));
    const bool real = i.act == Dtype::kF32 && i.weight == Dtype::kF32;
    if (!integer && !real) {
      return fmt::format("{} activations with {} weights", NameOf(i.act), NameOf(i.weight));
    }
    if (!real && i.holes) return "only f32 weights have holes";
    if (real && (i.act_zp != 0 || i.weight_zp != 0)) return "f32 has no zero point";
    // The cells multiply 9 x 9 bits, or 16 x 8, twice for 16 x 16.
    if (std::abs(i.act_zp) > 255 || std::abs(i.weight_zp) > 255)
      return "a zero point is outside -255 .. 255";
    if (i.act == Dtype::kI16 && (i.weight == Dtype::kU8 || i.act_zp != 0 || i.weight_zp != 0)) {
      return "i16 activations take i8 or i16 weights and no zero points";
    }
    return std::nullopt;
  }
  Refusal operator()(const isa::MLoadW& i) const {
    if (i.k > hw.array_rows)
      return fmt::format("k is {}, the array has {} rows", i.k, hw.array_rows);
    if (i.n > hw.array_cols)
      return fmt::format("n is {}, the array has {} columns", i.n, hw.array_cols);
    if (state.matrix.shadow.valid) return "the shadow plane holds weights that no stream has taken";
    return std::nullopt;
  }
  Refusal Plane(bool swap, uint32_t acc, const WeightPlane*& plane) const {
    plane = swap ? &state.matrix.shadow : &state.matrix.active;
    if (!plane->valid)
      return swap ? "no weights in the shadow plane" : "no weights in the active plane";
    const bool real = state.matrix.type.act == Dtype::kF32;
    const bool wide = plane->dtype == Dtype::kI16;
    if ((plane->dtype == Dtype::kF32) != real || (wide && state.matrix.type.act != Dtype::kI16))
      return "the weights were loaded as another type";
    if (state.matrix.type.act == Dtype::kI16 && acc % 2 != 0)
      return "i16 results begin at an even accumulator row";
    return std::nullopt;
  }
  Refusal operator()(const isa::MStream& i) const {
    const WeightPlane* plane;
    return Plane(i.swap, i.acc, plane);
  }
  Refusal operator()(const isa::MConv& i) const {
    const WeightPlane* plane;
    if (Refusal bad = Plane(i.swap, i.acc, plane)) return bad;
    const isa::MConvWindow& w = state.matrix.window;
    const int64_t k = static_cast<int64_t>(w.taps_h) * w.taps_w * w.channels;
    if (k != plane->k) {
      return fmt::format("the window has {} elements, the weights {} rows", k, plane->k);
    }
    if (state.matrix.input.in_h == 0) return "m.conv_input is not set";
    return std::nullopt;
  }

  Refusal operator()(const isa::VQuant& i) const {
    if (i.shift < -31 || i.shift > 30) return "shift is outside -31 .. 30";
    return std::nullopt;
  }
  Refusal Records(int64_t bytes) const {
    const int64_t stride = state.vector.params.record_stride;
    if (stride != 0 && stride < bytes) return "v.params record_stride is too small";
    return std::nullopt;
  }
  Refusal Offsets(bool scales) const {
    if (state.vector.params.offsets && !scales) return "v.params offsets of records without scales";
    return std::nullopt;
  }
  Refusal Residual(const isa::VDrain& i) const {
    if (i.missing > (i.residual ? state.vector.shape[0] : 0)) return "missing is too large";
    if (!i.residual) return std::nullopt;
    if (i.out == Dtype::kI32 || (i.out == Dtype::kF32 && i.acc_type != Dtype::kF32))
      return BadType("out with a residual", i.out);
    if (!state.vector.residual_set) return "v.residual is not set";
    return std::nullopt;
  }
  static Refusal Conversions(const isa::VBinary& i) {
    const bool compares = i.op == BinaryOp::kMax || i.op == BinaryOp::kMin;
    const bool operands = i.dtype == Dtype::kF32 || (i.dtype == Dtype::kI8 && compares);
    if ((i.convert_a || i.convert_b) && !operands)
      return BadType("dtype of what is converted", i.dtype);
    if (i.convert_dst && (i.dtype != Dtype::kF32 || i.op == BinaryOp::kMulRound))
      return BadType("dtype of a converted result", i.dtype);
    return std::nullopt;
  }
  Refusal Lookup(bool has_one, Dtype results) const {
    if (!has_one) return std::nullopt;
    if (!IsOneOf(results, {Dtype::kI8, Dtype::kU8}))
      return BadType("results that are looked up", results);
    if (!state.vector.lookup_set) return "v.lookup is not set";
    return std::nullopt;
  }
  Refusal operator()(const isa::VDrain& i) const {
    if (Refusal bad = Elements()) return bad;
    if (state.vector.shape[0] > hw.array_cols) return "n0 is larger than an accumulator row";
    if (i.acc_type == Dtype::kF32) {
      if (i.out != Dtype::kF32) return BadType("out of f32 accumulators", i.out);
    } else {
      if (!IsOneOf(i.acc_type, {Dtype::kI32, Dtype::kI64})) return BadType("acc_type", i.acc_type);
      const bool real = i.acc_type == Dtype::kI32 && i.out == Dtype::kF32;
      if (!real && !IsOneOf(i.out, {Dtype::kI8, Dtype::kU8, Dtype::kI16, Dtype::kI32}))
        return BadType("out", i.out);
      if (i.acc_type == Dtype::kI64 && i.acc % 2 != 0)
        return "i64 accumulators begin at an even row";
    }
    if (Refusal bad = Residual(i)) return bad;
    if (Refusal bad = Lookup(i.lookup, i.out)) return bad;
    if (Refusal bad = Epilogue(i)) return bad;
    if (Refusal bad = Offsets(ScalesRows(i, state.vector))) return bad;
    return Records(RecordBytes(state.vector, i.out == Dtype::kF32));
  }
  Refusal operator()(const isa::VBinary& i) const {
    if (i.dtype == Dtype::kI64) return BadType("dtype", i.dtype);
    if (i.dtype == Dtype::kBool && i.op != BinaryOp::kMax && i.op != BinaryOp::kMin)
      return BadType(NameOf(i.op), i.dtype);
    const bool is_real_only = i.op == BinaryOp::kDiv || i.op == BinaryOp::kMulRound;
    if (is_real_only && i.dtype != Dtype::kF32) return BadType(NameOf(i.op), i.dtype);
    if (DividesIntegers(i.op) && i.dtype != Dtype::kI32) return BadType(NameOf(i.op), i.dtype);
    if (i.op == BinaryOp::kPrelu && i.dtype == Dtype::kI32) return BadType("prelu", i.dtype);
    if (Refusal bad = Conversions(i)) return bad;
    return Epilogue(i);
  }
  Refusal operator()(const isa::VChain& i) const {
    for (const BinaryOp op : {i.op, i.then}) {
      if (!IsChained(op)) return std::string(NameOf(op)) + " is no operation of a chain";
    }
    return Epilogue(i);
  }
  Refusal operator()(const isa::VUnary& i) const {
    const bool any = i.op == UnaryOp::kCopy;
    const bool sign = i.op == UnaryOp::kAbs || i.op == UnaryOp::kNeg;
    const bool table =
        i.op == UnaryOp::kTanh || i.op == UnaryOp::kLogistic || i.op == UnaryOp::kLeakyRelu;
    const bool ok = i.dtype == Dtype::kF32 || (any && i.dtype != Dtype::kI64) ||
                    (sign && IsOneOf(i.dtype, {Dtype::kI8, Dtype::kI16, Dtype::kI32})) ||
                    (table && i.dtype == Dtype::kI16);
    if (!ok) return BadType(NameOf(i.op), i.dtype);
    return Elements();
  }
  Refusal operator()(const isa::VCompare& i) const {
    if (i.dtype == Dtype::kI64) return BadType("dtype", i.dtype);
    return Elements();
  }
  Refusal operator()(const isa::VSelect&) const { return Elements(); }
  Refusal operator()(const isa::VLut& i) const {
    if (i.kind == LutKind::kInterpolated) {
      if (i.dtype != Dtype::kI16) return BadType("dtype of an interpolated table", i.dtype);
      if (i.out != Dtype::kI16) return BadType("out of an interpolated table", i.out);
    } else {
      if (!IsOneOf(i.dtype, {Dtype::kI8, Dtype::kU8}))
        return BadType("dtype of a direct table", i.dtype);
      if (IsOneOf(i.out, {Dtype::kI64, Dtype::kBool}))
        return BadType("out of a direct table", i.out);
    }
    return Elements();
  }
  Refusal operator()(const isa::VConvert& i) const {
    const bool from_int = i.dtype != Dtype::kF32;
    const bool to_int = i.out != Dtype::kF32 && i.out != Dtype::kI64;
    bool ok = false;
    if (i.out == Dtype::kBool) return BadType(NameOf(i.op), i.out);
    if (i.dtype == Dtype::kBool && i.op != ConvertOp::kCast) return BadType(NameOf(i.op), i.dtype);
    switch (i.op) {
      case ConvertOp::kRequantize:
        ok = from_int && to_int;
        break;
      case ConvertOp::kQuantize:
        ok = !from_int && to_int;
        break;
      case ConvertOp::kDequantize:
        ok = from_int && i.out == Dtype::kF32;
        break;
      case ConvertOp::kCast:
        ok = i.out != Dtype::kI64;
        break;
    }
    if (!ok) return BadType(NameOf(i.op), from_int ? i.out : i.dtype);
    return Elements();
  }
  Refusal operator()(const isa::VReduce& i) const {
    if (IsOneOf(i.dtype, {Dtype::kI64, Dtype::kBool})) return BadType("dtype", i.dtype);
    const bool is_real_only = i.op == ReduceOp::kMaxMagnitude || i.op == ReduceOp::kMeanSquares;
    if (is_real_only && i.dtype != Dtype::kF32) return BadType(NameOf(i.op), i.dtype);
    const bool adds = i.op != ReduceOp::kMax && i.op != ReduceOp::kMin;
    if (i.place) {
      if (adds) return "only max and min have a place";
      return i.out == Dtype::kI32 ? Elements() : BadType("out", i.out);
    }
    const bool raw_sum =
        adds && i.dtype != Dtype::kF32 && IsOneOf(i.out, {Dtype::kI32, Dtype::kI64});
    if (i.out != i.dtype && !raw_sum) return BadType("out", i.out);
    return Elements();
  }
  Refusal Window(int64_t pixel_elems) const {
    if (Refusal bad = Elements()) return bad;
    const isa::VWindow& w = state.vector.window;
    if (w.kernel_h == 0 || state.vector.input.in_h == 0) return "v.window or v.input is not set";
    if (state.vector.shape[3] != 1) return "n3 must be 1";
    if (pixel_elems == 0) return "n0 is not a multiple of the window's multiplier";
    return std::nullopt;
  }
  Refusal operator()(const isa::VPool& i) const {
    if (!IsOneOf(i.dtype, kActivationTypes)) return BadType("dtype", i.dtype);
    if (Refusal bad = Window(1)) return bad;
    const isa::VWindow& w = state.vector.window;
    const isa::VInput& in = state.vector.input;
    if (w.dilation_h != 1 || w.dilation_w != 1 || w.multiplier != 1)
      return "v.pool has no dilation and no multiplier";
    // An average over nothing would divide by zero. Windows move one way, so that the first and the
    // last one decide.
    const bool empty_y = in.y0 + static_cast<int64_t>(w.kernel_h) <= 0 ||
                         in.y0 + (state.vector.shape[2] - 1) * w.stride_h >= in.in_h;
    const bool empty_x = in.x0 + static_cast<int64_t>(w.kernel_w) <= 0 ||
                         in.x0 + (state.vector.shape[1] - 1) * w.stride_w >= in.in_w;
    if (empty_y || empty_x) return "a window lies wholly outside the input";
    return Work(w.kernel_h, w.kernel_w);
  }
  // Bounds the multiply-accumulates of one instruction, so that none runs for hours.
  Refusal Work(int64_t kernel_h, int64_t kernel_w) const {
    const isa::VInput& in = state.vector.input;
    const int64_t taps =
        std::min<int64_t>(kernel_h, in.in_h) * std::min<int64_t>(kernel_w, in.in_w);
    if (taps * state.vector.Elements() > (int64_t{1} << 32))
      return "more than 2^32 window elements";
    return std::nullopt;
  }
  Refusal operator()(const isa::VDepthwise& i) const {
    if (!IsOneOf(i.dtype, kActivationTypes)) return BadType("dtype", i.dtype);
    const isa::VWindow& w = state.vector.window;
    const int64_t multiplier = std::max<int64_t>(1, w.multiplier);
    if (Refusal bad = Window(state.vector.shape[0] % multiplier == 0 ? 1 : 0)) return bad;
    if (static_cast<int64_t>(w.kernel_h) * w.kernel_w > 65536) return "more than 65536 taps";
    const int32_t a_zp = state.vector.QuantOf(View::kA).zp;
    const int32_t b_zp = state.vector.QuantOf(View::kB).zp;
    if (std::abs(a_zp) > 255 || std::abs(b_zp) > 255) return "a zero point is outside -255 .. 255";
    if (i.dtype == Dtype::kI16 && (a_zp != 0 || b_zp != 0)) return "i16 takes no zero points";
    if (i.scaled && !IsOneOf(i.dtype, {Dtype::kI8, Dtype::kU8}))
      return BadType("what is scaled", i.dtype);
    if (Refusal bad = Lookup(i.lookup, ResultOf(i))) return bad;
    if (Refusal bad = Work(w.kernel_h, w.kernel_w)) return bad;
    if (Refusal bad = Epilogue(i)) return bad;
    if (Refusal bad = Offsets(i.scaled)) return bad;
    return Records(RecordBytes(i, state.vector));
  }
  Refusal operator()(const isa::VDot& i) const {
    if (!IsOneOf(i.dtype, {Dtype::kI8, Dtype::kU8})) return BadType("dtype", i.dtype);
    if (state.vector.shape[2] > 1 || state.vector.shape[3] > 1) return "n2 and n3 must be 1";
    for (const View view : {View::kA, View::kB}) {
      if (std::abs(state.vector.QuantOf(view).zp) > 255)
        return "a zero point is outside -255 .. 255";
    }
    if (Refusal bad = Elements()) return bad;
    return Records(RecordBytes(state.vector, /*is_float=*/false));
  }
  Refusal operator()(const isa::VSoftmax& i) const {
    const bool bytes = IsOneOf(i.dtype, {Dtype::kI8, Dtype::kU8}) &&
                       IsOneOf(i.out, {Dtype::kI8, Dtype::kU8, Dtype::kI16});
    const bool same = i.dtype == i.out && IsOneOf(i.dtype, {Dtype::kI16, Dtype::kF32});
    if (!bytes && !same) return BadType("out", i.out);
    const int64_t out_bytes = SizeBytes(i.out);
    if (state.vector.StrideOf(View::kA)[0] != SizeBytes(i.dtype) ||
        state.vector.StrideOf(View::kDst)[0] != out_bytes) {
      return "dimension 0 must be contiguous in both views";
    }
    return Elements();
  }
  Refusal operator()(const isa::VResize& i) const {
    if (!IsOneOf(i.dtype, kActivationTypes)) return BadType("dtype", i.dtype);
    if (i.real && (i.op != ResizeOp::kBilinear || i.dtype != Dtype::kU8))
      return "only bilinear of u8 can be blended in binary32";
    if (state.vector.input.in_h == 0) return "v.input is not set";
    if (state.vector.shape[3] != 1) return "n3 must be 1";
    return Elements();
  }
  Refusal operator()(const isa::VFill&) const { return Elements(); }

  template <class I>
  Refusal operator()(const I&) const {
    return std::nullopt;
  }
};

}  // namespace

Expected<void> CheckInstruction(const Instr& instr, const EngineState& state,
                                const Hardware& hardware, std::span<const BufferLimits> buffers) {
  Refusal refusal = std::visit(Checker{state, hardware}, instr.op);
  if (!refusal) {
    ForEachAccess(instr, state, hardware.array_cols, [&](const Access& access) {
      if (!refusal) refusal = CheckAccess(access, hardware, buffers);
    });
  }
  if (refusal) return Error(ErrorCode::kInvalidProgram, *refusal);
  return {};
}

}  // namespace acme

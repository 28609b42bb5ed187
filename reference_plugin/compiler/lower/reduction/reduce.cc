// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Results are computed a box at a time. Where all that goes into a box fits a step, one instruction
// does it; else parts are reduced one after the other and combined: integer sums in 32 bits.

#include "reference_plugin/compiler/lower/reduction/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/vector_task.h"
#include "reference_plugin/compiler/placement/alignment.h"

namespace acme::compiler {
namespace {

// The smallest part of the innermost dimension that is worth a transfer of its own, in elements.
constexpr int32_t kMinInnerElems = 64;

// A part of the input: where, and how much.
struct Part {
  Extent4 origin = {};
  Extent4 extent = {};
};

class ReduceLowering {
 public:
  ReduceLowering(const Reduce& op, ValueId output, LoweringContext& context)
      : op_(op), context_(context) {
    // The vector engine walks four dimensions; of five, which alternate, the outermost kept one is
    // walked here.
    const size_t rank = op.dims.size();
    walked_ = rank <= kVectorRank ? rank : op.dims[rank - 1].reduced ? rank - 2 : rank - 1;
    int32_t x_stride = 1;
    int32_t y_stride = 1;
    size_t at = 0;
    for (size_t d = 0; d < rank; ++d) {
      const ReduceDimension& dim = op.dims[d];
      if (d == walked_) {
        walk_ = {x_stride, y_stride};
      } else {
        extent_[at] = dim.extent;
        reduced_[at] = dim.reduced;
        x_.stride_elems[at] = x_stride;
        y_.stride_elems[at] = dim.reduced ? 0 : y_stride;
        ++at;
      }
      x_stride *= d == 0 && op.x_pitch > 0 ? op.x_pitch : dim.extent;
      if (!dim.reduced) y_stride *= dim.extent;
    }
    // Where nothing is reduced, a dimension of extent 1 is.
    if (std::find(reduced_.begin(), reduced_.end(), true) == reduced_.end())
      reduced_[kVectorRank - 1] = true;
    for (size_t d = 0; d < kVectorRank; ++d) mask_ |= reduced_[d] ? 1u << d : 0;
    x_.value = op.x;
    y_.value = output;
    stream_x_ = StepBytesOf(x_, {1, 1, 1, 1}, context) != 0;
    partial_type_ = op.in == Dtype::kF32 || !op_.IsSum() ? op.in : Dtype::kI32;
    ChooseBox();
  }

  void Run() {
    const int32_t walks = walked_ < op_.dims.size() ? op_.dims[walked_].extent : 1;
    for (int32_t walk = 0; walk < walks; ++walk) {
      x_.base_elems = op_.x_base_elems + int64_t{walk} * walk_.x_stride_elems;
      y_.base_elems = int64_t{walk} * walk_.y_stride_elems;
      ForEachBox(Kept(extent_), Kept(box_), [&](const Extent4& origin, const Extent4& part) {
        RunBox({origin, part});
      });
    }
  }

 private:
  // Whether the engine has the result from the operand: it requantises no sums of 32 bits.
  bool IsOneInstruction() const {
    return op_.in != Dtype::kI32 || SizeBytes(op_.out) >= SizeBytes(Dtype::kI32);
  }
  // Whether all that goes into a box of results is reduced at once.
  bool IsWhole(const Extent4& box) const {
    return IsOneInstruction() && Reduced(box) == Reduced(extent_);
  }

  // Extents with those of the other kind 1.
  Extent4 Kept(Extent4 extent) const {
    for (size_t d = 0; d < kVectorRank; ++d) extent[d] = reduced_[d] ? 1 : extent[d];
    return extent;
  }
  Extent4 Reduced(Extent4 extent) const {
    for (size_t d = 0; d < kVectorRank; ++d) extent[d] = reduced_[d] ? extent[d] : 1;
    return extent;
  }

  int64_t XBytes(const Extent4& box) const {
    return stream_x_ ? AlignUp(BoxElems(box) * SizeBytes(op_.in)) : 0;
  }
  int64_t PartialBytes(const Extent4& box) const {
    return AlignUp(BoxElems(Kept(box)) * SizeBytes(partial_type_));
  }
  int64_t StepBytes(const Extent4& box) const {
    const int64_t y_bytes = AlignUp(BoxElems(Kept(box)) * SizeBytes(op_.out));
    if (IsWhole(box)) return XBytes(box) + y_bytes;
    // One input comes while the other is reduced; what was combined so far and the next partial
    // result; and the scalar of AppendFinish.
    return 2 * XBytes(box) + 2 * PartialBytes(box) + y_bytes + AlignUp(1);
  }

  void ChooseBox() {
    box_ = extent_;
    const auto fits = [&] { return StepBytes(box_) <= context_.StepBytes(); };
    const auto cut = [&](size_t d, int32_t least) {
      while (!fits() && box_[d] > least) box_[d] = std::max(least, (box_[d] + 1) / 2);
    };
    for (size_t d = kVectorRank; d-- > 0;) {
      if (!reduced_[d]) cut(d, d == 0 && !op_.place ? kMinInnerElems : 1);
    }
    // A place within a part would have to be moved on: who asks for places sees to it that they fit.
    if (op_.place) return;
    for (size_t d = kVectorRank; d-- > 0;) {
      if (reduced_[d]) cut(d, d == 0 ? kMinInnerElems : 1);
    }
    cut(0, 1);
  }

  void RunBox(const Part& kept) {
    if (IsWhole(box_)) {
      RunWhole(kept);
    } else {
      RunInParts(kept);
    }
  }

  // The part of the input that goes into `kept`, cut to `reduced` in the other dimensions.
  Part InputOf(const Part& kept, const Part& reduced) const {
    Part input = kept;
    for (size_t d = 0; d < kVectorRank; ++d) {
      if (!reduced_[d]) continue;
      input.origin[d] = reduced.origin[d];
      input.extent[d] = reduced.extent[d];
    }
    return input;
  }

  void RunWhole(const Part& kept) {
    const Part input = InputOf(kept, {{}, extent_});
    const int64_t step = context_.BeginStep(StepBytes(input.extent));
    const ScratchpadBox x = ReadBox(x_, input.origin, input.extent, step, context_);
    const ScratchpadBox y =
        ResultBox(y_, kept.origin, kept.extent, step + XBytes(input.extent), context_);
    AppendReduce(x, input.extent, y.offset, y.stride_bytes, op_.op, op_.out);
    StoreBox(y_, kept.origin, kept.extent, y, context_);
  }

  void RunInParts(const Part& kept) {
    const Extent4 largest = InputOf(kept, {{}, box_}).extent;
    const int64_t step = context_.BeginStep(StepBytes(largest));
    const int64_t sum = step + 2 * XBytes(largest);
    const int64_t next = sum + PartialBytes(largest);
    const int64_t scalar = next + PartialBytes(largest);
    const int64_t y_buffer = scalar + AlignUp(1);
    const ReduceOp op = op_.op == ReduceOp::kMean          ? ReduceOp::kSum
                        : op_.op == ReduceOp::kMeanSquares ? ReduceOp::kSumSquares
                                                           : op_.op;
    const Extent4 dense = PartialStrides(kept.extent);
    int phase = 0;
    bool first = true;
    ForEachBox(Reduced(extent_), Reduced(box_), [&](const Extent4& origin, const Extent4& part) {
      const Part input = InputOf(kept, {origin, part});
      const ScratchpadBox x =
          ReadBox(x_, input.origin, input.extent, step + phase * XBytes(largest), context_);
      const int64_t to = first ? sum : next;
      AppendReduce(x, input.extent, to, dense, op, partial_type_);
      if (!first) AppendCombine(sum, next, kept.extent);
      first = false;
      phase ^= 1;
    });
    const ScratchpadBox y = ResultBox(y_, kept.origin, kept.extent, y_buffer, context_);
    AppendFinish(sum, scalar, kept.extent, y);
    StoreBox(y_, kept.origin, kept.extent, y, context_);
  }

  Extent4 PartialStrides(const Extent4& kept) const {
    Extent4 strides = DenseStrides(kept);
    for (int32_t& stride : strides) stride *= static_cast<int32_t>(SizeBytes(partial_type_));
    return strides;
  }

  isa::VQuant ScaleConfig() const {
    return {.view = View::kDst,
            .zp = op_.out_zp,
            .mult = std::bit_cast<uint32_t>(op_.scale.mult),
            .shift = op_.scale.shift,
            .rounding = Rounding::kDouble};
  }

  void AppendReduce(const ScratchpadBox& x, const Extent4& extent, int64_t to,
                    const Extent4& to_strides, ReduceOp op, Dtype out) {
    context_.Append(
        {.config = {OpenClamp(out), ShapeConfig(extent), ViewConfig(View::kDst, to_strides),
                    ViewConfig(View::kA, x.stride_bytes),
                    isa::VQuant{.view = View::kA, .zp = op_.in_zp}, ScaleConfig()},
         .work = isa::VReduce{.op = op,
                              .dims = mask_,
                              .dtype = op_.in,
                              .out = out,
                              .dst = static_cast<uint32_t>(to),
                              .a = static_cast<uint32_t>(x.offset),
                              .place = op_.place}});
  }

  // sum = sum op next
  void AppendCombine(int64_t sum, int64_t next, const Extent4& kept) {
    const BinaryOp op = op_.IsSum()                ? BinaryOp::kAdd
                        : op_.op == ReduceOp::kMin ? BinaryOp::kMin
                                                   : BinaryOp::kMax;
    AppendBinary(op, sum, next, PartialStrides(kept), kept);
  }

  // at = at op with; `with` is one element where its strides are 0.
  void AppendBinary(BinaryOp op, int64_t at, int64_t with, const Extent4& with_strides,
                    const Extent4& kept) {
    const Extent4 strides = PartialStrides(kept);
    context_.Append(
        {.config = {OpenClamp(partial_type_), ShapeConfig(kept), ViewConfig(View::kDst, strides),
                    ViewConfig(View::kA, strides), ViewConfig(View::kB, with_strides)},
         .work = isa::VBinary{.op = op,
                              .dtype = partial_type_,
                              .dst = static_cast<uint32_t>(at),
                              .a = static_cast<uint32_t>(at),
                              .b = static_cast<uint32_t>(with)}});
  }

  // From combined partial results to the result.
  void AppendFinish(int64_t sum, int64_t scalar, const Extent4& kept, const ScratchpadBox& y) {
    if (op_.IsMean() && op_.in == Dtype::kF32) {
      context_.Append(
          {.config = {ShapeConfig({1, 1, 1, 1}), ViewConfig(View::kDst, {4, 0, 0, 0})},
           .work = isa::VFill{.dtype = Dtype::kF32,
                              .dst = static_cast<uint32_t>(scalar),
                              .value = std::bit_cast<uint32_t>(static_cast<float>(op_.Count()))}});
      AppendBinary(BinaryOp::kDiv, sum, scalar, {}, kept);
    }
    const bool requantise = op_.IsSum() && op_.in != Dtype::kF32 && op_.out != Dtype::kI32;
    Task task = Task{
        .config = {OpenClamp(op_.out), ShapeConfig(kept), ViewConfig(View::kDst, y.stride_bytes),
                   ViewConfig(View::kA, PartialStrides(kept))},
        .work = isa::VUnary{.op = UnaryOp::kCopy,
                            .dtype = op_.out,
                            .dst = static_cast<uint32_t>(y.offset),
                            .a = static_cast<uint32_t>(sum)}};
    if (requantise) {
      task.config.insert(task.config.end(), {isa::VQuant{.view = View::kA}, ScaleConfig()});
      task.work = isa::VConvert{.op = ConvertOp::kRequantize,
                                .dtype = Dtype::kI32,
                                .out = op_.out,
                                .dst = static_cast<uint32_t>(y.offset),
                                .a = static_cast<uint32_t>(sum)};
    }
    context_.Append(std::move(task));
  }

  struct Walk {
    int32_t x_stride_elems = 0;
    int32_t y_stride_elems = 0;
  };

  const Reduce& op_;
  LoweringContext& context_;
  size_t walked_ = 0;  // index of the dimension that is walked here; the rank for none
  Walk walk_;
  OperandLayout x_;
  OperandLayout y_;
  Extent4 extent_ = {1, 1, 1, 1};
  Extent4 box_ = {1, 1, 1, 1};
  std::array<bool, kVectorRank> reduced_ = {};
  uint32_t mask_ = 0;
  bool stream_x_ = false;
  Dtype partial_type_ = Dtype::kI32;
};

// Results of a step of the outermost dimension.
int64_t KeptOfStep(const std::vector<ReduceDimension>& dims) {
  int64_t kept = 1;
  for (size_t d = 0; d + 1 < dims.size(); ++d) kept *= dims[d].reduced ? 1 : dims[d].extent;
  return kept;
}

}  // namespace

std::vector<ReduceDimension> MergeReduceDimensions(const std::vector<int32_t>& shape,
                                                   const std::vector<bool>& reduced) {
  std::vector<ReduceDimension> dims;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 1) continue;
    if (!dims.empty() && dims.back().reduced == reduced[d]) {
      dims.back().extent *= shape[d];
    } else {
      dims.push_back({shape[d], reduced[d]});
    }
  }
  return dims;
}

int64_t Reduce::Count() const {
  int64_t count = 1;
  for (const ReduceDimension& dim : dims) count *= dim.reduced ? dim.extent : 1;
  return count;
}

int64_t Reduce::StepBytesOfOne(int64_t count, Dtype in, Dtype out) {
  return AlignUp(count * SizeBytes(in)) + AlignUp(SizeBytes(out));
}

std::optional<RowReduction> Reduce::AsRowReduction() const {
  const bool is_whole = x_base_elems == 0 && x_pitch == 0;
  const bool has_rows = !dims.empty() && dims[0].reduced &&
                        (dims.size() == 1 || (dims.size() == 2 && !dims[1].reduced));
  if (in != Dtype::kF32 || place || !is_whole || !has_rows) return std::nullopt;
  return RowReduction{x, op, dims[0].extent};
}

// The outermost dimension goes over all rows, a whole number of steps each.
bool Reduce::HasRows(int32_t rows, int32_t result_row_elems) const {
  if (dims.empty() || dims.back().reduced || x_pitch > 0) return false;
  const int64_t step = KeptOfStep(dims);
  return result_row_elems % step == 0 && dims.back().extent == rows * (result_row_elems / step);
}

std::shared_ptr<const LayerOp> Reduce::Rows(const RowRange& result,
                                            std::span<const HeldRows> held) const {
  auto rows = std::make_shared<Reduce>(*this);
  const HeldRows image = FindRows(x, held);
  const int64_t steps = row_elems / KeptOfStep(dims);
  int64_t read = 1;  // elements of a step
  for (size_t d = 0; d + 1 < dims.size(); ++d) read *= dims[d].extent;
  rows->x = image.value;
  rows->x_base_elems += (result.begin - image.rows.begin) * steps * read;
  rows->dims.back().extent = static_cast<int32_t>(result.size() * steps);
  return rows;
}

LayerWork Reduce::Work(const Network&, ValueId) const {
  uint64_t elems = 1;
  for (const ReduceDimension& dim : dims) elems *= static_cast<uint64_t>(dim.extent);
  return {.vector_elems = elems, .dtype = in};
}

std::string Reduce::Describe() const {
  std::string text = fmt::format("reduce {}{} v{} {} to {}", place ? "place of " : "", NameOf(op),
                                 x, NameOf(in), NameOf(out));
  for (const ReduceDimension& dim : dims)
    text += fmt::format(" {}{}", dim.extent, dim.reduced ? "r" : "");
  if (x_base_elems > 0 || x_pitch > 0) text += fmt::format(" from {}", x_base_elems);
  if (x_pitch > 0) text += fmt::format(" pitch {}", x_pitch);
  return text + fmt::format(" zp {} out zp {} scale {}", in_zp, out_zp, ToString(scale));
}

Expected<void> Reduce::Lower(ValueId output, LoweringContext& context) const {
  ReduceLowering(*this, output, context).Run();
  return {};
}

}  // namespace acme::compiler

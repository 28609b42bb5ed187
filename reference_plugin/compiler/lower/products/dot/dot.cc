// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/dot/dot.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/placement/alignment.h"
#include "simulator/timing/access_words.h"

namespace acme::compiler {
namespace {

// More are worth a plane of the array. And weights that several entry points share stand in its order.
constexpr int32_t kMostResults = 32;

int64_t Depth(const Conv& conv) {
  return int64_t{conv.geometry.h.kernel} * conv.geometry.w.kernel * conv.in_c;
}

// A window as large as the image.
bool SeesAll(const WindowAxis& axis) {
  return axis.out == 1 && axis.pad == 0 && axis.in == axis.kernel && axis.dilation == 1;
}

int64_t DotCycles(const Conv& conv, const Hardware& hardware) {
  const int64_t depth = Depth(conv);
  const int64_t bytes = depth * (conv.out_c + 1) + conv.RecordSize() * conv.out_c;
  const int64_t lanes = hardware.vector_lanes;
  return hardware.vector_startup_cycles + std::bit_width(static_cast<uint64_t>(lanes)) +
         std::max(conv.out_c * CeilDiv(depth, lanes * hardware.depthwise_taps),
                  bytes / (hardware.scratchpad_word_bytes * hardware.vector_read_words));
}

int64_t ArrayCycles(const Conv& conv, const Hardware& hardware) {
  const int64_t planes =
      CeilDiv(Depth(conv), hardware.array_rows) * CeilDiv(conv.out_c, hardware.array_cols);
  const int64_t load =
      hardware.array_rows / hardware.weight_rows_per_cycle + hardware.weight_swap_cycles;
  const int64_t drain =
      hardware.array_rows / hardware.row_groups + hardware.array_cols / hardware.col_groups;
  return planes * load + drain + hardware.vector_startup_cycles;
}

class DotLowering {
 public:
  DotLowering(const Conv& conv, ValueId output, LoweringContext& context)
      : conv_(conv), output_(output), context_(context), depth_(static_cast<int32_t>(Depth(conv))) {}

  void Run() {
    const OperandLayout layout{conv_.x, {1, 0, 0, 0}};
    const Extent4 all = {depth_, 1, 1, 1};
    const int64_t bytes = StepBytesOf(layout, all, context_);
    const int64_t step = bytes > 0 ? context_.BeginStep(bytes) : 0;
    x_ = ReadBox(layout, {}, all, step, context_).offset;
    const auto units = static_cast<int32_t>(
        std::max<int64_t>(1, context_.ChunkBytes() / (depth_ + conv_.RecordSize())));
    for (int32_t first = 0; first < conv_.out_c; first += units)
      RunUnits(first, std::min(units, conv_.out_c - first));
  }

 private:
  void RunUnits(int32_t first, int32_t units) {
    const int64_t record_bytes = AlignUp(conv_.RecordSize() * units);
    const int64_t parameters = LoadParameters(first, units, record_bytes);
    const OperandLayout layout{output_, {1, 0, 0, 0}};
    const Extent4 origin = {first, 0, 0, 0};
    const Extent4 box = {units, 1, 1, 1};
    const int64_t bytes = StepBytesOf(layout, box, context_);
    const int64_t step = bytes > 0 ? context_.BeginStep(bytes) : 0;
    const ScratchpadBox y = ResultBox(layout, origin, box, step, context_);
    const Requantization& requantize = conv_.requantize;
    Task task;
    task.config = {
        isa::VShape{.n0 = U(units), .n1 = U(depth_), .n2 = 1, .n3 = 1},
        isa::VView{.view = View::kDst, .s0 = 1},
        isa::VView{.view = View::kB, .s0 = depth_},
        isa::VParams{.addr = U(parameters),
                     .record_stride = static_cast<int32_t>(conv_.RecordSize())},
        isa::VQuant{.view = View::kA, .zp = conv_.act_zp},
        isa::VQuant{.view = View::kB, .zp = conv_.weight_zp},
        isa::VQuant{
            .view = View::kDst, .zp = requantize.out_zp, .rounding = requantize.rounding},
        isa::VClamp{.lo = requantize.clamp.lo, .hi = requantize.clamp.hi}};
    task.work = isa::VDot{.dtype = conv_.dtype,
                          .dst = U(y.offset),
                          .a = U(x_),
                          .weights = U(parameters + record_bytes)};
    context_.Append(std::move(task));
    StoreBox(layout, origin, box, y, context_);
  }

  // Records, then weights, as one transfer.
  int64_t LoadParameters(int32_t first, int32_t units, int64_t record_bytes) {
    std::vector<uint8_t> packed;
    const Value* bias = conv_.bias == kNoValue ? nullptr : &context_.value(conv_.bias);
    for (int32_t unit = first; unit < first + units; ++unit)
      AppendRecord(conv_.requantize, bias, unit, conv_.dtype, packed);
    packed.resize(static_cast<size_t>(record_bytes));
    const auto weights = context_.value(conv_.w).constant;
    const auto from = weights.begin() + int64_t{first} * depth_;
    packed.insert(packed.end(), from, from + int64_t{units} * depth_);
    const auto bytes = static_cast<int64_t>(packed.size());
    return context_.LoadConstant(context_.constants().Add(std::move(packed)), bytes,
                                 /*keep=*/false);
  }

  const Conv& conv_;
  ValueId output_;
  LoweringContext& context_;
  int32_t depth_;
  int64_t x_ = 0;
};

}  // namespace

bool IsDot(const Conv& conv, const Network& network, const Hardware& hardware) {
  const bool bytes = conv.dtype == Dtype::kI8 || conv.dtype == Dtype::kU8;
  const bool whole = conv.part.is_whole() && conv.end_out == 0 && conv.geometry.batches == 1 &&
                     (conv.part.x_channels == 0 || conv.part.x_channels == conv.in_c);
  if (!bytes || !whole || conv.sum_scales != kNoValue || network.value(conv.w).int4 ||
      !SeesAll(conv.geometry.h) || !SeesAll(conv.geometry.w) || conv.out_c > kMostResults)
    return false;
  return Depth(conv) <= GuaranteedStepBytes(hardware) / 4 &&
         DotCycles(conv, hardware) < ArrayCycles(conv, hardware);
}

Expected<void> LowerDot(const Conv& conv, ValueId output, LoweringContext& context) {
  DotLowering(conv, output, context).Run();
  return {};
}

}  // namespace acme::compiler

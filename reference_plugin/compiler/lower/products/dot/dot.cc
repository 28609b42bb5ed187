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

int64_t RecordSize(const Dot& dot) { return RecordBytes(dot.requantize, dot.dtype); }

int64_t DotCycles(const Dot& dot, const Hardware& hardware) {
  const int64_t bytes = int64_t{dot.depth} * (dot.results + 1) + RecordSize(dot) * dot.results;
  const int64_t lanes = hardware.vector_lanes;
  return hardware.vector_startup_cycles + std::bit_width(static_cast<uint64_t>(lanes)) +
         std::max(dot.results * CeilDiv(dot.depth, lanes * hardware.depthwise_taps),
                  bytes / (hardware.scratchpad_word_bytes * hardware.vector_read_words));
}

int64_t ArrayCycles(const Dot& dot, const Hardware& hardware) {
  const int64_t planes =
      CeilDiv(dot.depth, hardware.array_rows) * CeilDiv(dot.results, hardware.array_cols);
  const int64_t load =
      hardware.array_rows / hardware.weight_rows_per_cycle + hardware.weight_swap_cycles;
  const int64_t drain =
      hardware.array_rows / hardware.row_groups + hardware.array_cols / hardware.col_groups;
  return planes * load + drain + hardware.vector_startup_cycles;
}

class DotLowering {
 public:
  DotLowering(const Dot& dot, ValueId output, LoweringContext& context)
      : dot_(dot), output_(output), context_(context), depth_(dot.depth) {}

  void Run() {
    const OperandLayout layout{dot_.x, {1, 0, 0, 0}};
    const Extent4 all = {depth_, 1, 1, 1};
    const int64_t bytes = StepBytesOf(layout, all, context_);
    const int64_t step = bytes > 0 ? context_.BeginStep(bytes) : 0;
    x_ = ReadBox(layout, {}, all, step, context_).offset;
    const auto units = static_cast<int32_t>(
        std::max<int64_t>(1, context_.ChunkBytes() / (depth_ + RecordSize(dot_))));
    for (int32_t first = 0; first < dot_.results; first += units)
      RunUnits(first, std::min(units, dot_.results - first));
  }

 private:
  void RunUnits(int32_t first, int32_t units) {
    const int64_t record_bytes = AlignUp(RecordSize(dot_) * units);
    const int64_t parameters = LoadParameters(first, units, record_bytes);
    const OperandLayout layout{output_, {1, 0, 0, 0}};
    const Extent4 origin = {first, 0, 0, 0};
    const Extent4 box = {units, 1, 1, 1};
    const int64_t bytes = StepBytesOf(layout, box, context_);
    const int64_t step = bytes > 0 ? context_.BeginStep(bytes) : 0;
    const ScratchpadBox y = ResultBox(layout, origin, box, step, context_);
    const Requantization& requantize = dot_.requantize;
    Task task;
    task.config = {
        isa::VShape{.n0 = U(units), .n1 = U(depth_), .n2 = 1, .n3 = 1},
        isa::VView{.view = View::kDst, .s0 = 1},
        isa::VView{.view = View::kB, .s0 = depth_},
        isa::VParams{.addr = U(parameters),
                     .record_stride = static_cast<int32_t>(RecordSize(dot_))},
        isa::VQuant{.view = View::kA, .zp = dot_.act_zp},
        isa::VQuant{.view = View::kB, .zp = dot_.weight_zp},
        isa::VQuant{.view = View::kDst, .zp = requantize.out_zp, .rounding = requantize.rounding},
        isa::VClamp{.lo = requantize.clamp.lo, .hi = requantize.clamp.hi}};
    task.work = isa::VDot{.dtype = dot_.dtype,
                          .dst = U(y.offset),
                          .a = U(x_),
                          .weights = U(parameters + record_bytes)};
    context_.Append(std::move(task));
    StoreBox(layout, origin, box, y, context_);
  }

  // Records, then weights, as one transfer.
  int64_t LoadParameters(int32_t first, int32_t units, int64_t record_bytes) {
    std::vector<uint8_t> packed;
    const Value* bias = dot_.bias == kNoValue ? nullptr : &context_.value(dot_.bias);
    for (int32_t unit = first; unit < first + units; ++unit)
      AppendRecord(dot_.requantize, bias, unit, dot_.dtype, packed);
    packed.resize(static_cast<size_t>(record_bytes));
    const auto weights = context_.value(dot_.w).constant;
    const auto from = weights.begin() + int64_t{first} * depth_;
    packed.insert(packed.end(), from, from + int64_t{units} * depth_);
    const auto bytes = static_cast<int64_t>(packed.size());
    return context_.LoadConstant(context_.constants().Add(std::move(packed)), bytes,
                                 /*keep=*/false);
  }

  const Dot& dot_;
  ValueId output_;
  LoweringContext& context_;
  int32_t depth_;
  int64_t x_ = 0;
};

}  // namespace

bool IsForVectorEngine(const Dot& dot, const Hardware& hardware) {
  return dot.results <= kMostResults && dot.depth <= GuaranteedStepBytes(hardware) / 4 &&
         DotCycles(dot, hardware) < ArrayCycles(dot, hardware);
}

Expected<void> LowerDot(const Dot& dot, ValueId output, LoweringContext& context) {
  DotLowering(dot, output, context).Run();
  return {};
}

}  // namespace acme::compiler

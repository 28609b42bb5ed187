// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The load engine reads indices from the scratchpad and takes the slices from DRAM, some at a time.

#include "reference_plugin/compiler/lower/movement/gather.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {
namespace {

constexpr int64_t kMostIndices = (1 << 20) - 1;
constexpr int64_t kMostElems = 1 << 24;         // of an instruction
constexpr int64_t kMostStride = (1 << 23) - 1;  // in the scratchpad

class GatherLowering {
 public:
  GatherLowering(const Gather& op, ValueId output, LoweringContext& context)
      : op_(op),
        output_(output),
        context_(context),
        packed_(context.value(op.table).int4),
        elem_bytes_(SizeBytes(context.value(output).dtype)) {}

  void Run() {
    const ValuePlace& place = context_.place(output_);
    const int64_t run_bytes = op_.run * elem_bytes_;
    const bool resident = place.scratchpad_offset.has_value();
    const int64_t room = context_.StepBytes() / 2;
    int64_t most = std::min(kMostIndices, kMostElems / op_.run);
    if (!resident || !IndicesResident()) most = std::min(most, room / (run_bytes + 4));
    most = std::clamp<int64_t>(most, 1, op_.count);
    for (int64_t first = 0; first < op_.count; first += most) {
      const int64_t count = std::min(most, op_.count - first);
      const int64_t indices = Indices(first, count);
      for (int64_t outer = 0; outer < op_.outer; ++outer) {
        const int64_t at = (outer * op_.count + first) * run_bytes;
        const int64_t to =
            resident ? *place.scratchpad_offset + at : context_.BeginStep(count * run_bytes);
        Take(outer, indices, count, to);
        if (place.dram) {
          context_.Store(to, {place.dram->binding, place.dram->offset_bytes + at},
                         count * run_bytes);
        }
      }
    }
  }

 private:
  bool IndicesResident() const {
    return !context_.value(op_.indices).is_constant() &&
           context_.place(op_.indices).scratchpad_offset.has_value();
  }

  int64_t Indices(int64_t first, int64_t count) {
    constexpr int64_t kIndexBytes = 4;
    if (IndicesResident()) {
      context_.MakeResident(op_.indices);
      return *context_.place(op_.indices).scratchpad_offset + first * kIndexBytes;
    }
    const int64_t buffer = context_.BeginStep(count * kIndexBytes);
    DramPlace from = context_.DramHome(op_.indices);
    from.offset_bytes += first * kIndexBytes;
    context_.Load(from, buffer, count * kIndexBytes);
    return buffer;
  }

  void Take(int64_t outer, int64_t indices, int64_t count, int64_t to) {
    const int64_t run_bytes = op_.run * elem_bytes_;
    const int64_t slice_bytes = packed_ ? op_.run / 2 : run_bytes;  // in DRAM
    DramPlace from = context_.DramHome(op_.table);
    from.offset_bytes += outer * op_.along * slice_bytes;
    context_.Append(
        {.config = {isa::LdShape{
                        .n0 = U(packed_ ? slice_bytes : op_.run), .n1 = 1, .n2 = 1, .n3 = U(count)},
                    isa::LdDramStride{.s3 = static_cast<int32_t>(slice_bytes)},
                    isa::LdSpmStride{.s0 = static_cast<int32_t>(elem_bytes_),
                                     .s3 = static_cast<int32_t>(run_bytes)},
                    isa::LdIndex{.addr = U(indices), .last = U(op_.along - 1)}},
         .work = isa::LdGather{.binding = from.binding,
                               .dram = U(from.offset_bytes),
                               .spm = U(to),
                               .elem_bytes = U(elem_bytes_),
                               .unpack = packed_}});
  }

  const Gather& op_;
  ValueId output_;
  LoweringContext& context_;
  bool packed_;
  int64_t elem_bytes_;
};

}  // namespace

// None: another compiler might take the slices where they are needed.
LayerWork Gather::Work(const Network& network, ValueId output) const {
  return {.dtype = network.value(output).dtype};
}

// All indices may be the same.
uint64_t Gather::ElemsRead(const Network& network, ValueId output, ValueId operand) const {
  if (operand != table) return LayerOp::ElemsRead(network, output, operand);
  return static_cast<uint64_t>(outer) * static_cast<uint64_t>(run);
}

std::string Gather::Describe() const {
  return fmt::format("gather v{} [{}, {}, {}] at {} of v{}", table, outer, along, run, count,
                     indices);
}

Expected<void> Gather::Lower(ValueId output, LoweringContext& context) const {
  GatherLowering(*this, output, context).Run();
  return {};
}

bool GatherFits(const Gather& gather, Dtype dtype, const Hardware& hardware) {
  const int64_t run_bytes = int64_t{gather.run} * SizeBytes(dtype);
  return run_bytes + 64 <= GuaranteedStepBytes(hardware) / 2 && run_bytes <= kMostStride;
}

}  // namespace acme::compiler

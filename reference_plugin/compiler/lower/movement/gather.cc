// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The load engine reads indices from the scratchpad and takes the slices from DRAM, some at a time.

#include "reference_plugin/compiler/lower/movement/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {
namespace {

constexpr int64_t kMostIndices = (1 << 20) - 1;
constexpr int64_t kMostElems = (1 << 24) - 2;   // of an instruction
constexpr int64_t kMostStride = (1 << 23) - 1;  // in the scratchpad
constexpr int64_t kMostDramStride = std::numeric_limits<int32_t>::max();
constexpr int64_t kIndexBytes = 4;

// What an instruction takes: so many elements of so many slices in so many of the outer dimension.
// Only whole slices are several, and only all slices of several outer ones.
struct Part {
  int64_t outer = 1;
  int64_t count = 1;
  int64_t run = 1;
};

class GatherLowering {
 public:
  GatherLowering(const Gather& op, ValueId output, LoweringContext& context)
      : op_(op),
        output_(output),
        context_(context),
        packed_(context.value(op.table).int4),
        elem_bytes_(SizeBytes(context.value(output).dtype)),
        run_bytes_(op.run * elem_bytes_),
        slice_bytes_(packed_ ? op.run / 2 : run_bytes_) {}

  void Run() {
    const Part most = MostAtOnce();
    for (int64_t first = 0; first < op_.count; first += most.count) {
      const int64_t count = std::min(most.count, op_.count - first);
      const int64_t indices = Indices(first, count);
      for (int64_t outer = 0; outer < op_.outer; outer += most.outer) {
        for (int64_t at = 0; at < op_.run; at += most.run) {
          const Part part = {std::min(most.outer, op_.outer - outer), count,
                             std::min(most.run, op_.run - at)};
          Take(part, indices, {outer, first, at});
        }
      }
    }
  }

 private:
  bool IndicesResident() const {
    return !context_.value(op_.indices).is_constant() &&
           context_.place(op_.indices).scratchpad_offset.has_value();
  }

  Part MostAtOnce() const {
    const int64_t room = context_.StepBytes() / 2;
    const bool buffers = !context_.place(output_).scratchpad_offset;
    Part part = {.run = std::min<int64_t>(op_.run, kMostElems)};
    if (buffers) part.run = std::min(part.run, (room - kIndexBytes) / elem_bytes_);
    if (part.run < op_.run || run_bytes_ > kMostStride) {
      part.run &= ~int64_t{1};  // int4 are loaded in pairs
      return part;
    }
    const int64_t index_bytes = IndicesResident() ? 0 : kIndexBytes;
    const int64_t bytes = (buffers ? run_bytes_ : 0) + index_bytes;
    part.count = std::min(kMostIndices, kMostElems / op_.run);
    if (bytes > 0) part.count = std::min(part.count, room / bytes);
    part.count = std::clamp<int64_t>(part.count, 1, op_.count);
    const int64_t block_bytes = part.count * run_bytes_;
    if (part.count < op_.count || block_bytes > kMostStride ||
        op_.along * slice_bytes_ > kMostDramStride)
      return part;
    part.outer = kMostElems / (part.count * op_.run);
    if (buffers) part.outer = std::min(part.outer, (room - part.count * index_bytes) / block_bytes);
    part.outer = std::clamp<int64_t>(part.outer, 1, op_.outer);
    return part;
  }

  int64_t Indices(int64_t first, int64_t count) {
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

  // The part that begins there, by the indices that stand at `indices`.
  void Take(const Part& part, int64_t indices, const Part& begin) {
    const ValuePlace& place = context_.place(output_);
    const int64_t at =
        ((begin.outer * op_.count + begin.count) * op_.run + begin.run) * elem_bytes_;
    const int64_t bytes = part.outer * part.count * part.run * elem_bytes_;
    const int64_t to =
        place.scratchpad_offset ? *place.scratchpad_offset + at : context_.BeginStep(bytes);
    Load(part, indices, begin, to);
    if (place.dram) context_.Store(to, {place.dram->binding, place.dram->offset_bytes + at}, bytes);
  }

  void Load(const Part& part, int64_t indices, const Part& begin, int64_t to) {
    const int64_t per_byte = packed_ ? 2 : 1;
    const int64_t outer_bytes = op_.along * slice_bytes_;
    DramPlace from = context_.DramHome(op_.table);
    from.offset_bytes += begin.outer * outer_bytes + begin.run * slice_bytes_ / op_.run;
    isa::LdDramStride dram = {.s3 = static_cast<int32_t>(slice_bytes_)};
    isa::LdSpmStride spm = {.s0 = static_cast<int32_t>(elem_bytes_)};
    if (part.count > 1) spm.s3 = static_cast<int32_t>(run_bytes_);
    if (part.outer > 1) {
      dram.s1 = static_cast<int32_t>(outer_bytes);
      spm.s1 = static_cast<int32_t>(part.count * run_bytes_);
    }
    context_.Append(
        {.config = {isa::LdShape{.n0 = U(part.run / per_byte),
                                 .n1 = U(part.outer),
                                 .n2 = 1,
                                 .n3 = U(part.count)},
                    dram, spm, isa::LdIndex{.addr = U(indices), .last = U(op_.along - 1)}},
         .work = isa::LdGather{.binding = from.binding,
                               .dram = U(from.offset_bytes),
                               .spm = U(to),
                               .elem_bytes = U(elem_bytes_),
                               .unpack = packed_}});
  }

  const Gather& op_;
  ValueId output_;
  LoweringContext& context_;
  const bool packed_;
  const int64_t elem_bytes_;
  const int64_t run_bytes_;
  const int64_t slice_bytes_;  // in DRAM
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

bool GatherFits(const Gather& gather, Dtype dtype) {
  return int64_t{gather.run} * SizeBytes(dtype) <= kMostDramStride;
}

}  // namespace acme::compiler

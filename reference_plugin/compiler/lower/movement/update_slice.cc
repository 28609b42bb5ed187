// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The store engine reads the place from the scratchpad and writes the box to DRAM, where the result
// must live: no other engine can be told by data where to write.

#include "reference_plugin/compiler/lower/movement/update_slice.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {
namespace {

struct BoxDimension {
  int32_t extent = 1;
  int64_t from_elems = 0;  // stride in the update
  int64_t to_elems = 0;    // stride in the result
};

// Dimensions that an instruction walks beside the one that the place moves.
constexpr size_t kBoxRank = 3;

class UpdateLowering {
 public:
  UpdateLowering(const UpdateSlice& op, ValueId output, LoweringContext& context)
      : op_(op),
        context_(context),
        home_(*context.place(output).dram),
        elem_bytes_(SizeBytes(context.value(output).dtype)) {}

  void Run() {
    place_at_ = InScratchpad(op_.place, 0, 1);
    Cut(Dimensions(), 0, 0);
  }

 private:
  // Innermost first; extents of 1 dropped, joined where both sides are one walk.
  std::vector<BoxDimension> Dimensions() const {
    std::vector<BoxDimension> dims;
    int64_t from = 1;
    for (size_t d = op_.extent.size(); d-- > 0;) {
      const int32_t extent = op_.extent[d];
      if (extent == 1) continue;
      if (!dims.empty() && dims.back().to_elems * dims.back().extent == op_.stride_elems[d]) {
        dims.back().extent *= extent;
      } else {
        dims.push_back({extent, from, op_.stride_elems[d]});
      }
      from *= extent;
    }
    return dims;
  }

  // Consecutive elements of a value, where they are or in a step buffer.
  int64_t InScratchpad(ValueId id, int64_t first, int64_t elems) {
    const Value& value = context_.value(id);
    const int64_t bytes = SizeBytes(value.dtype);
    if (!value.is_constant() && context_.place(id).scratchpad_offset) {
      context_.MakeResident(id);
      return *context_.place(id).scratchpad_offset + first * bytes;
    }
    const int64_t buffer = context_.BeginStep(elems * bytes);
    DramPlace from = context_.DramHome(id);
    from.offset_bytes += first * bytes;
    context_.Load(from, buffer, elems * bytes);
    return buffer;
  }

  // Parts that an instruction can do and a step can hold, the outermost dimension cut first.
  void Cut(std::vector<BoxDimension> dims, int64_t from_elems, int64_t to_elems) {
    int64_t elems = 1;
    for (const BoxDimension& dim : dims) elems *= dim.extent;
    const size_t rank = !dims.empty() && dims.front().to_elems != 1 ? kBoxRank - 1 : kBoxRank;
    if (dims.size() <= rank && elems * elem_bytes_ <= context_.StepBytes() / 4)
      return Write(dims, elems, from_elems, to_elems);
    const BoxDimension outer = dims.back();
    if (dims.size() > rank) {
      dims.pop_back();
      for (int32_t i = 0; i < outer.extent; ++i)
        Cut(dims, from_elems + i * outer.from_elems, to_elems + i * outer.to_elems);
      return;
    }
    // No dimension of extent 1 is left, which could not be cut again.
    const auto cut_to = [&](int32_t extent) {
      std::vector<BoxDimension> part = dims;
      part.back().extent = extent;
      if (extent == 1) part.pop_back();
      return part;
    };
    const int32_t half = (outer.extent + 1) / 2;
    Cut(cut_to(half), from_elems, to_elems);
    Cut(cut_to(outer.extent - half), from_elems + half * outer.from_elems,
        to_elems + half * outer.to_elems);
  }

  void Write(const std::vector<BoxDimension>& dims, int64_t elems, int64_t from_elems,
             int64_t to_elems) {
    const int64_t from = InScratchpad(op_.update, from_elems, elems);
    uint32_t extent[kBoxRank] = {1, 1, 1};
    int32_t dram[kBoxRank] = {};
    int32_t scratchpad[kBoxRank] = {static_cast<int32_t>(elem_bytes_)};
    size_t at = !dims.empty() && dims.front().to_elems != 1 ? 1 : 0;
    for (const BoxDimension& dim : dims) {
      extent[at] = U(dim.extent);
      dram[at] = static_cast<int32_t>(dim.to_elems * elem_bytes_);
      scratchpad[at++] = static_cast<int32_t>(dim.from_elems * elem_bytes_);
    }
    context_.Append(
        {.config = {isa::StShape{.n0 = extent[0], .n1 = extent[1], .n2 = extent[2], .n3 = 1},
                    isa::StDramStride{.s1 = dram[1],
                                      .s2 = dram[2],
                                      .s3 = static_cast<int32_t>(op_.unit_elems * elem_bytes_)},
                    isa::StSpmStride{.s0 = scratchpad[0], .s1 = scratchpad[1], .s2 = scratchpad[2]},
                    isa::StIndex{.addr = U(place_at_), .last = U(op_.last), .clamp = true}},
         .work = isa::StScatter{.binding = home_.binding,
                                .dram = U(home_.offset_bytes + to_elems * elem_bytes_),
                                .spm = U(from),
                                .elem_bytes = U(elem_bytes_)}});
  }

  const UpdateSlice& op_;
  LoweringContext& context_;
  DramPlace home_;
  int64_t elem_bytes_;
  int64_t place_at_ = 0;
};

// All of the operand, as it is.
Move WholeCopy(ValueId from, int32_t elems) {
  Move copy;
  MovePiece piece;
  piece.from = from;
  piece.dims = {{elems, 1, 1}};
  copy.pieces = {piece};
  return copy;
}

}  // namespace

LayerWork UpdateSlice::Work(const Network& network, ValueId output) const {
  return {.dtype = network.value(output).dtype};
}

// What stays may stay where it is.
uint64_t UpdateSlice::ElemsRead(const Network& network, ValueId output, ValueId id) const {
  return id == operand ? 0 : LayerOp::ElemsRead(network, output, id);
}

std::string UpdateSlice::Describe() const {
  return fmt::format("update v{} by v{} ({}) at v{} * {} up to {}", operand, update,
                     fmt::join(extent, " "), place, unit_elems, last);
}

std::vector<ValueId> UpdateSlice::ValuesInDram(ValueId output) const { return {output}; }

Expected<void> UpdateSlice::Lower(ValueId output, LoweringContext& context) const {
  if (!UpdatedInPlace(context.network(), output)) {
    const auto elems = static_cast<int32_t>(context.value(output).Elems());
    ACME_RETURN_IF_ERROR(WholeCopy(operand, elems).Lower(output, context));
  }
  UpdateLowering(*this, output, context).Run();
  return {};
}

std::optional<ValueId> UpdatedInPlace(const Network& network, ValueId output) {
  if (network.value(output).output_index < 0) return std::nullopt;
  const Layer* writer = network.WriterOf(output);
  const UpdateSlice* update = writer == nullptr ? nullptr : writer->As<UpdateSlice>();
  if (update == nullptr || network.value(update->operand).input_index < 0) return std::nullopt;
  const ValueId input = update->operand;
  if (network.value(input).output_index >= 0 ||
      network.value(input).dtype != network.value(output).dtype)
    return std::nullopt;
  for (const Layer& layer : network.layers) {
    for (const ValueId id : layer.op->Operands()) {
      if (id == kNoValue || network.RootOf(id).value != input) continue;
      // Whatever else reads the input, the update and the place among it, would find what was
      // written over it.
      if (layer.output != output || id == update->update || id == update->place)
        return std::nullopt;
    }
  }
  return input;
}

}  // namespace acme::compiler

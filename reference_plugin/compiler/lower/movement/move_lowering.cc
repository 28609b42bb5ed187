// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The DMA engines do what begins or ends in DRAM, strides and all; the vector engine copies from
// scratchpad to scratchpad, and turns around what changes its order on the way.

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/movement/dma_box.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/vector_task.h"

namespace acme::compiler {
namespace {

constexpr int64_t kFillBytes = 64;
// What v.view's innermost stride holds.
constexpr int64_t kMaxInnerStrideBytes = (1 << 21) - 1;

// Copies bits: the type by size, so that no float is looked at.
Dtype BitsOf(int64_t elem_bytes) {
  return elem_bytes == 1 ? Dtype::kI8 : elem_bytes == 2 ? Dtype::kI16 : Dtype::kI32;
}

class MoveLowering {
 public:
  MoveLowering(ValueId output, LoweringContext& context)
      : output_(output),
        context_(context),
        place_(context.place(output)),
        elem_bytes_(static_cast<int32_t>(SizeBytes(context.value(output).dtype))) {}

  void Run(const MovePiece& piece) {
    const std::vector<MoveDimension> dims = MergeMoveDimensions(piece.dims);
    if (piece.from == kNoValue) {
      place_.scratchpad_offset ? FillScratchpad(piece, dims) : FillDram(piece, dims);
      return;
    }
    const std::optional<int64_t> from = ScratchpadOf(piece.from);
    const int64_t from_bytes = piece.from_base_elems * elem_bytes_;
    const int64_t to_bytes = piece.to_base_elems * elem_bytes_;
    if (from && place_.scratchpad_offset) {
      Copy(*from + from_bytes, *place_.scratchpad_offset + to_bytes, dims);
    } else if (Permutes(dims) || (!from && !place_.scratchpad_offset)) {
      ThroughScratchpad(piece, dims);
    } else if (place_.scratchpad_offset) {
      DmaBox box{DmaDirection::kLoad,
                 context_.DramHome(piece.from),
                 *place_.scratchpad_offset + to_bytes,
                 elem_bytes_,
                 {}};
      box.dram.offset_bytes += from_bytes;
      for (const MoveDimension& dim : dims)
        box.dims.push_back({dim.extent, dim.from_stride_elems, dim.to_stride_elems});
      Transfer(std::move(box), context_);
    } else {
      DmaBox box{DmaDirection::kStore, *place_.dram, *from + from_bytes, elem_bytes_, {}};
      box.dram.offset_bytes += to_bytes;
      for (const MoveDimension& dim : dims)
        box.dims.push_back({dim.extent, dim.to_stride_elems, dim.from_stride_elems});
      Transfer(std::move(box), context_);
    }
  }

  // Results that are kept in the scratchpad go to their home in DRAM in one piece.
  void Finish() {
    if (place_.scratchpad_offset && place_.dram) {
      context_.Store(*place_.scratchpad_offset, *place_.dram, context_.value(output_).Bytes());
    }
  }

 private:
  std::optional<int64_t> ScratchpadOf(ValueId id) {
    if (context_.value(id).is_constant() || !context_.place(id).scratchpad_offset)
      return std::nullopt;
    context_.MakeResident(id);
    return context_.place(id).scratchpad_offset;
  }

  // Copies by the vector engine; dimensions beyond its four are walked here.
  void Copy(int64_t from, int64_t to, const std::vector<MoveDimension>& dims) {
    if (dims.size() > kVectorRank || (dims.size() == kVectorRank && TooWide(dims.front()))) {
      const MoveDimension& outer = dims.back();
      const std::vector<MoveDimension> rest(dims.begin(), dims.end() - 1);
      for (int32_t i = 0; i < outer.extent; ++i) {
        Copy(from + i * outer.from_stride_elems * elem_bytes_,
             to + i * outer.to_stride_elems * elem_bytes_, rest);
      }
      return;
    }
    Extent4 extent = {1, 1, 1, 1};
    // A stride too wide for dimension 0 goes to the next, behind a dimension of one element.
    Extent4 from_stride = {elem_bytes_, 0, 0, 0};
    Extent4 to_stride = {elem_bytes_, 0, 0, 0};
    size_t at = !dims.empty() && TooWide(dims.front()) ? 1 : 0;
    for (const MoveDimension& dim : dims) {
      extent[at] = dim.extent;
      from_stride[at] = static_cast<int32_t>(dim.from_stride_elems * elem_bytes_);
      to_stride[at++] = static_cast<int32_t>(dim.to_stride_elems * elem_bytes_);
    }
    context_.Append(
        {.config = {OpenClamp(Dtype::kI32), ShapeConfig(extent), ViewConfig(View::kDst, to_stride),
                    ViewConfig(View::kA, from_stride)},
         .work = isa::VUnary{.op = UnaryOp::kCopy,
                             .dtype = BitsOf(elem_bytes_),
                             .dst = static_cast<uint32_t>(to),
                             .a = static_cast<uint32_t>(from)}});
  }

  bool TooWide(const MoveDimension& dim) const {
    return std::max(std::abs(dim.from_stride_elems), std::abs(dim.to_stride_elems)) * elem_bytes_ >
           kMaxInnerStrideBytes;
  }

  void Fill(int64_t to, uint32_t value, const std::vector<MoveDimension>& dims) {
    if (dims.size() > kVectorRank || (dims.size() == kVectorRank && TooWide(dims.front()))) {
      const MoveDimension& outer = dims.back();
      const std::vector<MoveDimension> rest(dims.begin(), dims.end() - 1);
      for (int32_t i = 0; i < outer.extent; ++i)
        Fill(to + i * outer.to_stride_elems * elem_bytes_, value, rest);
      return;
    }
    Extent4 extent = {1, 1, 1, 1};
    Extent4 stride = {elem_bytes_, 0, 0, 0};
    size_t at = !dims.empty() && TooWide(dims.front()) ? 1 : 0;
    for (const MoveDimension& dim : dims) {
      extent[at] = dim.extent;
      stride[at++] = static_cast<int32_t>(dim.to_stride_elems * elem_bytes_);
    }
    context_.Append(
        {.config = {ShapeConfig(extent), ViewConfig(View::kDst, stride)},
         .work = isa::VFill{
             .dtype = BitsOf(elem_bytes_), .dst = static_cast<uint32_t>(to), .value = value}});
  }

  void FillScratchpad(const MovePiece& piece, const std::vector<MoveDimension>& dims) {
    Fill(*place_.scratchpad_offset + piece.to_base_elems * elem_bytes_, piece.fill, dims);
  }

  // One element in the scratchpad is stored everywhere.
  void FillDram(const MovePiece& piece, const std::vector<MoveDimension>& dims) {
    const int64_t element = context_.BeginStep(kFillBytes);
    Fill(element, piece.fill, {});
    DmaBox box{DmaDirection::kStore, *place_.dram, element, elem_bytes_, {}};
    box.dram.offset_bytes += piece.to_base_elems * elem_bytes_;
    for (const MoveDimension& dim : dims) box.dims.push_back({dim.extent, dim.to_stride_elems, 0});
    Transfer(std::move(box), context_);
  }

  // Whether neighbours on one side are apart on the other: the DMA engines scatter a word a cycle,
  // the vector engine several.
  bool Permutes(const std::vector<MoveDimension>& dims) const {
    constexpr int64_t kFewElems = 256;
    int64_t elems = 1;
    for (const MoveDimension& dim : dims) {
      if (dim.from_stride_elems <= 0) return false;
      elems *= dim.extent;
    }
    if (elems < kFewElems || dims.size() < 2) return false;
    return (dims.front().from_stride_elems != 1 || dims.front().to_stride_elems != 1) &&
           std::any_of(dims.begin(), dims.end(),
                       [](const MoveDimension& dim) { return dim.from_stride_elems == 1; });
  }

  // In tiles that stand densely in the scratchpad in the result's order; where that is not the
  // operand's, as they came first.
  void ThroughScratchpad(const MovePiece& piece, const std::vector<MoveDimension>& dims) {
    permutes_ = Permutes(dims);
    from_ = ScratchpadOf(piece.from);
    const int64_t buffers = permutes_ && !from_ && !place_.scratchpad_offset ? 2 : 1;
    const std::vector<int32_t> tile =
        ChooseMoveTile(dims, std::min(context_.StepBytes() / buffers / elem_bytes_,
                                      permutes_ ? 4 * kOverlapElems : INT64_MAX));
    DmaBox load{DmaDirection::kLoad,
                from_ ? DramPlace{} : context_.DramHome(piece.from),
                0,
                elem_bytes_,
                {}};
    DmaBox store{DmaDirection::kStore,
                 place_.scratchpad_offset ? DramPlace{} : *place_.dram,
                 0,
                 elem_bytes_,
                 {}};
    load.dram.offset_bytes += piece.from_base_elems * elem_bytes_;
    store.dram.offset_bytes += piece.to_base_elems * elem_bytes_;
    WalkTiles(dims, tile, dims.size(), load, store);
  }

  // `load` and `store` hold the dimensions from `d` on, outermost first.
  void WalkTiles(const std::vector<MoveDimension>& dims, const std::vector<int32_t>& tile, size_t d,
                 const DmaBox& load, const DmaBox& store) {
    if (d == 0) {
      MoveTile(load, store);
      return;
    }
    const MoveDimension& dim = dims[d - 1];
    for (int32_t at = 0; at < dim.extent; at += tile[d - 1]) {
      const int32_t extent = std::min(tile[d - 1], dim.extent - at);
      DmaBox part_load = load;
      DmaBox part_store = store;
      part_load.dram.offset_bytes += at * dim.from_stride_elems * elem_bytes_;
      part_store.dram.offset_bytes += at * dim.to_stride_elems * elem_bytes_;
      part_load.dims.push_back({extent, dim.from_stride_elems, 0});
      part_store.dims.push_back({extent, dim.to_stride_elems, 0});
      WalkTiles(dims, tile, d - 1, part_load, part_store);
    }
  }

  void MoveTile(DmaBox load, DmaBox store) {
    if (permutes_) return PermuteTile(std::move(load), std::move(store));
    int64_t elems = 1;
    for (size_t d = load.dims.size(); d-- > 0;) {  // innermost first
      load.dims[d].scratchpad_stride_elems = elems;
      store.dims[d].scratchpad_stride_elems = elems;
      elems *= load.dims[d].extent;
    }
    const int64_t step = context_.BeginStep(elems * elem_bytes_);
    load.scratchpad = step;
    store.scratchpad = step;
    Transfer(std::move(load), context_);
    Transfer(std::move(store), context_);
  }

  // Neighbours in the operand stay neighbours until the vector engine has turned them around. What
  // has a home in the scratchpad is read and written there.
  void PermuteTile(DmaBox load, DmaBox store) {
    const size_t rank = load.dims.size();
    int64_t elems = 1;
    for (const DmaDimension& dim : load.dims) elems *= dim.extent;
    std::vector<size_t> by_from(rank);
    std::iota(by_from.begin(), by_from.end(), size_t{0});
    std::sort(by_from.begin(), by_from.end(), [&](size_t a, size_t b) {
      return load.dims[a].dram_stride_elems < load.dims[b].dram_stride_elems;
    });
    int64_t from_elems = 1;
    int64_t to_elems = 1;
    for (size_t i = 0; i < rank; ++i) {
      DmaDimension& from = load.dims[by_from[i]];
      from.scratchpad_stride_elems = from_ ? from.dram_stride_elems : from_elems;
      from_elems *= from.extent;
      DmaDimension& to = store.dims[rank - 1 - i];  // innermost first
      to.scratchpad_stride_elems = place_.scratchpad_offset ? to.dram_stride_elems : to_elems;
      to_elems *= to.extent;
    }
    load.scratchpad =
        from_ ? *from_ + load.dram.offset_bytes : context_.BeginStep(elems * elem_bytes_);
    store.scratchpad = place_.scratchpad_offset
                           ? *place_.scratchpad_offset + store.dram.offset_bytes
                           : context_.BeginStep(elems * elem_bytes_);
    std::vector<MoveDimension> copy;
    for (size_t d = rank; d-- > 0;) {
      copy.push_back({load.dims[d].extent, load.dims[d].scratchpad_stride_elems,
                      store.dims[d].scratchpad_stride_elems});
    }
    const int64_t from = load.scratchpad;
    const int64_t to = store.scratchpad;
    if (!from_) Transfer(std::move(load), context_);
    Copy(from, to, MergeMoveDimensions(copy));
    if (!place_.scratchpad_offset) Transfer(std::move(store), context_);
  }

  ValueId output_;
  LoweringContext& context_;
  const ValuePlace& place_;
  int32_t elem_bytes_;
  bool permutes_ = false;
  std::optional<int64_t> from_;  // where the operand stands in the scratchpad
};

}  // namespace

Expected<void> Move::Lower(ValueId output, LoweringContext& context) const {
  MoveLowering lowering(output, context);
  for (const MovePiece& piece : pieces) lowering.Run(piece);
  lowering.Finish();
  return {};
}

}  // namespace acme::compiler

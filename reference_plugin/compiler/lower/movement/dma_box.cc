// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/movement/dma_box.h"

#include <algorithm>
#include <array>
#include <utility>

namespace acme::compiler {
namespace {

constexpr int32_t kMaxExtent = (1 << 24) - 1;

// The contiguous dimension first, the others by their stride.
void SortByDram(std::vector<DmaDimension>& dims) {
  const auto key = [](const DmaDimension& dim) {
    return dim.dram_stride_elems == 1 ? -1 : std::abs(dim.dram_stride_elems);
  };
  std::stable_sort(dims.begin(), dims.end(),
                   [&](const DmaDimension& a, const DmaDimension& b) { return key(a) < key(b); });
}

// Drops extents of 1 and joins dimensions that are one walk on both sides.
std::vector<DmaDimension> Merged(std::vector<DmaDimension> dims) {
  std::erase_if(dims, [](const DmaDimension& dim) { return dim.extent == 1; });
  SortByDram(dims);
  std::vector<DmaDimension> merged;
  for (const DmaDimension& dim : dims) {
    if (!merged.empty()) {
      DmaDimension& inner = merged.back();
      if (dim.dram_stride_elems == inner.dram_stride_elems * inner.extent &&
          dim.scratchpad_stride_elems == inner.scratchpad_stride_elems * inner.extent &&
          int64_t{inner.extent} * dim.extent <= kMaxExtent) {
        inner.extent *= dim.extent;
        continue;
      }
    }
    merged.push_back(dim);
  }
  return merged;
}

// A box that one instruction can do: its innermost dimension is contiguous in DRAM.
void TransferOne(const DmaBox& box, LoweringContext& context) {
  const bool load = box.direction == DmaDirection::kLoad;
  const bool plain =
      box.dims.empty() || (box.dims.size() == 1 && box.dims[0].dram_stride_elems == 1 &&
                           box.dims[0].scratchpad_stride_elems == 1);
  if (plain) {
    const int64_t bytes = int64_t{box.dims.empty() ? 1 : box.dims[0].extent} * box.elem_bytes;
    load ? context.Load(box.dram, box.scratchpad, bytes)
         : context.Store(box.scratchpad, box.dram, bytes);
    return;
  }
  DmaTransfer transfer{box.direction, box.dram, box.scratchpad, box.elem_bytes, {}};
  // The innermost dimension has no stride in DRAM (ld.dram_stride): where none is contiguous it is
  // one element.
  size_t at = box.dims.front().dram_stride_elems == 1 ? 0 : 1;
  if (at == 1) transfer.dims[0].scratchpad_stride_elems = 1;
  for (const DmaDimension& dim : box.dims) transfer.dims[at++] = dim;
  context.Append(DmaTask(transfer));
}

// The same box at a later index of a dimension.
DmaBox Shifted(DmaBox box, const DmaDimension& dim, int64_t index) {
  box.dram.offset_bytes += index * dim.dram_stride_elems * box.elem_bytes;
  box.scratchpad += index * dim.scratchpad_stride_elems * box.elem_bytes;
  return box;
}

// `box.dims` are merged and sorted by their stride in DRAM.
void TransferMerged(const DmaBox& box, LoweringContext& context) {
  for (size_t d = 0; d < box.dims.size(); ++d) {
    if (box.dims[d].extent <= kMaxExtent) continue;
    const DmaDimension dim = box.dims[d];
    DmaBox part = box;
    for (int32_t at = 0; at < dim.extent; at += part.dims[d].extent) {
      part.dims[d].extent = std::min(kMaxExtent, dim.extent - at);
      TransferMerged(Shifted(part, dim, at), context);
    }
    return;
  }
  const bool contiguous = !box.dims.empty() && box.dims.front().dram_stride_elems == 1;
  const size_t rank = contiguous ? kDmaRank : kDmaRank - 1;
  if (box.dims.size() <= rank) return TransferOne(box, context);
  // The shortest of the others is walked here.
  // Each of its steps is a transfer of its own.
  const auto shortest = std::min_element(
      box.dims.begin() + (contiguous ? 1 : 0), box.dims.end(),
      [](const DmaDimension& a, const DmaDimension& b) { return a.extent < b.extent; });
  const DmaDimension dim = *shortest;
  DmaBox rest = box;
  rest.dims.erase(rest.dims.begin() + (shortest - box.dims.begin()));
  for (int32_t i = 0; i < dim.extent; ++i) TransferMerged(Shifted(rest, dim, i), context);
}

}  // namespace

void Transfer(DmaBox box, LoweringContext& context) {
  box.dims = Merged(std::move(box.dims));
  TransferMerged(box, context);
}

}  // namespace acme::compiler

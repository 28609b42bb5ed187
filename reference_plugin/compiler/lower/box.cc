// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/box.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference_plugin/compiler/lower/dma_transfer.h"
#include "reference_plugin/compiler/placement/alignment.h"

namespace acme::compiler {
namespace {

int64_t OffsetElems(const OperandLayout& layout, const Extent4& origin) {
  int64_t offset = layout.base_elems;
  for (size_t d = 0; d < 4; ++d) offset += int64_t{origin[d]} * layout.stride_elems[d];
  return offset;
}

// Whether the part's elements follow each other without a gap.
bool IsContiguous(const Extent4& box, const Extent4& stride) {
  int64_t expected = 1;
  for (size_t d = 0; d < 4; ++d) {
    if (box[d] == 1) continue;
    if (stride[d] != expected) return false;
    expected *= box[d];
  }
  return true;
}

ScratchpadBox ViewOf(int64_t offset, const Extent4& stride_elems, int32_t elem_bytes) {
  ScratchpadBox view;
  view.offset = offset;
  for (size_t d = 0; d < 4; ++d) view.stride_bytes[d] = stride_elems[d] * elem_bytes;
  return view;
}

// The part as one transfer; the scratchpad holds it by strides of its own.
DmaTransfer TransferOf(DmaDirection direction, const DramPlace& dram, const Extent4& dram_stride,
                       int64_t scratchpad, const Extent4& scratchpad_stride, const Extent4& box,
                       int32_t elem_bytes) {
  DmaTransfer transfer{direction, dram, scratchpad, elem_bytes, {}};
  for (size_t d = 0; d < kVectorRank; ++d)
    transfer.dims[d] = {box[d], dram_stride[d], scratchpad_stride[d]};
  transfer.dims[0].scratchpad_stride_elems = 1;
  return transfer;
}

// An instruction's innermost dimension has no stride in DRAM: elements that lie apart there are
// another dimension's, and if none is free, a transfer's each.
void AppendTransfers(DmaTransfer transfer, LoweringContext& context) {
  std::array<DmaDimension, kDmaRank>& dims = transfer.dims;
  const auto innermost = std::find_if(dims.begin(), dims.end(), [](const DmaDimension& dim) {
    return dim.extent == 1 || dim.dram_stride_elems == 1;
  });
  if (innermost != dims.end()) {
    std::swap(*innermost, dims[0]);
    context.Append(DmaTask(transfer));
    return;
  }
  const DmaDimension apart = std::exchange(dims[0], {1, 0, 1});
  for (int32_t i = 0; i < apart.extent; ++i) {
    context.Append(DmaTask(transfer));
    transfer.dram.offset_bytes += apart.dram_stride_elems * transfer.elem_bytes;
    transfer.scratchpad += apart.scratchpad_stride_elems * transfer.elem_bytes;
  }
}

}  // namespace

Extent4 DenseStrides(const Extent4& extent) {
  Extent4 stride;
  int32_t elems = 1;
  for (size_t d = 0; d < 4; ++d) {
    stride[d] = elems;
    elems *= extent[d];
  }
  return stride;
}

int64_t BoxElems(const Extent4& extent) {
  return int64_t{extent[0]} * extent[1] * extent[2] * extent[3];
}

Extent4 ChooseBox(Extent4 extent, int64_t max_elems) {
  for (size_t d = 4; d-- > 0;) {
    // By halves, so that the parts are about as large.
    while (extent[d] > 1 && BoxElems(extent) > max_elems) extent[d] = (extent[d] + 1) / 2;
  }
  return extent;
}

Extent4 StoredExtent(const OperandLayout& layout, const Extent4& box) {
  Extent4 stored;
  for (size_t d = 0; d < 4; ++d) stored[d] = layout.stride_elems[d] == 0 ? 1 : box[d];
  return stored;
}

int64_t StepBytesOf(const OperandLayout& layout, const Extent4& box,
                    const LoweringContext& context) {
  const Value& value = context.value(layout.value);
  if (!value.is_constant() && context.place(layout.value).scratchpad_offset) return 0;
  return AlignUp(BoxElems(StoredExtent(layout, box)) * SizeBytes(value.dtype));
}

ScratchpadBox ReadBox(const OperandLayout& layout, const Extent4& origin, const Extent4& box,
                      int64_t buffer, LoweringContext& context) {
  const Value& value = context.value(layout.value);
  const auto elem_bytes = static_cast<int32_t>(SizeBytes(value.dtype));
  const int64_t offset = OffsetElems(layout, origin) * elem_bytes;
  if (!value.is_constant() && context.place(layout.value).scratchpad_offset) {
    context.MakeResident(layout.value);
    return ViewOf(*context.place(layout.value).scratchpad_offset + offset, layout.stride_elems,
                  elem_bytes);
  }
  const Extent4 stored = StoredExtent(layout, box);
  const Extent4 dense = DenseStrides(stored);
  DramPlace from = context.DramHome(layout.value);
  from.offset_bytes += offset;
  if (IsContiguous(stored, layout.stride_elems)) {
    context.Load(from, buffer, BoxElems(stored) * elem_bytes);
  } else {
    AppendTransfers(TransferOf(DmaDirection::kLoad, from, layout.stride_elems, buffer, dense,
                               stored, elem_bytes),
                    context);
  }
  Extent4 view_stride;
  for (size_t d = 0; d < 4; ++d) view_stride[d] = layout.stride_elems[d] == 0 ? 0 : dense[d];
  return ViewOf(buffer, view_stride, elem_bytes);
}

int64_t ReadAll(ValueId value, LoweringContext& context) {
  const OperandLayout layout{value, {1, 0, 0, 0}};
  const Extent4 all = {static_cast<int32_t>(context.value(value).Elems()), 1, 1, 1};
  const int64_t bytes = StepBytesOf(layout, all, context);
  const int64_t step = bytes > 0 ? context.BeginStep(bytes) : 0;
  return ReadBox(layout, {}, all, step, context).offset;
}

ScratchpadBox ResultBox(const OperandLayout& layout, const Extent4& origin, const Extent4& box,
                        int64_t buffer, const LoweringContext& context) {
  const auto elem_bytes = static_cast<int32_t>(SizeBytes(context.value(layout.value).dtype));
  const ValuePlace& place = context.place(layout.value);
  if (!place.scratchpad_offset) return ViewOf(buffer, DenseStrides(box), elem_bytes);
  return ViewOf(*place.scratchpad_offset + OffsetElems(layout, origin) * elem_bytes,
                layout.stride_elems, elem_bytes);
}

void StoreBox(const OperandLayout& layout, const Extent4& origin, const Extent4& box,
              const ScratchpadBox& from, LoweringContext& context) {
  const ValuePlace& place = context.place(layout.value);
  if (!place.dram) return;
  const auto elem_bytes = static_cast<int32_t>(SizeBytes(context.value(layout.value).dtype));
  const Extent4& dense = layout.stride_elems;
  const DramPlace to{place.dram->binding,
                     place.dram->offset_bytes + OffsetElems(layout, origin) * elem_bytes};
  Extent4 from_stride;
  for (size_t d = 0; d < 4; ++d) from_stride[d] = from.stride_bytes[d] / elem_bytes;
  if (IsContiguous(box, dense) && IsContiguous(box, from_stride)) {
    context.Store(from.offset, to, BoxElems(box) * elem_bytes);
    return;
  }
  AppendTransfers(
      TransferOf(DmaDirection::kStore, to, dense, from.offset, from_stride, box, elem_bytes),
      context);
}

}  // namespace acme::compiler

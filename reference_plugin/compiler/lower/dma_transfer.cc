// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/dma_transfer.h"

namespace acme::compiler {
namespace {

// The load and the store engine have instructions of their own with the same fields.
template <class Shape, class DramStride, class ScratchpadStride, class Nd>
Task TaskOf(const DmaTransfer& transfer) {
  const auto extent = [&](size_t d) { return U(transfer.dims[d].extent); };
  const auto dram = [&](size_t d) {
    return static_cast<int32_t>(transfer.dims[d].dram_stride_elems * transfer.elem_bytes);
  };
  const auto scratchpad = [&](size_t d) {
    return static_cast<int32_t>(transfer.dims[d].scratchpad_stride_elems * transfer.elem_bytes);
  };
  Task task;
  task.config = {
      Shape{.n0 = extent(0), .n1 = extent(1), .n2 = extent(2), .n3 = extent(3)},
      DramStride{.s1 = dram(1), .s2 = dram(2), .s3 = dram(3)},
      ScratchpadStride{
          .s0 = scratchpad(0), .s1 = scratchpad(1), .s2 = scratchpad(2), .s3 = scratchpad(3)}};
  task.work = Nd{.binding = transfer.dram.binding,
                 .dram = U(transfer.dram.offset_bytes),
                 .spm = U(transfer.scratchpad),
                 .elem_bytes = U(transfer.elem_bytes)};
  return task;
}

}  // namespace

Task DmaTask(const DmaTransfer& transfer) {
  return transfer.direction == DmaDirection::kLoad
             ? TaskOf<isa::LdShape, isa::LdDramStride, isa::LdSpmStride, isa::LdNd>(transfer)
             : TaskOf<isa::StShape, isa::StDramStride, isa::StSpmStride, isa::StNd>(transfer);
}

}  // namespace acme::compiler

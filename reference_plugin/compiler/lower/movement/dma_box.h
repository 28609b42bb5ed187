// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Strided boxes of any number of dimensions between DRAM and the scratchpad, as as few transfers as
// the DMA engines' four dimensions allow.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_DMA_BOX_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_DMA_BOX_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/lower/dma_transfer.h"
#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {

// What is transferred: elements of elem_bytes (1, 2 or 4). `dram` and `scratchpad` are the places
// of the element at index 0 in all dimensions, in whatever order they stand.
struct DmaBox {
  DmaDirection direction = DmaDirection::kLoad;
  DramPlace dram;
  int64_t scratchpad = 0;
  int32_t elem_bytes = 1;
  std::vector<DmaDimension> dims;
};

// Appends the transfers.
void Transfer(DmaBox box, LoweringContext& context);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_DMA_BOX_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One instruction of a DMA engine: a strided box of up to four dimensions between DRAM and the
// scratchpad.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_DMA_TRANSFER_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_DMA_TRANSFER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "reference_plugin/compiler/placement/placement.h"
#include "reference_plugin/compiler/tasks/task.h"

namespace acme::compiler {

// Strides may be 0 (the same element again, on the side that is read) or negative.
struct DmaDimension {
  int32_t extent = 1;
  int64_t dram_stride_elems = 0;
  int64_t scratchpad_stride_elems = 0;
  bool operator==(const DmaDimension&) const = default;
};

enum class DmaDirection : uint8_t { kLoad, kStore };

inline constexpr size_t kDmaRank = 4;  // dimensions that an instruction walks

// Elements of elem_bytes (1, 2 or 4). `dram` and `scratchpad` are the places of the element at
// index 0 in all dimensions, in whatever order they stand. Innermost first; the innermost is
// contiguous in DRAM, whatever its stride there says.
struct DmaTransfer {
  DmaDirection direction = DmaDirection::kLoad;
  DramPlace dram;
  int64_t scratchpad = 0;
  int64_t elem_bytes = 1;
  std::array<DmaDimension, kDmaRank> dims;
};

Task DmaTask(const DmaTransfer& transfer);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_DMA_TRANSFER_H_

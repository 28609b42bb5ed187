// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Strided boxes of any number of dimensions between DRAM and the scratchpad, as as few transfers as
// the DMA engines' four dimensions allow.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_DMA_BOX_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_DMA_BOX_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {

// Strides may be 0 (the same element again, on the side that is read) or negative.
struct DmaDimension {
  int32_t extent = 1;
  int64_t dram_stride_elems = 0;
  int64_t scratchpad_stride_elems = 0;
  bool operator==(const DmaDimension&) const = default;
};

enum class DmaDirection : uint8_t { kLoad, kStore };

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

// First and last byte (exclusive) of strided elements around `base_bytes`, by extents and strides.
struct StridedDimension {
  int32_t extent = 1;
  int64_t stride_elems = 0;
};
struct ByteRange {
  int64_t begin = 0;
  int64_t end = 0;
};
ByteRange RangeOf(int64_t base_bytes, const std::vector<StridedDimension>& dims,
                  int32_t elem_bytes);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_DMA_BOX_H_

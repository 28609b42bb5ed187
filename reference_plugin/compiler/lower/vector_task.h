// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Pieces of vector engine tasks that the lowerings share.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_VECTOR_TASK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_VECTOR_TASK_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/tasks/task.h"

namespace acme::compiler {

// What the extents of an input tile hold in the instructions for pooling and resizing.
inline constexpr int32_t kMaxTileExtent = (1 << 12) - 1;

inline isa::VShape ShapeConfig(const Extent4& extent) {
  return {.n0 = static_cast<uint32_t>(extent[0]),
          .n1 = static_cast<uint32_t>(extent[1]),
          .n2 = static_cast<uint32_t>(extent[2]),
          .n3 = static_cast<uint32_t>(extent[3])};
}

// Strides in bytes.
inline isa::VView ViewConfig(View view, const Extent4& stride) {
  return {.view = view, .s0 = stride[0], .s1 = stride[1], .s2 = stride[2], .s3 = stride[3]};
}

// Limits that leave every result of the type as it is.
inline isa::VClamp OpenClamp(Dtype dtype) {
  const ClampRange open = OpenRange(dtype == Dtype::kF32 ? Dtype::kF32 : Dtype::kI32);
  return {.lo = open.lo, .hi = open.hi};
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_VECTOR_TASK_H_

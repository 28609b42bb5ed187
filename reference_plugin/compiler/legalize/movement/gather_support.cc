// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/movement/gather_support.h"

#include <fmt/format.h>

#include "reference_plugin/compiler/legalize/legalize.h"

namespace acme::compiler {

Expected<void> CheckGatherIndices(const TensorInfo& indices) {
  if (indices.value.dtype == Dtype::kI32) return {};
  return Unsupported(
      fmt::format("indices must be int32, they are {}", DtypeName(indices.value.dtype)));
}

Expected<void> CheckGatherFits(const Gather& gather, Dtype dtype) {
  if (GatherFits(gather, dtype)) return {};
  return Unsupported(fmt::format("a slice of {} elements is too large", gather.run));
}

}  // namespace acme::compiler

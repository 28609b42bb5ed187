// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/elementwise/broadcast.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference_plugin/compiler/legalize/legalize.h"

namespace acme::compiler {

Expected<Walk> BroadcastTo(const std::vector<int32_t>& result,
                           std::span<const std::vector<int32_t>> operands) {
  std::vector<int32_t> largest(result.size(), 1);
  for (const std::vector<int32_t>& shape : operands) {
    bool fits = shape.size() <= result.size();
    for (size_t d = 0; fits && d < shape.size(); ++d) {
      const size_t at = result.size() - shape.size() + d;
      fits = shape[d] == 1 || shape[d] == result[at];
      largest[at] = std::max(largest[at], shape[d]);
    }
    if (!fits)
      return Unsupported(fmt::format("operand {} does not broadcast to the result {}",
                                     ShapeName(shape), ShapeName(result)));
  }
  if (largest != result)
    return Unsupported(fmt::format("the result {} is larger than its operands", ShapeName(result)));
  return PlanWalk(operands, result);
}

}  // namespace acme::compiler

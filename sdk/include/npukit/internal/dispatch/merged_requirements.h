// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_MERGED_REQUIREMENTS_H_
#define NPUKIT_INTERNAL_DISPATCH_MERGED_REQUIREMENTS_H_

// What several readers of one buffer ask of it.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// What meets all of them; an error if none can. `index` is that of the graph's port, for the error.
inline ::litert::Expected<BufferRequirements> MergeRequirements(
    std::vector<BufferRequirements> demands, size_t index) {
  BufferRequirements merged;
  bool is_first = true;
  for (BufferRequirements& demand : demands) {
    if (is_first) {
      merged = std::move(demand);
      is_first = false;
      continue;
    }
    if (demand.strides_elems != merged.strides_elems || demand.types != merged.types) {
      return ::litert::Unexpected(
          ::litert::Status::kErrorUnsupported,
          ::litert::internal::Text({"the readers of input ", index, " ask for other layouts"}));
    }
    merged.size_bytes = std::max(merged.size_bytes, demand.size_bytes);
    merged.alignment_bytes = std::max(merged.alignment_bytes, demand.alignment_bytes);
  }
  return merged;
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_MERGED_REQUIREMENTS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Lists of dimensions among an operator's options.

#ifndef NPUKIT_SDK_HOST_KERNELS_INDEXING_NAMED_DIMS_H_
#define NPUKIT_SDK_HOST_KERNELS_INDEXING_NAMED_DIMS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sdk/host/kernels/node.h"

namespace npukit::kernels {

inline bool Holds(const std::vector<int64_t>& dims, size_t dim) {
  return std::ranges::find(dims, static_cast<int64_t>(dim)) != dims.end();
}

// The list, if each is below `rank` and none is named twice.
inline litert::Expected<std::vector<int>> DimsNamed(const Node& node,
                                                    const std::vector<int64_t>& dims, size_t rank) {
  std::vector<int> named;
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= static_cast<int64_t>(rank) ||
        std::ranges::find(named, static_cast<int>(dim)) != named.end())
      return InvalidNode(node, "names a dimension twice or that is not there");
    named.push_back(static_cast<int>(dim));
  }
  return named;
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_INDEXING_NAMED_DIMS_H_

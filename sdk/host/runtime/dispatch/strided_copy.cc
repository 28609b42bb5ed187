// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/strided_copy.h"

#include <cstddef>
#include <cstring>

namespace npukit {
namespace {

struct Copy {
  StridedDirection direction;
  std::span<const int32_t> dims;
  std::span<const uint32_t> strides_elems;
  size_t element_bytes;

  // Copies what lies below dimension `at`; gives the dense bytes behind it.
  uint8_t* Run(size_t at, uint8_t* dense, uint8_t* strided) const {
    if (at == dims.size()) return Move(dense, strided, element_bytes);
    if (at + 1 == dims.size() && strides_elems[at] == 1) {
      return Move(dense, strided, element_bytes * static_cast<size_t>(dims[at]));
    }
    for (int32_t i = 0; i < dims[at]; ++i) {
      dense = Run(at + 1, dense, strided);
      strided += element_bytes * strides_elems[at];
    }
    return dense;
  }

  uint8_t* Move(uint8_t* dense, uint8_t* strided, size_t bytes) const {
    if (direction == StridedDirection::kFromDense) {
      std::memcpy(strided, dense, bytes);
    } else {
      std::memcpy(dense, strided, bytes);
    }
    return dense + bytes;
  }
};

}  // namespace

void CopyStrided(StridedDirection direction, std::span<const int32_t> dims,
                 std::span<const uint32_t> strides_elems, size_t element_bytes,
                 std::span<uint8_t> dense, std::span<uint8_t> strided) {
  if (dense.empty()) return;
  Copy{direction, dims, strides_elems, element_bytes}.Run(0, dense.data(), strided.data());
}

}  // namespace npukit

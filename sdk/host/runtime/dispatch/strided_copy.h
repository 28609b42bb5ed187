// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Copies between a tensor's dense bytes and a layout with strides.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_STRIDED_COPY_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_STRIDED_COPY_H_

#include <cstdint>
#include <span>

namespace npukit {

enum class StridedDirection { kFromDense, kToDense };

// `dims` and `strides_elems` are as long as the rank; elements of `element_bytes`. `dense` holds
// all elements in C order, `strided` reaches at least to the last one by its strides. Bytes between
// elements stay untouched. Allocates nothing.
void CopyStrided(StridedDirection direction, std::span<const int32_t> dims,
                 std::span<const uint32_t> strides_elems, size_t element_bytes,
                 std::span<uint8_t> dense, std::span<uint8_t> strided);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_STRIDED_COPY_H_

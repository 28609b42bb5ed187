// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CAST between float32 and integers of which several lie in a byte.

#ifndef NPUKIT_SDK_HOST_KERNELS_QUANTIZATION_PACKED_CAST_H_
#define NPUKIT_SDK_HOST_KERNELS_QUANTIZATION_PACKED_CAST_H_

#include <memory>

#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

// Whether the node's input or output is int4, uint4 or int2.
bool IsPackedCast(const Node& node);
// The other side is float32. Floats are clamped to the type, NaN to its largest number.
std::unique_ptr<Kernel> MakePackedCast(const Node& node);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_QUANTIZATION_PACKED_CAST_H_

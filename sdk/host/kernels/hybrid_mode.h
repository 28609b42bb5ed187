// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_KERNELS_HYBRID_MODE_H_
#define NPUKIT_SDK_HOST_KERNELS_HYBRID_MODE_H_

namespace npukit::kernels {

// Of operators with float activations and narrow weights: docs/adr/0012-hybrid-arithmetic.md.
enum class HybridMode {
  kAsTflite,  // activations rounded to 8 bits
  kExact,     // weights dequantised, activations as they are
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_HYBRID_MODE_H_

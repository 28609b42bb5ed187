// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The hot loops for one instruction set; the build gives this file its flags.

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "sdk/host/kernels/hot/hot_kernels.h"

namespace npukit::kernels {
namespace baseline {

#include "sdk/host/kernels/hot/vector_baseline.inc"

// Pixels whose sums fit into the registers with two panels.
constexpr int kIntegerRows = 4;
constexpr int kFloatRows = 4;

#include "sdk/host/kernels/hot/hot_kernels.inc"

}  // namespace baseline

extern const HotKernels kHotKernelsBaseline;
const HotKernels kHotKernelsBaseline = baseline::kKernels;

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// the microkernels for one instruction set; the build gives this file its flags.

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "sdk/host/kernels/microkernels/microkernels.h"

namespace npukit::kernels {
namespace baseline {

#include "sdk/host/kernels/microkernels/vector_baseline.inc"

// Pixels whose sums fit into the registers with two panels.
constexpr int kIntegerRows = 4;
constexpr int kFloatRows = 4;

#include "sdk/host/kernels/microkernels/microkernels.inc"

}  // namespace baseline

extern const Microkernels kMicrokernelsBaseline;
const Microkernels kMicrokernelsBaseline = baseline::kKernels;

}  // namespace npukit::kernels

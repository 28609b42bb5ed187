// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// the microkernels for one instruction set; the build gives this file its flags.

#include <immintrin.h>

#include "sdk/host/kernels/microkernels/microkernels.h"

namespace npukit::kernels {
namespace avx2 {

#include "sdk/host/kernels/microkernels/vector_avx2.inc"

// Pixels whose sums fit into the registers with two panels.
constexpr int kIntegerRows = 4;
constexpr int kFloatRows = 6;

#include "sdk/host/kernels/microkernels/microkernels.inc"

}  // namespace avx2

extern const Microkernels kMicrokernelsAvx2;
const Microkernels kMicrokernelsAvx2 = avx2::kKernels;

}  // namespace npukit::kernels

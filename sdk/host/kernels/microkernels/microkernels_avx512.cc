// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// the microkernels for one instruction set; the build gives this file its flags.

#include <immintrin.h>

#include "sdk/host/kernels/microkernels/microkernels.h"

namespace npukit::kernels {
namespace avx512 {

#include "sdk/host/kernels/microkernels/vector_avx512.inc"

// Pixels whose sums fit into the registers with two panels.
constexpr int kIntegerRows = 8;
constexpr int kFloatRows = 8;

#include "sdk/host/kernels/microkernels/microkernels.inc"

}  // namespace avx512

extern const Microkernels kMicrokernelsAvx512;
const Microkernels kMicrokernelsAvx512 = avx512::kKernels;

}  // namespace npukit::kernels

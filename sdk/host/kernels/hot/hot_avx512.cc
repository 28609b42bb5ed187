// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The hot loops for one instruction set; the build gives this file its flags.

#include <immintrin.h>

#include "sdk/host/kernels/hot/hot_kernels.h"

namespace npukit::kernels {
namespace avx512 {

#include "sdk/host/kernels/hot/vector_avx512.inc"

// Pixels whose sums fit into the registers with two panels.
constexpr int kIntegerRows = 8;
constexpr int kFloatRows = 8;

#include "sdk/host/kernels/hot/hot_kernels.inc"

}  // namespace avx512

extern const HotKernels kHotKernelsAvx512;
const HotKernels kHotKernelsAvx512 = avx512::kKernels;

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The code paths that microkernels are compiled for. Integer results are the
// same on all; float results stay within the oracle's bound on all.

#ifndef NPUKIT_SDK_HOST_KERNELS_CPU_ISA_H_
#define NPUKIT_SDK_HOST_KERNELS_CPU_ISA_H_

namespace npukit::kernels {

enum class CpuIsa {
  kBaseline,    // what the compiler targets by default (x86-64: SSE2), and any other machine
  kAvx2,        // AVX2, FMA, F16C
  kAvx512,      // AVX-512 F, BW, DQ, VL
  kAvx512Vnni,  // and VNNI
};

// The best one this machine and its operating system can run. The environment
// variable NPUKIT_CPU_ISA (baseline, avx2, avx512, avx512vnni) lowers it. Read
// once; thread-safe.
CpuIsa DetectCpuIsa();
const char* CpuIsaName(CpuIsa isa);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CPU_ISA_H_

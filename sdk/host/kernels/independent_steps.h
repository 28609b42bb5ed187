// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Before a loop over elements whose output is its input or lies apart from it, so that a step reads nothing
// that another writes. (The compiler would look whether they overlap, and go one by one in place.)

#ifndef NPUKIT_SDK_HOST_KERNELS_INDEPENDENT_STEPS_H_
#define NPUKIT_SDK_HOST_KERNELS_INDEPENDENT_STEPS_H_

#if defined(__clang__)
#define NPUKIT_INDEPENDENT_STEPS _Pragma("clang loop vectorize(assume_safety)")
#else
#define NPUKIT_INDEPENDENT_STEPS _Pragma("GCC ivdep")
#endif

#endif  // NPUKIT_SDK_HOST_KERNELS_INDEPENDENT_STEPS_H_

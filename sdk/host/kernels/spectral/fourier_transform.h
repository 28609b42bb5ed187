// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_KERNELS_SPECTRAL_FOURIER_TRANSFORM_H_
#define NPUKIT_SDK_HOST_KERNELS_SPECTRAL_FOURIER_TRANSFORM_H_

#include <complex>
#include <cstdint>

namespace npukit::kernels {

// The discrete Fourier transform in place, of values that are `stride` apart; their number is a power
// of two.
void FourierTransform(std::complex<double>* values, int64_t count, int64_t stride);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_SPECTRAL_FOURIER_TRANSFORM_H_

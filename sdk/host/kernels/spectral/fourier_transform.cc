// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/spectral/fourier_transform.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace npukit::kernels {

void FourierTransform(std::complex<double>* values, int64_t count, int64_t stride) {
  for (int64_t i = 1, j = 0; i < count; ++i) {
    int64_t bit = count >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i * stride], values[j * stride]);
  }
  for (int64_t length = 2; length <= count; length *= 2) {
    for (int64_t k = 0; k < length / 2; ++k) {
      const double angle =
          -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length);
      const std::complex<double> factor(std::cos(angle), std::sin(angle));
      for (int64_t i = k; i < count; i += length) {
        std::complex<double>& even = values[i * stride];
        std::complex<double>& odd = values[(i + length / 2) * stride];
        const std::complex<double> turned = odd * factor;
        odd = even - turned;
        even += turned;
      }
    }
  }
}

}  // namespace npukit::kernels

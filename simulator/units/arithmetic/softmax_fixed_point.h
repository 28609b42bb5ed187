// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The fixed-point exponential and reciprocal behind TFLite's quantised softmax (gemmlowp's
// algorithms, bit for bit).

#ifndef NPUKIT_SIMULATOR_UNITS_ARITHMETIC_SOFTMAX_FIXED_POINT_H_
#define NPUKIT_SIMULATOR_UNITS_ARITHMETIC_SOFTMAX_FIXED_POINT_H_

#include <cstdint>

namespace acme {

// e^x for x <= 0 with 26 fraction bits; result with 31.
int32_t ExpOfNegative(int32_t x_q26);

// 1 / x for x with `fraction_bits` of fraction: result * 2^-31 * 2^-scale_bits, scale_bits = 31 -
// fraction_bits - clz(x).
int32_t ReciprocalOf(int32_t x, int integer_bits, int* num_bits_over_unit);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_ARITHMETIC_SOFTMAX_FIXED_POINT_H_

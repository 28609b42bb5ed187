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

// 1 / x for x > 0 with 31 - integer_bits bits of fraction: the result has 31 bits of fraction and is
// to be divided by 2^*num_bits_over_unit.
int32_t ReciprocalOf(int32_t x, int integer_bits, int* num_bits_over_unit);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_ARITHMETIC_SOFTMAX_FIXED_POINT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of one quantised number as the tables that v.lut and v.softmax read, made exactly as
// TFLite makes them (tflite/kernels/internal/common.h, LUTPopulate), and the fixed-point arithmetic
// that the entries are computed with.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_TABLES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_TABLES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"

namespace acme::compiler {

// real = scale * (stored - zero_point)
struct Affine {
  float scale = 0;
  int32_t zero_point = 0;
};

// 256 entries of an 8- or 16-bit type in the order of an 8-bit operand's values, clamped to the
// type: entry(stored value) -> stored value.
std::vector<uint8_t> ByteTable(Dtype in, Dtype out, const std::function<int32_t(int32_t)>& entry);

// The same of a function of real numbers, in float32.
std::vector<uint8_t> RealByteTable(Dtype dtype, const Affine& in, const Affine& out,
                                   const std::function<float(float)>& function);

// 513 int16 entries over an int16 operand's range, between which v.lut interpolates. Samples are
// computed in the type of the scales.
template <class Real>
std::vector<uint8_t> InterpolatedTable(Real in_scale, int32_t in_zero_point, Real out_scale,
                                       int32_t out_zero_point,
                                       const std::function<Real(Real)>& function);
extern template std::vector<uint8_t> InterpolatedTable(float, int32_t, float, int32_t,
                                                       const std::function<float(float)>&);
extern template std::vector<uint8_t> InterpolatedTable(double, int32_t, double, int32_t,
                                                       const std::function<double(double)>&);

// A float64 cut to int32; what does not fit becomes the lowest, as x86-64 has it and TFLite leaves
// it.
int32_t CutToInt32(double value);

// Sums modulo 2^32.
int32_t WrappingAdd(int32_t a, int32_t b);
// x / 2^exponent, rounded half away from zero. Exponents beyond 31 act as x86-64's shifts do.
int32_t RoundingShiftRight(int32_t x, int exponent);
// The upper half of 2ab, rounded.
int32_t RoundingHighMul(int32_t a, int32_t b);
// Rounding::kDouble.
int32_t MultiplyByFixedPoint(int32_t x, const FixedPoint& scale);
// 1 / sqrt(x) of a whole number, by Newton steps.
FixedPoint InverseSqrt(int32_t x);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_TABLES_H_

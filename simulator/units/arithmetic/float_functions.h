// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of one float32, the same bits on every machine: no libm, no fused multiply-add. Each is
// computed in binary64 with a fixed sequence of additions, multiplications and divisions, and
// rounded once. Largest errors in ULPs stand in float_functions_test.cc.

#ifndef NPUKIT_SIMULATOR_UNITS_ARITHMETIC_FLOAT_FUNCTIONS_H_
#define NPUKIT_SIMULATOR_UNITS_ARITHMETIC_FLOAT_FUNCTIONS_H_

#include "simulator/isa/types.h"

namespace acme {

// f(x) of a v.unary on f32; alpha is only used by leaky relu. NaN gives NaN.
float EvaluateUnary(UnaryOp op, float x, float alpha);

// e^x in binary64, relative error below 2^-44; 0 below -745, infinity above 709.
double ExpDouble(double x);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_ARITHMETIC_FLOAT_FUNCTIONS_H_

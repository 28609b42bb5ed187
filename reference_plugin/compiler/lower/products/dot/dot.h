// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Products of one vector with few others, as at the end of a classifier, by the vector engine. The array
// would load a plane of weights for each fold, for one row of activations.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DOT_DOT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DOT_DOT_H_

#include <cstdint>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/records.h"

namespace acme::compiler {

struct Dot {
  Dtype dtype = Dtype::kI8;  // i8 or u8
  int32_t depth = 1;
  int32_t results = 1;
  ValueId x = kNoValue;     // [depth]
  ValueId w = kNoValue;     // [results, depth], constant
  ValueId bias = kNoValue;  // [results], constant; kNoValue: zero
  int32_t act_zp = 0;
  int32_t weight_zp = 0;
  Requantization requantize;
};

// Whether it fits, and the array would take longer.
bool IsForVectorEngine(const Dot& dot, const Hardware& hardware);

Expected<void> LowerDot(const Dot& dot, ValueId output, LoweringContext& context);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DOT_DOT_H_

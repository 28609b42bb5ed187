// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Products of one vector with few others, as at the end of a classifier, by the vector engine. The array
// would load a plane of weights for each fold, for one row of activations.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DOT_DOT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DOT_DOT_H_

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/conv.h"

namespace acme::compiler {

// Whether the convolution is one of a single pixel that sees all of its image, and is done sooner so.
bool IsDot(const Conv& conv, const Network& network, const Hardware& hardware);

Expected<void> LowerDot(const Conv& conv, ValueId output, LoweringContext& context);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DOT_DOT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// FULLY_CONNECTED of float32 by integer weights: as TFLite's hybrid kernel, each row of activations is
// rounded to int8 by a scale of its own and, if asymmetrically, a zero point, multiplied in integers,
// and scaled back.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_HYBRID_PRODUCT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_HYBRID_PRODUCT_H_

#include "reference_plugin/compiler/legalize/legalize.h"

namespace acme::compiler {

// The operands' types, shapes and scales are checked.
Expected<void> AddHybridProduct(const litert::Op& op, const TensorInfo& x, const TensorInfo& w,
                                Activation activation, const Hardware& hardware,
                                NetworkBuilder& builder);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_HYBRID_PRODUCT_H_

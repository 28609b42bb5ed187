// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Weights that a model stores as float16 or as integers, with a DEQUANTIZE before their reader: a
// constant of the network, computed here once.
//
//   w: f16 constant -> DEQUANTIZE -> w': f32 -> CONV_2D      becomes      w': f32 constant -> Conv

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_DEQUANTIZED_CONSTANT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_DEQUANTIZED_CONSTANT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"

namespace acme::compiler {

// The float32 bytes of a tensor of so many elements if a DEQUANTIZE of a constant makes it; null if
// none does. Errors: a constant of another type than float16, int8, uint8 and int16, or of another
// size; scales that are neither one nor one a channel.
Expected<std::shared_ptr<const std::vector<uint8_t>>> DequantizeConstant(
    const litert::Tensor& tensor, int64_t elems);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_DEQUANTIZED_CONSTANT_H_

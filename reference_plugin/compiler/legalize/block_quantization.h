// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_BLOCK_QUANTIZATION_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_BLOCK_QUANTIZATION_H_

#include "reference_plugin/compiler/legalize/legalize.h"

namespace acme::compiler {

// Fills block_scales and block_elems of a matrix that is quantised blockwise. Errors: another rank;
// blocks that do not divide the second dimension; zero points; scales that are not constants of
// float16 or float32, one a block, all finite; a host that does not tell them.
Expected<void> ReadBlockQuantization(const litert::Tensor& tensor, TensorInfo& info);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_BLOCK_QUANTIZATION_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// NumPy's .npy files, versions 1 to 3 (numpy.lib.format), and .npz archives of them, which are ZIP
// files, stored or deflated.

#ifndef NPUKIT_SDK_TOOLS_TENSORS_NPY_H_
#define NPUKIT_SDK_TOOLS_TENSORS_NPY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/tools/tensors/tensor_data.h"

namespace npukit::tools {

bool LooksLikeNpy(std::span<const uint8_t> bytes);
bool LooksLikeNpz(std::span<const uint8_t> bytes);

// Big-endian and column-major arrays are put into little-endian C order. Errors say what the header
// has and what was expected: strings and objects are not read.
litert::Expected<TensorData> ParseNpy(std::span<const uint8_t> bytes);
// By name, in the order of the archive.
litert::Expected<std::vector<TensorData>> ParseNpz(std::span<const uint8_t> bytes);

// bfloat16, which NumPy lacks, as float32, int4 and int2 as int8. An error for what has no numbers.
litert::Expected<std::vector<uint8_t>> FormatNpy(const TensorData& data);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TENSORS_NPY_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Constants from files: NumPy's .npy (numpy.lib.format), or the bytes themselves.

#ifndef NPUKIT_CONFORMANCE_ORACLE_CONSTANT_FILE_H_
#define NPUKIT_CONFORMANCE_ORACLE_CONSTANT_FILE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Dense little-endian bytes for a tensor of this type and shape. A file that ends in .npy is an array
// of that type and shape, in C order; all else holds the bytes, as many as the tensor has (of types
// without a fixed size, such as strings, any number). Errors name the file, both types or sizes.
litert::Expected<std::vector<uint8_t>> ReadConstantFile(const std::string& path,
                                                        LiteRtElementType type,
                                                        std::span<const int32_t> shape);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_ORACLE_CONSTANT_FILE_H_

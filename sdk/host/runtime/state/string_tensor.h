// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A tensor of strings as it lies in files and in memory, little-endian: the number of strings and,
// for each, where it begins, 32 bits each; where the last one ends; their bytes.

#ifndef NPUKIT_SDK_HOST_RUNTIME_STATE_STRING_TENSOR_H_
#define NPUKIT_SDK_HOST_RUNTIME_STATE_STRING_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit {

// Views of the strings, which last as long as the bytes. Errors say what is wrong: too short, an
// offset outside or before the one ahead of it, not `expected` strings.
litert::Expected<std::vector<std::string_view>> ReadStrings(std::span<const uint8_t> bytes,
                                                            int64_t expected);

// An error if they do not fit into 2^31 bytes.
litert::Expected<std::vector<uint8_t>> WriteStrings(std::span<const std::string_view> strings);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_STATE_STRING_TENSOR_H_

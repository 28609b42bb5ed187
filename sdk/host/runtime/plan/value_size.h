// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a value takes in memory while a model runs. Beside dense tensors there are handles of
// variables and tables: 32 bits, a number in this process.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_VALUE_SIZE_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_VALUE_SIZE_H_

#include <cstdint>
#include <optional>
#include <span>

#include "sdk/host/model/graph/tensor.h"

namespace npukit {

inline bool HasValueSize(LiteRtElementType type) {
  return type == kLiteRtElementTypeTfResource || ElementBits(type) != 0;
}

// nullopt where DenseBytes gives it.
inline std::optional<uint64_t> ValueBytes(LiteRtElementType type, std::span<const int32_t> shape) {
  return DenseBytes(type == kLiteRtElementTypeTfResource ? kLiteRtElementTypeInt32 : type, shape);
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_VALUE_SIZE_H_

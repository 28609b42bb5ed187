// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/plan_error.h"

#include <fmt/format.h>

namespace npukit {

litert::Unexpected TensorError(LiteRtStatus status, const Tensor& tensor, std::string_view what) {
  return litert::Unexpected(status,
                            fmt::format("tensor '{}' ({}): {}", tensor.name, tensor.index, what));
}

}  // namespace npukit

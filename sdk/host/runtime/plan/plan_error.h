// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Errors of planning that name a tensor.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_PLAN_ERROR_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_PLAN_ERROR_H_

#include <string_view>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit {

// "tensor 'x' (3): what".
litert::Unexpected TensorError(LiteRtStatus status, const Tensor& tensor, std::string_view what);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_PLAN_ERROR_H_

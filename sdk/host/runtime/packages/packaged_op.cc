// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/packages/packaged_op.h"

#include "sdk/host/kernels/customized/customized_kernel.h"
#include "sdk/host/kernels/customized/customized_ops.h"

namespace npukit {

bool IsPackagedOp(const Op& op) {
  return kernels::FindCustomizedOperator(kernels::CustomizedOpName(op)) != nullptr;
}

}  // namespace npukit

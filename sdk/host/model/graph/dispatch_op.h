// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_DISPATCH_OP_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_DISPATCH_OP_H_

#include "sdk/host/model/graph/op.h"

namespace npukit {

// Whether the op is a DISPATCH_OP: one that is compiled (Op::is_dispatch), or, in a partitioned model
// and in a damaged file, one without bytecode.
inline bool IsDispatchOp(const Op& op) {
  return op.code == kLiteRtOpCodeTflCustom && op.custom_code == kDispatchOpCustomCode;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_DISPATCH_OP_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_DEFAULT_OP_OPTIONS_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_DEFAULT_OP_OPTIONS_H_

#include "litert/c/litert_op_code.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit {

// The schema's defaults for the operator, but 1 where that is 0 and no operator accepts it: strides,
// multipliers, filter sizes and the beta of a softmax.
OpOptions DefaultOpOptions(LiteRtOpCode code);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_DEFAULT_OP_OPTIONS_H_

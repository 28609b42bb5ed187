// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Says why it declines an op.

#include <string_view>

#include "litert/c/litert_model.h"
#include "npukit/extensions/explain.h"

LiteRtStatus NpukitExplainOp(LiteRtCompilerPlugin, const char*, LiteRtSubgraph, LiteRtOp op,
                             char* buffer, size_t buffer_size) {
  LiteRtOpCode code = {};
  LiteRtGetOpCode(op, &code);
  const std::string_view reason =
      code == kLiteRtOpCodeTflMul ? "" : "no more than multiplication is understood";
  const size_t length = reason.copy(buffer, buffer_size - 1);
  buffer[length] = '\0';
  return kLiteRtStatusOk;
}

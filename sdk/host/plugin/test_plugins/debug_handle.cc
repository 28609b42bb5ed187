// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Gives each partition one debug handle, bad_debug_handle's for an op that is not there.

#include "npukit/delegate_debug.h"
#include "sdk/host/plugin/test_plugins/test_plugin.h"

LiteRtStatus NpukitGetNumDebugHandles(LiteRtCompiledResult, LiteRtParamIndex, size_t* count) {
  *count = 1;
  return kLiteRtStatusOk;
}

LiteRtStatus NpukitGetDebugHandle(LiteRtCompiledResult, LiteRtParamIndex, size_t,
                                  NpukitDebugHandleInfo* info) {
  static const uint32_t kOp = Is("bad_debug_handle") ? 1000 : 0;
  info->handle = 5;
  info->name = "piece";
  info->op_indices = &kOp;
  info->num_ops = 1;
  return kLiteRtStatusOk;
}

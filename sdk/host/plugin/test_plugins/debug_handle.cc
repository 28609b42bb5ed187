// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Gives each partition one debug handle: bad_debug_handle's is of an op that is not there,
// long_debug_handle's of more ops than there are.

#include <iterator>

#include "npukit/delegate_debug.h"
#include "sdk/host/plugin/test_plugins/test_plugin.h"

LiteRtStatus NpukitGetNumDebugHandles(LiteRtCompiledResult, LiteRtParamIndex, size_t* count) {
  *count = 1;
  return kLiteRtStatusOk;
}

LiteRtStatus NpukitGetDebugHandle(LiteRtCompiledResult, LiteRtParamIndex, size_t,
                                  NpukitDebugHandleInfo* info) {
  static const uint32_t kOps[] = {Is("bad_debug_handle") ? 1000u : 0u, 0, 0};
  info->handle = 5;
  info->name = "piece";
  info->op_indices = kOps;
  info->num_ops = Is("long_debug_handle") ? std::size(kOps) : 1;
  return kLiteRtStatusOk;
}

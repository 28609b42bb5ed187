// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's debug handles (npukit/delegate_debug.h): handle i + 1 of a partition is its op i.

#include "conformance/faulty_plugins/compiler/mimic_compiled_result.h"
#include "npukit/delegate_debug.h"

LiteRtStatus NpukitGetNumDebugHandles(LiteRtCompiledResult result, LiteRtParamIndex call,
                                      size_t* num_handles) {
  if (result == nullptr || num_handles == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (call >= result->op_indices.size()) return kLiteRtStatusErrorIndexOOB;
  *num_handles = result->op_indices[call].size();
  return kLiteRtStatusOk;
}

LiteRtStatus NpukitGetDebugHandle(LiteRtCompiledResult result, LiteRtParamIndex call,
                                  size_t position, NpukitDebugHandleInfo* info) {
  if (result == nullptr || info == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (info->struct_size < sizeof *info) return kLiteRtStatusErrorWrongVersion;
  if (call >= result->op_indices.size() || position >= result->op_indices[call].size())
    return kLiteRtStatusErrorIndexOOB;
  info->handle = static_cast<NpukitDebugHandle>(position + 1);
  info->name = "op";
  info->op_indices = &result->op_indices[call][position];
  info->num_ops = 1;
  return kLiteRtStatusOk;
}

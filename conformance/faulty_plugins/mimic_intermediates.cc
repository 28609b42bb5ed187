// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What Mimic tells of ops within a partition, and how its bytecode is resealed.

#include <cstdint>
#include <span>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_bytecode.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "npukit/delegate_debug.h"
#include "npukit/reseal.h"

using npukit::conformance::mimic::Fault;
using npukit::conformance::mimic::Has;
using npukit::conformance::mimic::IsInvocation;

LiteRtStatus NpukitDispatchGetIntermediate(LiteRtDispatchInvocationContext invocation,
                                           NpukitDebugHandle handle, int output_index,
                                           LiteRtRankedTensorType* type, const void** data,
                                           size_t* size_bytes) {
  if (!IsInvocation(invocation) || type == nullptr || data == nullptr || size_bytes == nullptr)
    return kLiteRtStatusErrorInvalidArgument;
  if (!invocation->records_intermediates || handle == 0 || output_index != 0)
    return kLiteRtStatusErrorNotFound;
  if (Has(Fault::tells_op_before) && handle > 1) --handle;
  const std::span<const uint8_t> value = invocation->program->ResultOf(handle - 1, *type);
  if (value.empty()) return kLiteRtStatusErrorNotFound;
  *data = value.data();
  *size_bytes = value.size();
  return kLiteRtStatusOk;
}

LiteRtStatus NpukitDispatchReseal(void* bytes, size_t size_bytes) {
  if (bytes == nullptr) return kLiteRtStatusErrorInvalidArgument;
  return npukit::conformance::mimic::Reseal({static_cast<uint8_t*>(bytes), size_bytes})
             ? kLiteRtStatusOk
             : kLiteRtStatusErrorInvalidArgument;
}

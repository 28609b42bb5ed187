// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of a remote library's table, and exports of npukit's, by which it tells of its runs.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_REPORTS_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_REPORTS_H_

#include <cstddef>
#include <cstdint>

#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"

namespace npukit::remote {

LiteRtStatus StartMetrics(LiteRtDispatchInvocationContext context, int detail_level);
LiteRtStatus StopMetrics(LiteRtDispatchInvocationContext context, LiteRtDispatchMetrics* metrics);
LiteRtStatus GetNumMetrics(LiteRtDispatchMetrics metrics, int* count);
LiteRtStatus GetMetric(LiteRtDispatchMetrics metrics, int index, LiteRtMetric* metric);
LiteRtStatus DestroyMetrics(LiteRtDispatchMetrics metrics);

LiteRtStatus SetCompileSpecs(LiteRtDispatchDeviceContext context, const NpukitCompileSpec* specs,
                             size_t num_specs);
LiteRtStatus SetRecording(LiteRtDispatchInvocationContext context, uint32_t record);
LiteRtStatus GetNumProfileEvents(LiteRtDispatchInvocationContext context, size_t* num_events);
LiteRtStatus GetProfileEvent(LiteRtDispatchInvocationContext context, size_t position,
                             NpukitProfileEvent* event);
// What the connection has to say stands before what the library says.
LiteRtStatus GetLastError(LiteRtDispatchInvocationContext context, NpukitDebugHandle* handle,
                          char* buffer, size_t buffer_size);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_REPORTS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of a remote library's table for invocations that wait for their end.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_INVOCATIONS_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_INVOCATIONS_H_

#include "litert/vendors/c/litert_dispatch_api.h"

namespace npukit::remote {

LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableType type,
                              const LiteRtMemBuffer* memory, const char* entry_point,
                              int num_inputs, int num_outputs,
                              LiteRtDispatchInvocationContext* context);
LiteRtStatus DestroyInvocation(LiteRtDispatchInvocationContext context);

LiteRtStatus GetInputRequirements(LiteRtDispatchInvocationContext context, int index,
                                  const LiteRtRankedTensorType* type,
                                  LiteRtTensorBufferRequirements* requirements);
LiteRtStatus GetOutputRequirements(LiteRtDispatchInvocationContext context, int index,
                                   const LiteRtRankedTensorType* type,
                                   LiteRtTensorBufferRequirements* requirements);

LiteRtStatus AttachInput(LiteRtDispatchInvocationContext context, int index,
                         LiteRtTensorBufferHandle handle);
LiteRtStatus AttachOutput(LiteRtDispatchInvocationContext context, int index,
                          LiteRtTensorBufferHandle handle);
LiteRtStatus DetachInput(LiteRtDispatchInvocationContext context, int index,
                         LiteRtTensorBufferHandle handle);
LiteRtStatus DetachOutput(LiteRtDispatchInvocationContext context, int index,
                          LiteRtTensorBufferHandle handle);

LiteRtStatus Invoke(LiteRtDispatchInvocationContext context);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_INVOCATIONS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of a remote library's table for devices, and for memory of the desk that is registered with one.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_DEVICES_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_DEVICES_H_

#include "litert/vendors/c/litert_dispatch_api.h"

namespace npukit::remote {

LiteRtStatus CreateDevice(LiteRtOptions options, LiteRtDispatchDeviceContext* context);
LiteRtStatus DestroyDevice(LiteRtDispatchDeviceContext context);

LiteRtStatus Register(LiteRtDispatchDeviceContext context, LiteRtTensorBuffer buffer,
                      LiteRtTensorBufferHandle* handle);
LiteRtStatus Unregister(LiteRtDispatchDeviceContext context, LiteRtTensorBufferHandle handle);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_REMOTE_DEVICES_H_

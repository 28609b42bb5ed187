// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit/delegate_debug.h of a dispatch library: profile events, errors and intermediate values by
// debug handle. All of it is optional for a vendor.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_DEBUG_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_DEBUG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "npukit/delegate_debug.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/handle_records.h"

namespace npukit {

// What the runs that follow record: bits of NpukitRecord. Unsupported if the library has no such
// function or refuses.
litert::Expected<void> SetRecording(const DispatchInvocation& invocation, uint32_t record);

// Of the last run; Unsupported if the library has no profile.
litert::Expected<std::vector<HandleEvent>> ReadProfile(const DispatchInvocation& invocation);

// Of the last run; NotFound if they were not recorded.
litert::Expected<HandleValue> ReadIntermediate(const DispatchInvocation& invocation,
                                               uint32_t handle, int output);

// Of the last run; Unsupported if the library does not tell.
litert::Expected<HandleError> ReadLastError(const DispatchInvocation& invocation);

// "op 3 CONV_2D (conv1)" of each op that a handle stands for; the handle's name, or its number,
// where that is not known.
std::string DescribeHandle(const DelegateRecord* delegate, uint32_t handle);

// `error` of a failed run, with what the library says of where it failed. `delegate` may be null.
litert::Error JoinLastError(const DispatchInvocation& invocation, const DelegateRecord* delegate,
                            const litert::Error& error);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_DEBUG_H_

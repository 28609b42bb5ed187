// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions with the signatures of abi 2.1 that call a dispatch library of another release.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_ADAPTERS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_ADAPTERS_H_

#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/runtime/dispatch/client/dispatch_tables.h"

namespace npukit {

// Replaces those entries of `basic`, which the library gave, whose signature is another one in its
// release. What they need is kept for the life of the process. Thread-safe. False: there is no
// place left for another library.
bool AdaptToAbi21(DispatchGeneration generation, LiteRtDispatchInterface& basic);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_ADAPTERS_H_

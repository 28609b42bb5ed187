// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Calls a function that no host has.

#include "litert/c/litert_common.h"

extern "C" {

LiteRtStatus LiteRtFunctionOfNoHost();
LITERT_CAPI_EXPORT LiteRtStatus CallFunctionOfNoHost();
LiteRtStatus CallFunctionOfNoHost() { return LiteRtFunctionOfNoHost(); }

}  // extern "C"

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/test_dispatch/test_variant.h"

namespace npukit::test_dispatch {

const char kVariant[] = NPUKIT_TEST_DISPATCH_VARIANT;

#if defined(NPUKIT_TEST_DISPATCH_ASYNC)
const bool kIsAsync = true;
#else
const bool kIsAsync = false;
#endif

#if defined(NPUKIT_TEST_PROGRAM_VERSION)
const int kProgramVersion = NPUKIT_TEST_PROGRAM_VERSION;
#else
const int kProgramVersion = 1;
#endif

}  // namespace npukit::test_dispatch

#ifndef NPUKIT_TEST_DISPATCH_NO_GET_API
extern "C" LITERT_CAPI_EXPORT LiteRtStatus LiteRtDispatchGetApi(LiteRtDispatchApi* api) {
  return npukit::test_dispatch::GetApi(api);
}
#endif

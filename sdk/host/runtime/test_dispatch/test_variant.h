// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the builds of the test device differ in; see CMakeLists.txt. All else is compiled once.

#ifndef NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_VARIANT_H_
#define NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_VARIANT_H_

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_dispatch_api.h"

namespace npukit::test_dispatch {

extern const char kVariant[];      // what it does wrong when it is loaded
extern const bool kIsAsync;        // has the asynchronous interface
extern const int kProgramVersion;  // builds with different numbers refuse each other's programs

// LiteRtDispatchGetApi, which all builds but one export.
LiteRtStatus GetApi(LiteRtDispatchApi* api);

}  // namespace npukit::test_dispatch

#endif  // NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_VARIANT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A vendor in C, without npukit's classes: its tables, which nobody has registered yet.

#ifndef NPUKIT_SDK_TESTS_LINKED_PLAIN_VENDOR_H_
#define NPUKIT_SDK_TESTS_LINKED_PLAIN_VENDOR_H_

#include "npukit/static_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kNumPlainPluginSymbols = 16 };

// The last of them is what releases before LiteRT 2.1.2 lack.
extern const NpukitStaticSymbol kPlainPluginSymbols[kNumPlainPluginSymbols];
extern const NpukitStaticPlugin kPlainDispatch;

static const char kPlainBytecode[] = "Plain";

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // NPUKIT_SDK_TESTS_LINKED_PLAIN_VENDOR_H_

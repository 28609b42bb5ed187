// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of plugins of LiteRT's releases that the tests register by hand.

#ifndef NPUKIT_SDK_TESTS_LINKED_CONTEXT_TABLES_H_
#define NPUKIT_SDK_TESTS_LINKED_CONTEXT_TABLES_H_

#include <vector>

#include "litert/c/litert_common.h"
#include "npukit/static_plugin.h"

// Those of sdk/host/plugin/test_plugins/context_plugin.cc, of LiteRT 2.2.0.
std::vector<NpukitStaticSymbol> ContextPluginSymbols();

// LiteRtDispatchGetApi of sdk/host/runtime/test_dispatch/generation_dispatch.cc, by release.
extern "C" {
LiteRtStatus LinkedGetApi210(void* api);
LiteRtStatus LinkedGetApi212(void* api);
LiteRtStatus LinkedGetApi213(void* api);
LiteRtStatus LinkedGetApi214(void* api);
LiteRtStatus LinkedGetApi215(void* api);
LiteRtStatus LinkedGetApi220(void* api);
LiteRtStatus LinkedQuery230(int32_t id, LiteRtApiVersion version, const void** table);
}

#endif  // NPUKIT_SDK_TESTS_LINKED_CONTEXT_TABLES_H_

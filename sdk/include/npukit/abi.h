// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_ABI_H_
#define NPUKIT_ABI_H_

// Which of LiteRT's two plugin ABIs a library is built for: abi 2.1 (LiteRT 2.1.2 to 2.1.4), or,
// where NPUKIT_ABI_2_2 is defined, abi 2.2 (LiteRT 2.2.0). The macro is set for a whole library by
// linking the CMake target npukit::sdk_abi2_2 in place of npukit::sdk; sources need not know.
//
// A library of abi 2.2 does not link libLiteRt.so. It links hidden functions of the C API's names
// instead, which call through the tables that the host hands to the plugin.

#if defined(NPUKIT_ABI_2_2)

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets the table behind the C API's functions in this library, from whatever thread. Hosts hand the
// same table to all plugins. kLiteRtStatusErrorInvalidArgument for null,
// kLiteRtStatusErrorWrongVersion for a table of another layout or with fewer members.
LiteRtStatus NpukitUseCompilerContext(const LiteRtCompilerContext* context);
LiteRtStatus NpukitUseRuntimeContext(const LiteRtRuntimeContext* context);

#ifdef __cplusplus
}
#endif

#endif  // NPUKIT_ABI_2_2

#endif  // NPUKIT_ABI_H_

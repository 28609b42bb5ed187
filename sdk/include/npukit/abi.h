// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_ABI_H_
#define NPUKIT_ABI_H_

// Which of LiteRT's plugin ABIs a library is built for. One source makes all of them; the macros are
// set for a whole library by the CMake target that it links, and sources need not know.
//
//   npukit::sdk         abi 2.1   LiteRT 2.1.3 and 2.1.4; links libLiteRt.so
//   npukit::sdk_abi2_2  abi 2.2   NPUKIT_ABI_2_2: 2.2.0, and main of August 2026
//   npukit::sdk_abi2_3  abi 2.3   NPUKIT_ABI_2_2 and NPUKIT_ABI_2_3: queried interfaces, main of
//                                 September 2026; loads in 2.1.5 to 2.2.0 and main of August, too
//
// A library of abi 2.2 or 2.3 does not link libLiteRt.so. It links hidden functions of the C API's
// names instead, which call through the tables that the host hands to the plugin.

#if defined(NPUKIT_ABI_2_2)

#include <stdbool.h>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets the table behind the C API's functions in this library, from whatever thread. Hosts hand the
// same table to all plugins. It may begin with its first function, as in LiteRT 2.1.5 and 2.1.6, or
// with a header; functions that are not in it are taken from the host's library where that exports
// them. kLiteRtStatusErrorInvalidArgument for null, kLiteRtStatusErrorWrongVersion for a table of
// another major version or with fewer members than 2.2.0's.
LiteRtStatus NpukitUseCompilerContext(const LiteRtCompilerContext* context);
LiteRtStatus NpukitUseRuntimeContext(const LiteRtRuntimeContext* context);
// Whether the host of this table calls patterns (LiteRtTransformation) with the table first, as
// LiteRT does since the table has the functions of the builder.
bool NpukitPatternsGetContext(const LiteRtCompilerContext* context);

#ifdef __cplusplus
}
#endif

#endif  // NPUKIT_ABI_2_2

#endif  // NPUKIT_ABI_H_

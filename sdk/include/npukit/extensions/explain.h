// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_EXTENSIONS_EXPLAIN_H_
#define NPUKIT_EXTENSIONS_EXPLAIN_H_

// An optional export of a compiler plugin: why it does not take an op.
// `npukit explain` looks it up by name and prints what it says beside the op.
// C11. npukit/plugin.h implements it from a plugin's support table.

#include <stddef.h>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_compiler_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes one sentence without a full stop to `buffer`, ended by a zero and cut
// to `buffer_size` bytes: what about `op`, which is of `subgraph`, keeps
// LiteRtCompilerPluginPartition from selecting it for `soc_model` (null: the
// default). Writes the empty string if nothing does.
//
// The plugin must not keep the handles. Called from one thread at a time per
// plugin object, as Partition is.
//
// kLiteRtStatusErrorInvalidArgument: a null argument other than `soc_model`, or
// a size of 0. Any other error: there is no answer, and `buffer` is untouched.
LITERT_CAPI_EXPORT LiteRtStatus NpukitExplainOp(LiteRtCompilerPlugin compiler_plugin,
                                                const char* soc_model, LiteRtSubgraph subgraph,
                                                LiteRtOp op, char* buffer, size_t buffer_size);

typedef LiteRtStatus (*NpukitExplainOpT)(LiteRtCompilerPlugin, const char*, LiteRtSubgraph,
                                         LiteRtOp, char*, size_t);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // NPUKIT_EXTENSIONS_EXPLAIN_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// abi 2.2: the host's functions as a table, handed to a compiler plugin when it
// is created. Valid as long as the plugin.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_COMPILER_CONTEXT_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_COMPILER_CONTEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/internal/litert_abi_header.h"
#include "litert/c/litert_any.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"

#ifdef __cplusplus
extern "C" {
#endif

// What each member does stands at the function of the C API that
// litert_compiler_context.def names beside it.
typedef struct LiteRtCompilerContext {
  LiteRtAbiHeader abi_header;
#define CONTEXT_FUNCTION(result, member, function, parameters, arguments) \
  result(*member) parameters;
#include "litert/c/internal/litert_compiler_context.def"
} LiteRtCompilerContext;

LITERT_ABI_ASSERT(sizeof(LiteRtCompilerContext) == 1048);
LITERT_ABI_ASSERT(offsetof(LiteRtCompilerContext, get_num_model_subgraphs) == 8);
LITERT_ABI_ASSERT(offsetof(LiteRtCompilerContext, serialize_model_with_signatures) == 1040);

// The host's table. Not exported by libLiteRt.so.
LiteRtCompilerContext* LrtGetCompilerContext(void);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_COMPILER_CONTEXT_H_

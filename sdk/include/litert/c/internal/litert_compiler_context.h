// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// abi 2.2: the host's functions as a table, handed to a compiler plugin when it
// is created. Valid as long as the plugin. It grows at its end: a plugin must see
// by the header whether the host's has a member (LITERT_ABI_HAS_API).

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_COMPILER_CONTEXT_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_COMPILER_CONTEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/internal/litert_abi_header.h"
#include "litert/c/litert_any.h"
#if defined(NPUKIT_ABI_2_3)
#include "litert/c/litert_block_wise_quantization.h"
#endif
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

#if defined(NPUKIT_ABI_2_3)
LITERT_ABI_ASSERT(sizeof(LiteRtCompilerContext) == 1104);
LITERT_ABI_ASSERT(offsetof(LiteRtCompilerContext, build_tensor) == 1048);
LITERT_ABI_ASSERT(offsetof(LiteRtCompilerContext, get_block_wise_quantization) == 1096);
#else
LITERT_ABI_ASSERT(sizeof(LiteRtCompilerContext) == 1048);
#endif
LITERT_ABI_ASSERT(offsetof(LiteRtCompilerContext, get_num_model_subgraphs) == 8);
LITERT_ABI_ASSERT(offsetof(LiteRtCompilerContext, serialize_model_with_signatures) == 1040);

// The host's table. Not exported by libLiteRt.so.
LiteRtCompilerContext* LrtGetCompilerContext(void);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_COMPILER_CONTEXT_H_

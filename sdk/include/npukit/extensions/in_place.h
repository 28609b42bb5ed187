// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_EXTENSIONS_IN_PLACE_H_
#define NPUKIT_EXTENSIONS_IN_PLACE_H_

// Which outputs of a partition may be written over which inputs: the caches of
// language models, of which a run changes little. Where the host has reason to,
// it then binds one buffer to both, and nothing is copied; a program must give
// the same results either way. Without a word from the compiler a host binds
// different buffers. An optional export of a compiler plugin, looked up by name.
// C11.

#include <stdint.h>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_compiler_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NPUKIT_NOT_IN_PLACE ((int32_t)-1)

// The input of the partition of a call whose buffer its output `output_idx` may
// be, an input of as many bytes; NPUKIT_NOT_IN_PLACE if there is none. An input
// is that of one output at most.
// kLiteRtStatusErrorInvalidArgument: a null handle or result;
// kLiteRtStatusErrorIndexOOB: a call that is not there.
LITERT_CAPI_EXPORT LiteRtStatus NpukitGetInPlaceInput(LiteRtCompiledResult compiled_result,
                                                      LiteRtParamIndex call_idx,
                                                      LiteRtParamIndex output_idx,
                                                      int32_t* input_idx);

typedef LiteRtStatus (*NpukitGetInPlaceInputT)(LiteRtCompiledResult, LiteRtParamIndex,
                                               LiteRtParamIndex, int32_t*);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // NPUKIT_EXTENSIONS_IN_PLACE_H_

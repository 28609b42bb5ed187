// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of a remote compiler plugin for what it compiled, as its file would export them.

#ifndef NPUKIT_SDK_REMOTE_DESK_COMPILER_REMOTE_RESULTS_H_
#define NPUKIT_SDK_REMOTE_DESK_COMPILER_REMOTE_RESULTS_H_

#include <cstddef>
#include <cstdint>

#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/delegate_debug.h"

namespace npukit::remote {

void DestroyCompiledResult(LiteRtCompiledResult result);
LiteRtStatus NumByteCodeModules(LiteRtCompiledResult result, LiteRtParamIndex* count);
LiteRtStatus GetByteCode(LiteRtCompiledResult result, LiteRtParamIndex index, const void** bytes,
                         size_t* size_bytes);
LiteRtStatus NumCalls(LiteRtCompiledResult result, LiteRtParamIndex* count);
LiteRtStatus GetCallInfo(LiteRtCompiledResult result, LiteRtParamIndex index, const void** info,
                         size_t* size_bytes, LiteRtParamIndex* module);

LiteRtStatus NumDebugHandles(LiteRtCompiledResult result, LiteRtParamIndex call, size_t* count);
LiteRtStatus GetDebugHandle(LiteRtCompiledResult result, LiteRtParamIndex call, size_t position,
                            NpukitDebugHandleInfo* info);
LiteRtStatus GetInPlaceInput(LiteRtCompiledResult result, LiteRtParamIndex call,
                             LiteRtParamIndex output, int32_t* input);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_COMPILER_REMOTE_RESULTS_H_

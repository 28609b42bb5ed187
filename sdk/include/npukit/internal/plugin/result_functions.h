// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_RESULT_FUNCTIONS_H_
#define NPUKIT_INTERNAL_PLUGIN_RESULT_FUNCTIONS_H_

// The functions of a compiler plugin about what it compiled.

#include <cstddef>
#include <cstdint>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/delegate_debug.h"
#include "npukit/extensions/in_place.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/compiled_result.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/plugin_functions.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

inline CompiledResult* ResultOf(LiteRtCompiledResult handle) {
  return reinterpret_cast<CompiledResult*>(handle);
}

NPUKIT_INTERNAL_INLINE void PluginFunctions::DestroyResult(LiteRtCompiledResult handle) {
  delete ResultOf(handle);
}

// Hosts ask this with a null result when nothing was selected.
NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetNumModules(LiteRtCompiledResult handle,
                                                                   LiteRtParamIndex* num) {
  return Guard("LiteRtCompiledResultNumByteCodeModules", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(num);
    *num = handle != nullptr ? ResultOf(handle)->modules().size() : 0;
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetModule(LiteRtCompiledResult handle,
                                                               LiteRtParamIndex index,
                                                               const void** bytes, size_t* size) {
  return Guard("LiteRtGetCompiledResultByteCode", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, bytes, size);
    const auto& modules = ResultOf(handle)->modules();
    if (index >= modules.size()) {
      return OutOfBounds("module", index, modules.size());
    }
    *bytes = modules[index].data();
    *size = modules[index].size();
    return {};
  });
}

// Null: run the module's bytecode.
NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetExecutable(
    LiteRtCompiledResult handle, LiteRtParamIndex module, LiteRtJitExecutable* executable) {
  return Guard("LiteRtGetCompiledResultHandle", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, executable);
    *executable = nullptr;
    const size_t num_modules = ResultOf(handle)->modules().size();
    if (module >= num_modules) return OutOfBounds("module", module, num_modules);
    *executable = static_cast<LiteRtJitExecutable>(ResultOf(handle)->executable(module));
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetNumCalls(LiteRtCompiledResult handle,
                                                                 LiteRtParamIndex* num) {
  return Guard("LiteRtGetNumCompiledResultCalls", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, num);
    *num = ResultOf(handle)->calls().size();
    return {};
  });
}

inline ::litert::Expected<const CompiledResult::Call*> CallAt(LiteRtCompiledResult handle,
                                                              LiteRtParamIndex index) {
  const auto& calls = ResultOf(handle)->calls();
  if (index < calls.size()) return &calls[index];
  return OutOfBounds("call", index, calls.size());
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetCall(LiteRtCompiledResult handle,
                                                             LiteRtParamIndex index,
                                                             const void** info, size_t* info_size,
                                                             LiteRtParamIndex* module) {
  return Guard("LiteRtGetCompiledResultCallInfo", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, info, info_size, module);
    LITERT_ASSIGN_OR_RETURN(const auto* call, CallAt(handle, index));
    *info = call->entry_point.data();
    *info_size = call->entry_point.size();
    *module = call->module;
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetNumDebugHandles(LiteRtCompiledResult handle,
                                                                        LiteRtParamIndex call,
                                                                        size_t* num) {
  return Guard("NpukitGetNumDebugHandles", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, num);
    LITERT_ASSIGN_OR_RETURN(const auto* found, CallAt(handle, call));
    *num = found->debug_handles.size();
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetDebugHandle(LiteRtCompiledResult handle,
                                                                    LiteRtParamIndex call,
                                                                    size_t position,
                                                                    NpukitDebugHandleInfo* info) {
  return Guard("NpukitGetDebugHandle", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, info);
    LITERT_ASSIGN_OR_RETURN(const auto* found, CallAt(handle, call));
    if (position >= found->debug_handles.size()) {
      return OutOfBounds("debug handle", position, found->debug_handles.size());
    }
    if (info->struct_size < sizeof(NpukitDebugHandleInfo)) {
      return ::litert::Unexpected(::litert::Status::kErrorWrongVersion, "struct_size is too small");
    }
    const auto& debug = found->debug_handles[position];
    info->handle = debug.handle;
    info->name = debug.name.c_str();
    info->op_indices = debug.op_indices.data();
    info->num_ops = debug.op_indices.size();
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetInPlaceInput(LiteRtCompiledResult handle,
                                                                     LiteRtParamIndex call,
                                                                     LiteRtParamIndex output,
                                                                     int32_t* input) {
  return Guard("NpukitGetInPlaceInput", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, input);
    LITERT_ASSIGN_OR_RETURN(const auto* found, CallAt(handle, call));
    *input = NPUKIT_NOT_IN_PLACE;
    for (const auto& pair : found->in_place) {
      if (pair.first == output) *input = static_cast<int32_t>(pair.second);
    }
    return {};
  });
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_RESULT_FUNCTIONS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a compiler plugin exports: a shared library named
// libLiteRtCompilerPlugin*.so that defines every function below. The host
// calls them in this order:
//
//   version, manufacturer -> create -> hardware, SoC models
//   -> check compatibility -> register transformations
//   -> partition (each subgraph) -> compile (all partitions at once)
//   -> read the compiled result -> destroy result -> destroy plugin
//
// A plugin must answer a null handle or null output pointer with
// kLiteRtStatusErrorInvalidArgument and an index past the end with
// kLiteRtStatusErrorIndexOOB; it never ends the process. The host calls one
// plugin object from one thread at a time; distinct objects from any threads.
// npukit/plugin.h implements all of this over two virtual functions.

#ifndef ODML_LITERT_LITERT_VENDORS_C_LITERT_COMPILER_PLUGIN_H_
#define ODML_LITERT_LITERT_VENDORS_C_LITERT_COMPILER_PLUGIN_H_

#include <stddef.h>

#include "litert/c/internal/litert_jit_executable.h"
#include "litert/c/litert_builder.h"
#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// The plugin's own state. The plugin defines class LiteRtCompilerPluginT.
LITERT_DEFINE_HANDLE(LiteRtCompilerPlugin);

// What one compilation produced: bytecode modules and, for each partition, the
// module and entry point that run it. The plugin defines
// class LiteRtCompiledResultT.
LITERT_DEFINE_HANDLE(LiteRtCompiledResult);

// A graph rewrite that the host applies before partitioning.
typedef struct {
  LiteRtPatternFn pattern;  // Never null.
  const char* name;         // Never null; for messages.
  size_t benefit;           // The highest is tried first.
} LiteRtTransformation;

LITERT_ABI_ASSERT(sizeof(LiteRtTransformation) == 24);

// -- Identity -----------------------------------------------------------------

// Writes the API version that the plugin was built for: the host refuses
// anything but LITERT_API_VERSION_*.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtGetCompilerPluginVersion(LiteRtApiVersion* api_version);

// The manufacturer's name as users write it, below 124 bytes: it goes into the
// build stamp of compiled models. Static storage.
LITERT_CAPI_EXPORT const char* LiteRtGetCompilerPluginSocManufacturer(void);

// -- Lifecycle ----------------------------------------------------------------

// Creates a plugin object. `env` and `options` may be null (use defaults);
// otherwise the host keeps them alive longer than the plugin object, which only
// reads them.
// abi 2.2 also gives the plugin the host's functions, which outlive it, and asks
// for the version of the vendor's compiler, which stays the plugin's.
#if defined(NPUKIT_ABI_2_2)
typedef struct LiteRtCompilerContext LiteRtCompilerContext;
LITERT_CAPI_EXPORT LiteRtStatus LiteRtCreateCompilerPlugin(
    const LiteRtCompilerContext* compiler_context, LiteRtCompilerPlugin* compiler_plugin,
    LiteRtEnvironmentOptions env, LiteRtOptions options);
LITERT_CAPI_EXPORT LiteRtStatus
LiteRtGetCompilerPluginSDKVersion(LiteRtCompilerPlugin compiler_plugin, const char** sdk_version);
#else
LITERT_CAPI_EXPORT LiteRtStatus LiteRtCreateCompilerPlugin(LiteRtCompilerPlugin* compiler_plugin,
                                                           LiteRtEnvironmentOptions env,
                                                           LiteRtOptions options);
#endif

LITERT_CAPI_EXPORT void LiteRtDestroyCompilerPlugin(LiteRtCompilerPlugin compiler_plugin);

// -- Targets ------------------------------------------------------------------

// The kinds of hardware compiled for: kLiteRtHwAcceleratorNpu as a rule.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtGetCompilerPluginSupportedHardware(
    LiteRtCompilerPlugin compiler_plugin, LiteRtHwAccelerators* supported_hardware);

// The SoC models compiled for. Names are the plugin's, below 124 bytes, and
// live as long as the plugin object.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtGetNumCompilerPluginSupportedSocModels(
    LiteRtCompilerPlugin compiler_plugin, LiteRtParamIndex* num_supported_soc_models);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtGetCompilerPluginSupportedSocModel(
    LiteRtCompilerPlugin compiler_plugin, LiteRtParamIndex soc_model_idx,
    const char** soc_model_name);

// -- Compilation --------------------------------------------------------------
// `soc_model` is null for the plugin's default. The graph belongs to the host
// and is valid during the call only.

// Selects the ops that the NPU can run by LiteRtPushOp, each at most once and
// only ops of `subgraph`. Ops with the same partition index may end up in one
// partition; the host cuts further where a partition would depend on itself.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtCompilerPluginPartition(LiteRtCompilerPlugin compiler_plugin,
                                                              const char* soc_model,
                                                              LiteRtSubgraph subgraph,
                                                              LiteRtOpList selected_ops);

// Compiles every subgraph of `partitions`, one partition each, to a result that
// the host releases by LiteRtDestroyCompiledResult before it destroys the
// plugin object.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtCompilerPluginCompile(LiteRtCompilerPlugin compiler_plugin,
                                                            const char* soc_model,
                                                            LiteRtModel partitions,
                                                            LiteRtCompiledResult* compiled_result);

// -- Compiled result ----------------------------------------------------------
// Bytes handed out live as long as the result.

LITERT_CAPI_EXPORT void LiteRtDestroyCompiledResult(LiteRtCompiledResult result);

// The bytecode modules: opaque to the host, which hands them to the dispatch
// library unchanged.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtCompiledResultNumByteCodeModules(
    LiteRtCompiledResult compiled_result, LiteRtParamIndex* num_byte_code);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtGetCompiledResultByteCode(
    LiteRtCompiledResult compiled_result, LiteRtParamIndex byte_code_idx, const void** byte_code,
    size_t* byte_code_size);

// One call per partition. Call i runs subgraph i of `partitions` by the entry
// point named `call_info` (`call_info_size` bytes, no NUL needed) of module
// `byte_code_idx`.
// abi 2.2, optional: an executable that is ready to run in this process, null if
// there is none; valid as long as the result. It goes to the dispatch library as
// kLiteRtDispatchExecutableTypeJitHandle, in place of bytecode. The index is that
// of a bytecode module.
#if defined(NPUKIT_ABI_2_2)
LITERT_CAPI_EXPORT LiteRtStatus LiteRtGetCompiledResultHandle(LiteRtCompiledResult compiled_result,
                                                              LiteRtParamIndex byte_code_idx,
                                                              LiteRtJitExecutable* handle);
#endif

LITERT_CAPI_EXPORT LiteRtStatus
LiteRtGetNumCompiledResultCalls(LiteRtCompiledResult compiled_result, LiteRtParamIndex* num_calls);
LITERT_CAPI_EXPORT LiteRtStatus LiteRtGetCompiledResultCallInfo(
    LiteRtCompiledResult compiled_result, LiteRtParamIndex call_idx, const void** call_info,
    size_t* call_info_size, LiteRtParamIndex* byte_code_idx);

// -- Rewrites and compatibility -----------------------------------------------

// Lends the host an array of `*num_patterns` rewrites that lives as long as
// the plugin object. None: 0, and the array pointer left as it is.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtCompilerPluginRegisterAllTransformations(
    LiteRtCompilerPlugin compiler_plugin, LiteRtTransformation** transformations,
    LiteRtParamIndex* num_patterns);

// Whether the compiler behind the plugin works for a host of `api_version`
// with these options on this SoC: kLiteRtStatusOk, or
// kLiteRtStatusErrorUnsupportedCompilerVersion or the like.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtCompilerPluginCheckCompilerCompatibility(
    LiteRtApiVersion api_version, LiteRtCompilerPlugin compiler_plugin,
    LiteRtEnvironmentOptions env, LiteRtOptions options, const char* soc_model_name);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_VENDORS_C_LITERT_COMPILER_PLUGIN_H_

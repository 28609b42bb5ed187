// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The functions of litert_compiler_plugin.h as a table: what the host fills
// with dlsym. All entries are mandatory in abi 2.1.

#ifndef ODML_LITERT_LITERT_VENDORS_C_LITERT_COMPILER_PLUGIN_API_H_
#define ODML_LITERT_LITERT_VENDORS_C_LITERT_COMPILER_PLUGIN_API_H_

#include <stddef.h>

#if defined(NPUKIT_ABI_2_3)
#include "litert/c/internal/litert_abi_header.h"
#endif
#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_compiler_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef LiteRtStatus (*LiteRtGetCompilerPluginVersionT)(LiteRtApiVersion*);

typedef const char* (*LiteRtGetCompilerPluginSocManufacturerT)(void);

#if defined(NPUKIT_ABI_2_2)
typedef LiteRtStatus (*LiteRtCreateCompilerPluginT)(const LiteRtCompilerContext*,
                                                    LiteRtCompilerPlugin*, LiteRtEnvironmentOptions,
                                                    LiteRtOptions);

typedef LiteRtStatus (*LiteRtGetCompilerPluginSDKVersionT)(LiteRtCompilerPlugin, const char**);

typedef LiteRtStatus (*LiteRtGetCompiledResultHandleT)(LiteRtCompiledResult,
                                                       LiteRtParamIndex byte_code_idx,
                                                       LiteRtJitExecutable* handle);
#else
typedef LiteRtStatus (*LiteRtCreateCompilerPluginT)(LiteRtCompilerPlugin*, LiteRtEnvironmentOptions,
                                                    LiteRtOptions);
#endif

typedef void (*LiteRtDestroyCompilerPluginT)(LiteRtCompilerPlugin);

typedef LiteRtStatus (*LiteRtGetCompilerPluginSupportedHardwareT)(LiteRtCompilerPlugin,
                                                                  LiteRtHwAccelerators*);

typedef LiteRtStatus (*LiteRtGetNumCompilerPluginSupportedSocModelsT)(LiteRtCompilerPlugin,
                                                                      LiteRtParamIndex*);

typedef LiteRtStatus (*LiteRtGetCompilerPluginSupportedSocModelT)(LiteRtCompilerPlugin,
                                                                  LiteRtParamIndex soc_model_idx,
                                                                  const char** soc_model_name);

typedef LiteRtStatus (*LiteRtCompilerPluginPartitionT)(LiteRtCompilerPlugin, const char* soc_model,
                                                       LiteRtSubgraph subgraph,
                                                       LiteRtOpList selected_ops);

typedef LiteRtStatus (*LiteRtCompilerPluginCompileT)(LiteRtCompilerPlugin, const char* soc_model,
                                                     LiteRtModel partitions,
                                                     LiteRtCompiledResult* compiled_result);

typedef void (*LiteRtDestroyCompiledResultT)(LiteRtCompiledResult);

typedef LiteRtStatus (*LiteRtGetCompiledResultByteCodeT)(LiteRtCompiledResult,
                                                         LiteRtParamIndex byte_code_idx,
                                                         const void** byte_code,
                                                         size_t* byte_code_size);

typedef LiteRtStatus (*LiteRtCompiledResultNumByteCodeModulesT)(LiteRtCompiledResult,
                                                                LiteRtParamIndex* num_byte_code);

typedef LiteRtStatus (*LiteRtGetCompiledResultCallInfoT)(LiteRtCompiledResult,
                                                         LiteRtParamIndex call_idx,
                                                         const void** call_info,
                                                         size_t* call_info_size,
                                                         LiteRtParamIndex* byte_code_idx);

typedef LiteRtStatus (*LiteRtGetNumCompiledResultCallsT)(LiteRtCompiledResult,
                                                         LiteRtParamIndex* num_calls);

typedef LiteRtStatus (*LiteRtCompilerPluginRegisterAllTransformationsT)(
    LiteRtCompilerPlugin compiler_plugin, LiteRtTransformation** transformations,
    LiteRtParamIndex* num_patterns);

typedef LiteRtStatus (*LiteRtCompilerPluginCheckCompilerCompatibilityT)(
    LiteRtApiVersion api_version, LiteRtCompilerPlugin compiler_plugin,
    LiteRtEnvironmentOptions env, LiteRtOptions options, const char* soc_model_name);

struct LiteRtCompilerPluginApi {
  LiteRtGetCompilerPluginVersionT get_compiler_plugin_version;
  LiteRtGetCompilerPluginSocManufacturerT get_compiler_plugin_soc_manufacturer;

  LiteRtCreateCompilerPluginT create_compiler_plugin;
  LiteRtDestroyCompilerPluginT destroy_compiler_plugin;

  LiteRtGetCompilerPluginSupportedHardwareT get_compiler_plugin_supported_hardware;
  LiteRtGetNumCompilerPluginSupportedSocModelsT get_num_compiler_plugin_supported_models;
  LiteRtGetCompilerPluginSupportedSocModelT get_compiler_plugin_supported_soc_model;

#if defined(NPUKIT_ABI_2_2)
  LiteRtGetCompilerPluginSDKVersionT get_compiler_plugin_sdk_version;
#endif

  LiteRtCompilerPluginPartitionT compiler_plugin_partition;
  LiteRtCompilerPluginCompileT compiler_plugin_compile;

  LiteRtDestroyCompiledResultT destroy_compiled_result;
  LiteRtGetCompiledResultByteCodeT get_compiled_result_byte_code;
#if defined(NPUKIT_ABI_2_2)
  LiteRtGetCompiledResultHandleT get_compiled_result_handle;
#endif
  LiteRtCompiledResultNumByteCodeModulesT get_compiled_result_num_byte_code;
  LiteRtGetCompiledResultCallInfoT get_compiled_result_call_info;
  LiteRtGetNumCompiledResultCallsT get_compiled_result_num_calls;

  LiteRtCompilerPluginRegisterAllTransformationsT register_all_transformations;
  LiteRtCompilerPluginCheckCompilerCompatibilityT check_compiler_compatibility;
};

#if defined(NPUKIT_ABI_2_2)
LITERT_ABI_ASSERT(sizeof(struct LiteRtCompilerPluginApi) == 18 * sizeof(void*));
#else
LITERT_ABI_ASSERT(sizeof(struct LiteRtCompilerPluginApi) == 16 * sizeof(void*));
#endif

#if defined(NPUKIT_ABI_2_3)
// The same as a queried table, from LiteRT's sources of September 2026 on: a member is there if it
// lies within struct_size and is not null.

#define LITERT_COMPILER_PLUGIN_ABI_VERSION_MAJOR 1
#define LITERT_COMPILER_PLUGIN_ABI_VERSION_MINOR 0
#define LITERT_COMPILER_PLUGIN_ABI_VERSION_PATCH 0

typedef enum LiteRtCompilerPluginInterfaceId {
  kLiteRtCompilerPluginInterfaceBasic = 0,
  kLiteRtCompilerPluginInterfaceForce32Bits = 0x7fffffff,
} LiteRtCompilerPluginInterfaceId;

typedef struct LiteRtCompilerPluginInterface_V1 {
  LiteRtAbiHeader abi_header;
  LiteRtGetCompilerPluginVersionT get_compiler_plugin_version;
  LiteRtGetCompilerPluginSocManufacturerT get_compiler_plugin_soc_manufacturer;
  LiteRtCreateCompilerPluginT create_compiler_plugin;
  LiteRtDestroyCompilerPluginT destroy_compiler_plugin;
  LiteRtGetCompilerPluginSupportedHardwareT get_compiler_plugin_supported_hardware;
  LiteRtGetNumCompilerPluginSupportedSocModelsT get_num_compiler_plugin_supported_models;
  LiteRtGetCompilerPluginSupportedSocModelT get_compiler_plugin_supported_soc_model;
  LiteRtCompilerPluginPartitionT compiler_plugin_partition;
  LiteRtCompilerPluginCompileT compiler_plugin_compile;
  LiteRtDestroyCompiledResultT destroy_compiled_result;
  LiteRtGetCompiledResultByteCodeT get_compiled_result_byte_code;
  LiteRtCompiledResultNumByteCodeModulesT get_compiled_result_num_byte_code;
  LiteRtGetCompiledResultCallInfoT get_compiled_result_call_info;
  LiteRtGetNumCompiledResultCallsT get_num_compiled_result_calls;
  LiteRtCompilerPluginRegisterAllTransformationsT register_all_transformations;
  LiteRtGetCompilerPluginSDKVersionT get_compiler_plugin_sdk_version;
  LiteRtGetCompiledResultHandleT get_compiled_result_handle;
  LiteRtCompilerPluginCheckCompilerCompatibilityT check_compiler_compatibility;
} LiteRtCompilerPluginInterface_V1;

LITERT_ABI_ASSERT(sizeof(LiteRtCompilerPluginInterface_V1) == 152);
LITERT_ABI_ASSERT(offsetof(LiteRtCompilerPluginInterface_V1, create_compiler_plugin) == 24);
LITERT_ABI_ASSERT(offsetof(LiteRtCompilerPluginInterface_V1, compiler_plugin_compile) == 72);
LITERT_ABI_ASSERT(offsetof(LiteRtCompilerPluginInterface_V1, register_all_transformations) == 120);
LITERT_ABI_ASSERT(offsetof(LiteRtCompilerPluginInterface_V1, check_compiler_compatibility) == 144);

// Gives the table of an id, which lives as long as the library. The version is that of the table that
// the caller knows. kLiteRtStatusErrorUnsupported: an id that the plugin does not have, or a version
// whose major number is not its own; `*interface_table` is null then.
LITERT_CAPI_EXPORT LiteRtStatus LiteRtCompilerPluginQueryInterface(
    LiteRtCompilerPluginInterfaceId id, LiteRtApiVersion version, LiteRtInterface* interface_table);
#endif

#ifdef __cplusplus
}

#include <string_view>

// The symbols behind the table, in table order of their declaration above.
#define LITERT_PLUGIN_SYMBOL_(name) static constexpr std::string_view k##name = #name
LITERT_PLUGIN_SYMBOL_(LiteRtGetCompilerPluginVersion);
LITERT_PLUGIN_SYMBOL_(LiteRtGetCompilerPluginSocManufacturer);
LITERT_PLUGIN_SYMBOL_(LiteRtCreateCompilerPlugin);
LITERT_PLUGIN_SYMBOL_(LiteRtDestroyCompilerPlugin);
LITERT_PLUGIN_SYMBOL_(LiteRtGetCompilerPluginSupportedHardware);
LITERT_PLUGIN_SYMBOL_(LiteRtGetNumCompilerPluginSupportedSocModels);
LITERT_PLUGIN_SYMBOL_(LiteRtGetCompilerPluginSupportedSocModel);
LITERT_PLUGIN_SYMBOL_(LiteRtCompilerPluginPartition);
LITERT_PLUGIN_SYMBOL_(LiteRtCompilerPluginCompile);
LITERT_PLUGIN_SYMBOL_(LiteRtDestroyCompiledResult);
LITERT_PLUGIN_SYMBOL_(LiteRtGetCompiledResultByteCode);
LITERT_PLUGIN_SYMBOL_(LiteRtCompiledResultNumByteCodeModules);
LITERT_PLUGIN_SYMBOL_(LiteRtGetCompiledResultCallInfo);
LITERT_PLUGIN_SYMBOL_(LiteRtGetNumCompiledResultCalls);
LITERT_PLUGIN_SYMBOL_(LiteRtCompilerPluginRegisterAllTransformations);
LITERT_PLUGIN_SYMBOL_(LiteRtCompilerPluginCheckCompilerCompatibility);
#if defined(NPUKIT_ABI_2_2)
LITERT_PLUGIN_SYMBOL_(LiteRtGetCompilerPluginSDKVersion);
LITERT_PLUGIN_SYMBOL_(LiteRtGetCompiledResultHandle);
#endif
#undef LITERT_PLUGIN_SYMBOL_

#endif

#endif  // ODML_LITERT_LITERT_VENDORS_C_LITERT_COMPILER_PLUGIN_API_H_

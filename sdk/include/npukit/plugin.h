// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_PLUGIN_H_
#define NPUKIT_PLUGIN_H_

// A compiler plugin in one class: derive from npukit::CompilerPlugin, say what
// you support, compile it, and export the class once.
//
//   class ContosoPlugin : public npukit::CompilerPlugin {
//    public:
//     static constexpr const char* kManufacturer = "Contoso";
//     static constexpr const char* kSocModels[] = {"c100"};
//
//     const npukit::SupportTable* SupportFor(const std::string&) override;
//     litert::Expected<npukit::CompiledResult> Compile(
//         const std::string& soc_model,
//         const litert::Model& partitions) override;
//   };
//   NPUKIT_EXPORT_COMPILER_PLUGIN(ContosoPlugin)
//
// The macro stands once in a shared library, outside any namespace, and defines
// LiteRT's 16 plugin functions and npukit's optional ones. The library links
// libLiteRt.so and is named libLiteRtCompilerPlugin_<name>.so. The same source
// makes plugins of abi 2.2 and of queried interfaces: see npukit/abi.h.
//
// NPUKIT_REGISTER_COMPILER_PLUGIN(ContosoPlugin) exports nothing, but tells the
// host about the class before main: for plugins that are linked into the
// program, any number of them. Where NPUKIT_LINKED_PLUGINS is defined,
// NPUKIT_EXPORT_COMPILER_PLUGIN does the same. The class lies in a namespace of
// the vendor's own. See npukit/static_plugin.h.

#include "npukit/abi.h"                           // IWYU pragma: export
#include "npukit/compiler_plugin.h"               // IWYU pragma: export
#include "npukit/internal/compiled_result.h"      // IWYU pragma: export
#include "npukit/internal/constraints.h"          // IWYU pragma: export
#include "npukit/internal/plugin_boundary.h"      // IWYU pragma: export
#include "npukit/internal/plugin_extensions.h"    // IWYU pragma: export
#include "npukit/internal/queried_plugin.h"       // IWYU pragma: export
#include "npukit/internal/static_registration.h"  // IWYU pragma: export
#include "npukit/support_table.h"                 // IWYU pragma: export

// clang-format off
// All that a compiler plugin exports, as FUNCTION(result, symbol, parameters,
// arguments, implementation).
#if defined(NPUKIT_ABI_2_3)
#define NPUKIT_INTERNAL_PLUGIN_FUNCTIONS_THAT_QUERY(FUNCTION)                  \
  FUNCTION(LiteRtStatus, LiteRtCompilerPluginQueryInterface,                   \
           (LiteRtCompilerPluginInterfaceId id, LiteRtApiVersion version,      \
            LiteRtInterface* interface_table),                                 \
           (id, version, interface_table),                                     \
           NpukitQueriedPlugin::QueryInterface)
#define NPUKIT_INTERNAL_QUERIED_PLUGIN(Class)                                  \
  using NpukitQueriedPlugin = ::npukit::internal::QueriedPlugin<Class>;
#else
#define NPUKIT_INTERNAL_PLUGIN_FUNCTIONS_THAT_QUERY(FUNCTION)
#define NPUKIT_INTERNAL_QUERIED_PLUGIN(Class)
#endif

#if defined(NPUKIT_ABI_2_2)
#define NPUKIT_INTERNAL_PLUGIN_FUNCTIONS_OF_ABI(FUNCTION)                      \
  FUNCTION(LiteRtStatus, LiteRtCreateCompilerPlugin,                           \
           (const LiteRtCompilerContext* context,                              \
            LiteRtCompilerPlugin* plugin, LiteRtEnvironmentOptions env,        \
            LiteRtOptions options),                                            \
           (context, plugin, env, options), NpukitPluginBoundary::CreateWith)  \
  FUNCTION(LiteRtStatus, LiteRtGetCompilerPluginSDKVersion,                    \
           (LiteRtCompilerPlugin plugin, const char** version),                \
           (plugin, version), NpukitPluginBoundary::GetSdkVersion)             \
  FUNCTION(LiteRtStatus, LiteRtGetCompiledResultHandle,                        \
           (LiteRtCompiledResult result, LiteRtParamIndex module,              \
            LiteRtJitExecutable* handle),                                      \
           (result, module, handle), NpukitPluginBoundary::GetExecutable)      \
  NPUKIT_INTERNAL_PLUGIN_FUNCTIONS_THAT_QUERY(FUNCTION)
#else
#define NPUKIT_INTERNAL_PLUGIN_FUNCTIONS_OF_ABI(FUNCTION)                      \
  FUNCTION(LiteRtStatus, LiteRtCreateCompilerPlugin,                           \
           (LiteRtCompilerPlugin* plugin, LiteRtEnvironmentOptions env,        \
            LiteRtOptions options),                                            \
           (plugin, env, options), NpukitPluginBoundary::Create)
#endif

#define NPUKIT_INTERNAL_PLUGIN_FUNCTIONS(FUNCTION)                             \
  NPUKIT_INTERNAL_PLUGIN_FUNCTIONS_OF_ABI(FUNCTION)                            \
  FUNCTION(LiteRtStatus, LiteRtGetCompilerPluginVersion,                       \
           (LiteRtApiVersion* version),                                        \
           (version), NpukitPluginBoundary::GetVersion)                        \
  FUNCTION(const char*, LiteRtGetCompilerPluginSocManufacturer,                \
           (), (), NpukitPluginBoundary::GetManufacturer)                      \
  FUNCTION(void, LiteRtDestroyCompilerPlugin,                                  \
           (LiteRtCompilerPlugin plugin),                                      \
           (plugin), NpukitPluginBoundary::Destroy)                            \
  FUNCTION(LiteRtStatus, LiteRtGetCompilerPluginSupportedHardware,             \
           (LiteRtCompilerPlugin plugin, LiteRtHwAccelerators* hardware),      \
           (plugin, hardware), NpukitPluginBoundary::GetHardware)              \
  FUNCTION(LiteRtStatus, LiteRtGetNumCompilerPluginSupportedSocModels,         \
           (LiteRtCompilerPlugin plugin, LiteRtParamIndex* num),               \
           (plugin, num), NpukitPluginBoundary::GetNumSocModels)               \
  FUNCTION(LiteRtStatus, LiteRtGetCompilerPluginSupportedSocModel,             \
           (LiteRtCompilerPlugin plugin, LiteRtParamIndex index,               \
            const char** name),                                                \
           (plugin, index, name), NpukitPluginBoundary::GetSocModel)           \
  FUNCTION(LiteRtStatus, LiteRtCompilerPluginPartition,                        \
           (LiteRtCompilerPlugin plugin, const char* soc_model,                \
            LiteRtSubgraph subgraph, LiteRtOpList selected_ops),               \
           (plugin, soc_model, subgraph, selected_ops),                        \
           NpukitPluginBoundary::Partition)                                    \
  FUNCTION(LiteRtStatus, LiteRtCompilerPluginCompile,                          \
           (LiteRtCompilerPlugin plugin, const char* soc_model,                \
            LiteRtModel partitions, LiteRtCompiledResult* result),             \
           (plugin, soc_model, partitions, result),                            \
           NpukitPluginBoundary::Compile)                                      \
  FUNCTION(void, LiteRtDestroyCompiledResult,                                  \
           (LiteRtCompiledResult result),                                      \
           (result), NpukitPluginBoundary::DestroyResult)                      \
  FUNCTION(LiteRtStatus, LiteRtGetCompiledResultByteCode,                      \
           (LiteRtCompiledResult result, LiteRtParamIndex index,               \
            const void** bytes, size_t* size),                                 \
           (result, index, bytes, size), NpukitPluginBoundary::GetModule)      \
  FUNCTION(LiteRtStatus, LiteRtCompiledResultNumByteCodeModules,               \
           (LiteRtCompiledResult result, LiteRtParamIndex* num),               \
           (result, num), NpukitPluginBoundary::GetNumModules)                 \
  FUNCTION(LiteRtStatus, LiteRtGetCompiledResultCallInfo,                      \
           (LiteRtCompiledResult result, LiteRtParamIndex index,               \
            const void** info, size_t* info_size, LiteRtParamIndex* module),   \
           (result, index, info, info_size, module),                           \
           NpukitPluginBoundary::GetCall)                                      \
  FUNCTION(LiteRtStatus, LiteRtGetNumCompiledResultCalls,                      \
           (LiteRtCompiledResult result, LiteRtParamIndex* num),               \
           (result, num), NpukitPluginBoundary::GetNumCalls)                   \
  FUNCTION(LiteRtStatus, LiteRtCompilerPluginRegisterAllTransformations,       \
           (LiteRtCompilerPlugin plugin,                                       \
            LiteRtTransformation** transformations, LiteRtParamIndex* num),    \
           (plugin, transformations, num),                                     \
           NpukitPluginBoundary::GetTransformations)                           \
  FUNCTION(LiteRtStatus, LiteRtCompilerPluginCheckCompilerCompatibility,       \
           (LiteRtApiVersion version, LiteRtCompilerPlugin plugin,             \
            LiteRtEnvironmentOptions env, LiteRtOptions options,               \
            const char* soc_model),                                            \
           (version, plugin, env, options, soc_model),                         \
           NpukitPluginBoundary::CheckCompatibility)                           \
  FUNCTION(LiteRtStatus, NpukitExplainOp,                                      \
           (LiteRtCompilerPlugin plugin, const char* soc_model,                \
            LiteRtSubgraph subgraph, LiteRtOp op, char* buffer,                \
            size_t buffer_size),                                               \
           (plugin, soc_model, subgraph, op, buffer, buffer_size),             \
           NpukitPluginExtensions::ExplainOp)                                  \
  FUNCTION(LiteRtStatus, NpukitSetCompileSpecs,                                \
           (LiteRtCompilerPlugin plugin, size_t partition,                     \
            const NpukitCompileSpec* specs, size_t num_specs),                 \
           (plugin, partition, specs, num_specs),                              \
           NpukitPluginExtensions::SetSpecs)                                   \
  FUNCTION(LiteRtStatus, NpukitGetNumDebugHandles,                             \
           (LiteRtCompiledResult result, LiteRtParamIndex call, size_t* num),  \
           (result, call, num), NpukitPluginExtensions::GetNumDebugHandles)    \
  FUNCTION(LiteRtStatus, NpukitGetDebugHandle,                                 \
           (LiteRtCompiledResult result, LiteRtParamIndex call,                \
            size_t position, NpukitDebugHandleInfo* info),                     \
           (result, call, position, info),                                     \
           NpukitPluginExtensions::GetDebugHandle)                             \
  FUNCTION(LiteRtStatus, NpukitGetInPlaceInput,                                \
           (LiteRtCompiledResult result, LiteRtParamIndex call,                \
            LiteRtParamIndex output, int32_t* input),                          \
           (result, call, output, input),                                      \
           NpukitPluginExtensions::GetInPlaceInput)                            \
  FUNCTION(const char*, NpukitLastError, (), (),                               \
           NpukitPluginExtensions::LastError)

#define NPUKIT_INTERNAL_CHECK_COMPILER_PLUGIN(Class)                           \
  static_assert(std::is_base_of_v<::npukit::CompilerPlugin, Class>,            \
                #Class " must derive from npukit::CompilerPlugin")

#if defined(NPUKIT_ABI_2_2)
#define NPUKIT_REGISTER_COMPILER_PLUGIN(Class)                                 \
  static_assert(sizeof(Class) == 0, NPUKIT_INTERNAL_ABI_OF_LINKED_PLUGINS)
#else
#define NPUKIT_REGISTER_COMPILER_PLUGIN(Class)                                 \
  namespace {                                                                  \
  const auto NPUKIT_INTERNAL_JOIN(npukit_registration_, __COUNTER__) = [] {    \
    using NpukitPluginBoundary = ::npukit::internal::PluginBoundary<Class>;    \
    using NpukitPluginExtensions =                                             \
        ::npukit::internal::PluginExtensions<Class>;                           \
    const NpukitStaticSymbol symbols[] = {                                     \
        NPUKIT_INTERNAL_PLUGIN_FUNCTIONS(NPUKIT_INTERNAL_STATIC_SYMBOL)};      \
    return ::npukit::internal::StaticRegistration(                             \
        kNpukitStaticPluginCompiler, Class::kManufacturer, symbols);           \
  }();                                                                         \
  }  /* namespace */                                                           \
  NPUKIT_INTERNAL_CHECK_COMPILER_PLUGIN(Class)
#endif

#if defined(NPUKIT_LINKED_PLUGINS)
#define NPUKIT_EXPORT_COMPILER_PLUGIN(Class)                                   \
  NPUKIT_REGISTER_COMPILER_PLUGIN(Class)
#else
#define NPUKIT_EXPORT_COMPILER_PLUGIN(Class)                                   \
  namespace {                                                                  \
  using NpukitPluginBoundary = ::npukit::internal::PluginBoundary<Class>;      \
  using NpukitPluginExtensions = ::npukit::internal::PluginExtensions<Class>;  \
  NPUKIT_INTERNAL_QUERIED_PLUGIN(Class)                                        \
  }                                                                            \
  extern "C" {                                                                 \
  NPUKIT_INTERNAL_PLUGIN_FUNCTIONS(NPUKIT_INTERNAL_EXPORT_FUNCTION)            \
  }  /* extern "C" */                                                          \
  NPUKIT_INTERNAL_CHECK_COMPILER_PLUGIN(Class)
#endif
// clang-format on

#endif  // NPUKIT_PLUGIN_H_

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
// makes a plugin of abi 2.2: see npukit/abi.h.

#include "npukit/abi.h"                // IWYU pragma: export
#include "npukit/compiled_result.h"    // IWYU pragma: export
#include "npukit/compiler_plugin.h"    // IWYU pragma: export
#include "npukit/constraints.h"        // IWYU pragma: export
#include "npukit/plugin_boundary.h"    // IWYU pragma: export
#include "npukit/plugin_extensions.h"  // IWYU pragma: export
#include "npukit/support_table.h"      // IWYU pragma: export

// clang-format off
#if defined(NPUKIT_ABI_2_2)
#define NPUKIT_INTERNAL_CREATE_PLUGIN                                          \
  LiteRtStatus LiteRtCreateCompilerPlugin(                                     \
      const LiteRtCompilerContext* context, LiteRtCompilerPlugin* plugin,      \
      LiteRtEnvironmentOptions env, LiteRtOptions options) {                   \
    const LiteRtStatus status = NpukitUseCompilerContext(context);             \
    if (status != kLiteRtStatusOk) return status;                              \
    return NpukitPluginBoundary::Create(plugin, env, options);                 \
  }                                                                            \
  LiteRtStatus LiteRtGetCompilerPluginSDKVersion(LiteRtCompilerPlugin plugin,  \
                                                 const char** version) {       \
    return NpukitPluginBoundary::GetSdkVersion(plugin, version);               \
  }                                                                            \
  LiteRtStatus LiteRtGetCompiledResultHandle(LiteRtCompiledResult result,      \
                                             LiteRtParamIndex module,          \
                                             LiteRtJitExecutable* handle) {    \
    return NpukitPluginBoundary::GetExecutable(result, module, handle);        \
  }
#else
#define NPUKIT_INTERNAL_CREATE_PLUGIN                                          \
  LiteRtStatus LiteRtCreateCompilerPlugin(LiteRtCompilerPlugin* plugin,        \
                                          LiteRtEnvironmentOptions env,        \
                                          LiteRtOptions options) {             \
    return NpukitPluginBoundary::Create(plugin, env, options);                 \
  }
#endif

#define NPUKIT_EXPORT_COMPILER_PLUGIN(Class)                                   \
  namespace {                                                                  \
  using NpukitPluginBoundary = ::npukit::internal::PluginBoundary<Class>;      \
  using NpukitPluginExtensions = ::npukit::internal::PluginExtensions<Class>;  \
  }                                                                            \
  extern "C" {                                                                 \
  LiteRtStatus LiteRtGetCompilerPluginVersion(LiteRtApiVersion* version) {     \
    return NpukitPluginBoundary::GetVersion(version);                          \
  }                                                                            \
  const char* LiteRtGetCompilerPluginSocManufacturer() {                       \
    return Class::kManufacturer;                                               \
  }                                                                            \
  NPUKIT_INTERNAL_CREATE_PLUGIN                                                \
  void LiteRtDestroyCompilerPlugin(LiteRtCompilerPlugin plugin) {              \
    NpukitPluginBoundary::Destroy(plugin);                                     \
  }                                                                            \
  LiteRtStatus LiteRtGetCompilerPluginSupportedHardware(                       \
      LiteRtCompilerPlugin plugin, LiteRtHwAccelerators* hardware) {           \
    return NpukitPluginBoundary::GetHardware(plugin, hardware);                \
  }                                                                            \
  LiteRtStatus LiteRtGetNumCompilerPluginSupportedSocModels(                   \
      LiteRtCompilerPlugin plugin, LiteRtParamIndex* num) {                    \
    return NpukitPluginBoundary::GetNumSocModels(plugin, num);                 \
  }                                                                            \
  LiteRtStatus LiteRtGetCompilerPluginSupportedSocModel(                       \
      LiteRtCompilerPlugin plugin, LiteRtParamIndex index,                     \
      const char** name) {                                                     \
    return NpukitPluginBoundary::GetSocModel(plugin, index, name);             \
  }                                                                            \
  LiteRtStatus LiteRtCompilerPluginPartition(                                  \
      LiteRtCompilerPlugin plugin, const char* soc_model,                      \
      LiteRtSubgraph subgraph, LiteRtOpList selected_ops) {                    \
    return NpukitPluginBoundary::Partition(plugin, soc_model, subgraph,        \
                                           selected_ops);                      \
  }                                                                            \
  LiteRtStatus LiteRtCompilerPluginCompile(                                    \
      LiteRtCompilerPlugin plugin, const char* soc_model,                      \
      LiteRtModel partitions, LiteRtCompiledResult* result) {                  \
    return NpukitPluginBoundary::Compile(plugin, soc_model, partitions,        \
                                         result);                              \
  }                                                                            \
  void LiteRtDestroyCompiledResult(LiteRtCompiledResult result) {              \
    NpukitPluginBoundary::DestroyResult(result);                               \
  }                                                                            \
  LiteRtStatus LiteRtGetCompiledResultByteCode(                                \
      LiteRtCompiledResult result, LiteRtParamIndex index,                     \
      const void** bytes, size_t* size) {                                      \
    return NpukitPluginBoundary::GetModule(result, index, bytes, size);        \
  }                                                                            \
  LiteRtStatus LiteRtCompiledResultNumByteCodeModules(                         \
      LiteRtCompiledResult result, LiteRtParamIndex* num) {                    \
    return NpukitPluginBoundary::GetNumModules(result, num);                   \
  }                                                                            \
  LiteRtStatus LiteRtGetCompiledResultCallInfo(                                \
      LiteRtCompiledResult result, LiteRtParamIndex index,                     \
      const void** info, size_t* info_size, LiteRtParamIndex* module) {        \
    return NpukitPluginBoundary::GetCall(result, index, info, info_size,       \
                                         module);                              \
  }                                                                            \
  LiteRtStatus LiteRtGetNumCompiledResultCalls(LiteRtCompiledResult result,    \
                                               LiteRtParamIndex* num) {        \
    return NpukitPluginBoundary::GetNumCalls(result, num);                     \
  }                                                                            \
  LiteRtStatus LiteRtCompilerPluginRegisterAllTransformations(                 \
      LiteRtCompilerPlugin plugin, LiteRtTransformation** transformations,     \
      LiteRtParamIndex* num) {                                                 \
    return NpukitPluginBoundary::GetTransformations(plugin, transformations,   \
                                                    num);                      \
  }                                                                            \
  LiteRtStatus LiteRtCompilerPluginCheckCompilerCompatibility(                 \
      LiteRtApiVersion version, LiteRtCompilerPlugin plugin,                   \
      LiteRtEnvironmentOptions, LiteRtOptions, const char* soc_model) {        \
    return NpukitPluginBoundary::CheckCompatibility(version, plugin,           \
                                                    soc_model);                \
  }                                                                            \
  LiteRtStatus NpukitExplainOp(LiteRtCompilerPlugin plugin,                    \
                               const char* soc_model,                          \
                               LiteRtSubgraph subgraph, LiteRtOp op,           \
                               char* buffer, size_t buffer_size) {             \
    return NpukitPluginExtensions::ExplainOp(plugin, soc_model, subgraph, op,  \
                                             buffer, buffer_size);             \
  }                                                                            \
  LiteRtStatus NpukitSetCompileSpecs(LiteRtCompilerPlugin plugin,              \
                                     size_t partition,                         \
                                     const NpukitCompileSpec* specs,           \
                                     size_t num_specs) {                       \
    return NpukitPluginExtensions::SetSpecs(plugin, partition, specs,          \
                                            num_specs);                        \
  }                                                                            \
  LiteRtStatus NpukitGetNumDebugHandles(LiteRtCompiledResult result,           \
                                        LiteRtParamIndex call, size_t* num) {  \
    return NpukitPluginExtensions::GetNumDebugHandles(result, call, num);      \
  }                                                                            \
  LiteRtStatus NpukitGetDebugHandle(LiteRtCompiledResult result,               \
                                    LiteRtParamIndex call, size_t position,    \
                                    NpukitDebugHandleInfo* info) {             \
    return NpukitPluginExtensions::GetDebugHandle(result, call, position,      \
                                                  info);                       \
  }                                                                            \
  }  /* extern "C" */                                                          \
  static_assert(std::is_base_of_v<::npukit::CompilerPlugin, Class>,            \
                #Class " must derive from npukit::CompilerPlugin")
// clang-format on

#endif  // NPUKIT_PLUGIN_H_

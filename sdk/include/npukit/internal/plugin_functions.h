// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_FUNCTIONS_H_
#define NPUKIT_INTERNAL_PLUGIN_FUNCTIONS_H_

// The functions of a compiler plugin, the same for every vendor's class but for what that says of
// itself. All checks of arguments are in them. Where npukit is installed they are compiled already
// (see npukit/internal/namespace.h).

#include <cstddef>
#include <cstdint>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/plugin/plugin_facts.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {
inline namespace NPUKIT_INTERNAL_ABI {

// A LiteRtCompilerPlugin is a CompilerPlugin*, a LiteRtCompiledResult a CompiledResult*.
struct PluginFunctions {
  using Facts = PluginFacts;
  using Plugin = LiteRtCompilerPlugin;
  using Result = LiteRtCompiledResult;
  using Index = LiteRtParamIndex;

  // Of the plugin, plugin/plugin_functions.h.
  static LiteRtStatus GetVersion(LiteRtApiVersion* version);
  static LiteRtStatus Create(const Facts& facts, Plugin* out, LiteRtEnvironmentOptions env,
                             LiteRtOptions options);
  static void Destroy(Plugin plugin);
  static LiteRtStatus GetSdkVersion(const Facts& facts, Plugin plugin, const char** version);
  static LiteRtStatus GetHardware(Plugin plugin, LiteRtHwAccelerators* hardware);
  static LiteRtStatus GetNumSocModels(const Facts& facts, Plugin plugin, Index* num);
  static LiteRtStatus GetSocModel(const Facts& facts, Plugin plugin, Index index,
                                  const char** name);
  static LiteRtStatus CheckCompatibility(const Facts& facts, LiteRtApiVersion version,
                                         Plugin plugin, LiteRtEnvironmentOptions, LiteRtOptions,
                                         const char* soc_model);
  static LiteRtStatus Partition(const Facts& facts, Plugin plugin, const char* soc_model,
                                LiteRtSubgraph subgraph, LiteRtOpList selected_ops);
  static LiteRtStatus Compile(const Facts& facts, Plugin plugin, const char* soc_model,
                              LiteRtModel partitions, Result* out);
  static LiteRtStatus GetTransformations(Plugin plugin, LiteRtTransformation** out, Index* num);
  // For hosts that call patterns with their functions first.
  static LiteRtStatus GetTransformationsWithContext(Plugin plugin, LiteRtTransformation** out,
                                                    Index* num);

  // Of the plugin, npukit's own: plugin/extension_functions.h.
  static LiteRtStatus ExplainOp(const Facts& facts, Plugin plugin, const char* soc_model,
                                LiteRtSubgraph subgraph, LiteRtOp op, char* buffer, size_t size);
  static LiteRtStatus SetSpecs(Plugin plugin, size_t partition, const NpukitCompileSpec* specs,
                               size_t num_specs);
  static const char* LastError();

  // Of a compiled result, plugin/result_functions.h.
  static void DestroyResult(Result result);
  static LiteRtStatus GetNumModules(Result result, Index* num);
  static LiteRtStatus GetModule(Result result, Index index, const void** bytes, size_t* size);
  static LiteRtStatus GetExecutable(Result result, Index module, LiteRtJitExecutable* executable);
  static LiteRtStatus GetNumCalls(Result result, Index* num);
  static LiteRtStatus GetCall(Result result, Index index, const void** info, size_t* info_size,
                              Index* module);
  static LiteRtStatus GetNumDebugHandles(Result result, Index call, size_t* num);
  static LiteRtStatus GetDebugHandle(Result result, Index call, size_t position,
                                     NpukitDebugHandleInfo* info);
  static LiteRtStatus GetInPlaceInput(Result result, Index call, Index output, int32_t* input);
};

}  // namespace NPUKIT_INTERNAL_ABI
}  // namespace internal
NPUKIT_NAMESPACE_END

#if !defined(NPUKIT_INTERNAL_FITS_ARCHIVE)
#include "npukit/internal/plugin/extension_functions.h"  // IWYU pragma: keep
#include "npukit/internal/plugin/plugin_functions.h"     // IWYU pragma: keep
#include "npukit/internal/plugin/result_functions.h"     // IWYU pragma: keep
#endif

#endif  // NPUKIT_INTERNAL_PLUGIN_FUNCTIONS_H_

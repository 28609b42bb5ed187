// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_PLUGIN_FUNCTIONS_H_
#define NPUKIT_INTERNAL_PLUGIN_PLUGIN_FUNCTIONS_H_

// The functions of a compiler plugin about itself, and its work.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_model.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/compiler_plugin.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/compiled_result.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/plugin/handles.h"
#include "npukit/internal/plugin/jit_option.h"
#include "npukit/internal/plugin/pattern_thunks.h"
#include "npukit/internal/plugin_functions.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetVersion(LiteRtApiVersion* version) {
  return Guard("LiteRtGetCompilerPluginVersion", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(version);
    *version = ApiVersion();
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::Create(const Facts& facts,
                                                            LiteRtCompilerPlugin* out,
                                                            LiteRtEnvironmentOptions env,
                                                            LiteRtOptions options) {
  return Guard("LiteRtCreateCompilerPlugin", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(out);
    *out = nullptr;
    std::unique_ptr<CompilerPlugin> plugin = facts.make(PluginConfig{env, options});
    if (const auto asked = ReadJitOption(options, facts.options_identifier))
      plugin->SetForJit(*asked);
    *out = reinterpret_cast<LiteRtCompilerPlugin>(plugin.release());
    return {};
  });
}

NPUKIT_INTERNAL_INLINE void PluginFunctions::Destroy(LiteRtCompilerPlugin handle) {
  Guard("LiteRtDestroyCompilerPlugin", [&]() -> ::litert::Expected<void> {
    delete PluginOf(handle);
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetSdkVersion(const Facts& facts,
                                                                   LiteRtCompilerPlugin handle,
                                                                   const char** version) {
  return Guard("LiteRtGetCompilerPluginSDKVersion", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, version);
    *version = facts.sdk_version;
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetHardware(LiteRtCompilerPlugin handle,
                                                                 LiteRtHwAccelerators* hardware) {
  return Guard("LiteRtGetCompilerPluginSupportedHardware", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, hardware);
    *hardware = PluginOf(handle)->SupportedHardware();
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetNumSocModels(const Facts& facts,
                                                                     LiteRtCompilerPlugin handle,
                                                                     LiteRtParamIndex* num) {
  return Guard("LiteRtGetNumCompilerPluginSupportedSocModels", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, num);
    *num = facts.num_soc_models;
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetSocModel(const Facts& facts,
                                                                 LiteRtCompilerPlugin handle,
                                                                 LiteRtParamIndex index,
                                                                 const char** name) {
  return Guard("LiteRtGetCompilerPluginSupportedSocModel", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, name);
    if (index >= facts.num_soc_models) {
      return OutOfBounds("SoC model", index, facts.num_soc_models);
    }
    *name = facts.soc_models[index];
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::CheckCompatibility(
    const Facts& facts, LiteRtApiVersion version, LiteRtCompilerPlugin handle,
    LiteRtEnvironmentOptions, LiteRtOptions, const char* soc_model) {
  return Guard("LiteRtCompilerPluginCheckCompilerCompatibility", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle);
    if (!IsSameApiVersion(version)) {
      return ::litert::Unexpected(
          ::litert::Status::kErrorUnsupportedCompilerVersion,
          ::litert::internal::Text({"the host has API version ", ToString(version), ", the plugin ",
                                    ToString(ApiVersion())}));
    }
    LITERT_ASSIGN_OR_RETURN(const std::string soc, SocOf(facts, soc_model));
    return PluginOf(handle)->CheckCompatibility(soc);
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::Partition(const Facts& facts,
                                                               LiteRtCompilerPlugin handle,
                                                               const char* soc_model,
                                                               LiteRtSubgraph subgraph,
                                                               LiteRtOpList selected_ops) {
  return Guard("LiteRtCompilerPluginPartition", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, subgraph, selected_ops);
    const auto soc = SocOf(facts, soc_model);
    if (!soc) return {};  // Nothing can be compiled for it.
    OpSelection selection(selected_ops);
    return PluginOf(handle)->Partition(*soc, ::litert::Subgraph(subgraph), selection);
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::Compile(const Facts& facts,
                                                             LiteRtCompilerPlugin handle,
                                                             const char* soc_model,
                                                             LiteRtModel partitions,
                                                             LiteRtCompiledResult* out) {
  return Guard("LiteRtCompilerPluginCompile", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, partitions, out);
    *out = nullptr;
    LITERT_ASSIGN_OR_RETURN(const std::string soc, SocOf(facts, soc_model));
    const auto model = ::litert::Model::CreateFromNonOwnedHandle(partitions);
    auto result = std::make_unique<CompiledResult>();
    const size_t num_partitions = model.NumSubgraphs();
    if (num_partitions > 0) {
      LITERT_ASSIGN_OR_RETURN(*result, PluginOf(handle)->Compile(soc, model));
    }
    LITERT_RETURN_IF_ERROR(result->Verify(num_partitions));
    if (!PluginOf(handle)->IsForJit()) result->DropExecutables();
    *out = reinterpret_cast<LiteRtCompiledResult>(result.release());
    return {};
  });
}

inline LiteRtStatus GiveTransformations(LiteRtCompilerPlugin handle, bool with_context,
                                        LiteRtTransformation** out, LiteRtParamIndex* num) {
  return Guard("LiteRtCompilerPluginRegisterAllTransformations", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, out, num);
    LITERT_RETURN_IF_ERROR(LendTransformations(*PluginOf(handle), with_context));
    auto& lent = PluginOf(handle)->lent_transformations();
    *out = lent.empty() ? nullptr : lent.data();
    *num = lent.size();
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetTransformations(Plugin plugin,
                                                                        LiteRtTransformation** out,
                                                                        Index* num) {
  const bool with_context = plugin != nullptr && PluginOf(plugin)->patterns_get_context();
  return GiveTransformations(plugin, with_context, out, num);
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::GetTransformationsWithContext(
    Plugin plugin, LiteRtTransformation** out, Index* num) {
  return GiveTransformations(plugin, /*with_context=*/true, out, num);
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_PLUGIN_FUNCTIONS_H_

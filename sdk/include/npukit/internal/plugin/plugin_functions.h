// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_PLUGIN_FUNCTIONS_H_
#define NPUKIT_INTERNAL_PLUGIN_PLUGIN_FUNCTIONS_H_

// The functions of a compiler plugin about itself and its work.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_model.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "npukit/compile_spec.h"
#include "npukit/compiled_result.h"
#include "npukit/compiler_plugin.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/plugin/jit_option.h"
#include "npukit/internal/plugin/pattern_thunks.h"
#include "npukit/internal/plugin_functions.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

inline CompilerPlugin* PluginOf(LiteRtCompilerPlugin handle) {
  return reinterpret_cast<CompilerPlugin*>(handle);
}

// The SoC model that a caller means. kErrorUnsupported if there is none.
inline ::litert::Expected<std::string> SocOf(const PluginFacts& facts, const char* soc_model) {
  if (soc_model == nullptr || *soc_model == '\0') return std::string(facts.soc_models[0]);
  for (size_t i = 0; i < facts.num_soc_models; ++i) {
    if (std::strcmp(facts.soc_models[i], soc_model) == 0) return std::string(facts.soc_models[i]);
  }
  return ::litert::Unexpected(::litert::Status::kErrorUnsupported,
                              ::litert::internal::Text({"unknown SoC model '", soc_model, "'"}));
}

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

// The specs of a C array. kErrorInvalidArgument for null and repeated keys.
inline ::litert::Expected<std::vector<CompilerPlugin::CompileSpec>> ReadSpecs(
    size_t partition, const NpukitCompileSpec* specs, size_t num_specs) {
  using ::litert::Status;
  using ::litert::Unexpected;
  std::vector<CompilerPlugin::CompileSpec> read;
  if (specs == nullptr && num_specs > 0) {
    return Unexpected(Status::kErrorInvalidArgument, "specs is null");
  }
  for (size_t i = 0; i < num_specs; ++i) {
    const NpukitCompileSpec& spec = specs[i];
    if (spec.key == nullptr || (spec.data == nullptr && spec.size_bytes > 0)) {
      return Unexpected(Status::kErrorInvalidArgument,
                        ::litert::internal::Text({"spec ", i, " has a null pointer"}));
    }
    for (const auto& earlier : read) {
      if (earlier.key == spec.key) {
        return Unexpected(Status::kErrorInvalidArgument,
                          ::litert::internal::Text({"the key '", earlier.key, "' occurs twice"}));
      }
    }
    const auto* data = static_cast<const uint8_t*>(spec.data);
    read.push_back({partition, spec.key, {data, data + spec.size_bytes}});
  }
  return read;
}

#if defined(NPUKIT_ABI_2_2)
inline constexpr bool kHasExecutables = true;
#else
inline constexpr bool kHasExecutables = false;
#endif

inline ::litert::Expected<void> CheckJitSpec(const CompilerPlugin::CompileSpec& spec) {
  const std::string value(spec.bytes.begin(), spec.bytes.end());
  if (value == "true" || value == "false") return {};
  return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                              ::litert::internal::Text({"compile spec '", spec.key, "': '", value,
                                                        "' is neither true nor false"}));
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::ExplainOp(const Facts& facts,
                                                               LiteRtCompilerPlugin handle,
                                                               const char* soc_model,
                                                               LiteRtSubgraph subgraph, LiteRtOp op,
                                                               char* buffer, size_t size) {
  return Guard("NpukitExplainOp", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle, subgraph, op, buffer);
    if (size == 0) {
      return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument, "buffer_size is 0");
    }
    const auto soc = SocOf(facts, soc_model);
    CopyText(soc ? PluginOf(handle)->Explain(*soc, ::litert::Subgraph(subgraph), ::litert::Op(op))
                 : soc.Error().Message(),
             buffer, size);
    return {};
  });
}

NPUKIT_INTERNAL_INLINE LiteRtStatus PluginFunctions::SetSpecs(LiteRtCompilerPlugin handle,
                                                              size_t partition,
                                                              const NpukitCompileSpec* specs,
                                                              size_t num_specs) {
  return Guard("NpukitSetCompileSpecs", [&]() -> ::litert::Expected<void> {
    NPUKIT_INTERNAL_REQUIRE(handle);
    LITERT_ASSIGN_OR_RETURN(auto read, ReadSpecs(partition, specs, num_specs));
    for (const auto& spec : read) {
      if (spec.key == NPUKIT_SPEC_ENABLE_JIT && kHasExecutables) {
        LITERT_RETURN_IF_ERROR(CheckJitSpec(spec));
        continue;
      }
      if (!PluginOf(handle)->KnowsSpec(spec.key)) {
        return ::litert::Unexpected(
            ::litert::Status::kErrorUnsupported,
            ::litert::internal::Text({"unknown compile spec '", spec.key, "'"}));
      }
      LITERT_RETURN_IF_ERROR(PluginOf(handle)->CheckSpec(
          spec.key, ::litert::internal::Span<const uint8_t>(spec.bytes)));
    }
    PluginOf(handle)->SetSpecs(partition, std::move(read));
    return {};
  });
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_PLUGIN_FUNCTIONS_H_

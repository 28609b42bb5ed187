// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_BOUNDARY_H_
#define NPUKIT_INTERNAL_PLUGIN_BOUNDARY_H_

// The functions that a compiler plugin exports, written once for every class
// derived from npukit::CompilerPlugin. All checks of arguments are here.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_model.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "npukit/abi.h"
#include "npukit/compile_spec.h"
#include "npukit/compiled_result.h"
#include "npukit/compiler_plugin.h"
#include "npukit/delegate_debug.h"
#include "npukit/internal/boundary.h"
#include "npukit/internal/jit_option.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/pattern_thunks.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `P` is the vendor's class. A LiteRtCompilerPlugin is a CompilerPlugin*, a
// LiteRtCompiledResult a CompiledResult*.
template <class P>
struct PluginBoundary {
  template <class T>
  using Expected = ::litert::Expected<T>;
  using Unexpected = ::litert::Unexpected;
  using Status = ::litert::Status;

  static CompilerPlugin* From(LiteRtCompilerPlugin handle) {
    return reinterpret_cast<CompilerPlugin*>(handle);
  }
  static CompiledResult* From(LiteRtCompiledResult handle) {
    return reinterpret_cast<CompiledResult*>(handle);
  }

  // The SoC model that a caller means. kErrorUnsupported if there is none.
  static Expected<std::string> Soc(const char* soc_model) {
    if (soc_model == nullptr || *soc_model == '\0') {
      return std::string(*std::begin(P::kSocModels));
    }
    for (const char* known : P::kSocModels) {
      if (std::strcmp(known, soc_model) == 0) return std::string(known);
    }
    return Unexpected(Status::kErrorUnsupported,
                      ::litert::internal::Text({"unknown SoC model '", soc_model, "'"}));
  }

  static LiteRtStatus Create(LiteRtCompilerPlugin* out, LiteRtEnvironmentOptions env,
                             LiteRtOptions options) {
    return Guard("LiteRtCreateCompilerPlugin", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(out);
      *out = nullptr;
      const PluginConfig config{env, options};
      std::unique_ptr<CompilerPlugin> plugin;
      if constexpr (std::is_constructible_v<P, const PluginConfig&>) {
        plugin = std::make_unique<P>(config);
      } else {
        plugin = std::make_unique<P>();
      }
      if (const auto asked = ReadJitOption(options, OptionsIdentifierOf<P>(0)))
        plugin->SetForJit(*asked);
      *out = reinterpret_cast<LiteRtCompilerPlugin>(plugin.release());
      return {};
    });
  }

  // The vendor's kOptionsIdentifier; null if it has none.
  template <class Q>
  static constexpr auto OptionsIdentifierOf(int) -> decltype(Q::kOptionsIdentifier) {
    return Q::kOptionsIdentifier;
  }
  template <class Q>
  static constexpr const char* OptionsIdentifierOf(...) {
    return nullptr;
  }

#if defined(NPUKIT_ABI_2_2)
  static LiteRtStatus CreateWith(const LiteRtCompilerContext* context, LiteRtCompilerPlugin* out,
                                 LiteRtEnvironmentOptions env, LiteRtOptions options) {
    LiteRtStatus status = NpukitUseCompilerContext(context);
    if (status != kLiteRtStatusOk) return status;
    status = Create(out, env, options);
    if (status == kLiteRtStatusOk)
      From(*out)->SetPatternsGetContext(NpukitPatternsGetContext(context));
    return status;
  }
#endif

  // The vendor's kSdkVersion if it has one.
  template <class Q>
  static constexpr auto SdkVersionOf(int) -> decltype(Q::kSdkVersion) {
    return Q::kSdkVersion;
  }
  template <class Q>
  static constexpr const char* SdkVersionOf(...) {
    return "unknown";
  }

  static LiteRtStatus GetSdkVersion(LiteRtCompilerPlugin handle, const char** version) {
    return Guard("LiteRtGetCompilerPluginSDKVersion", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, version);
      *version = SdkVersionOf<P>(0);
      return {};
    });
  }

  static void Destroy(LiteRtCompilerPlugin handle) {
    Guard("LiteRtDestroyCompilerPlugin", [&]() -> Expected<void> {
      delete From(handle);
      return {};
    });
  }

  static const char* GetManufacturer() { return P::kManufacturer; }

  static LiteRtStatus GetVersion(LiteRtApiVersion* version) {
    return Guard("LiteRtGetCompilerPluginVersion", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(version);
      *version = ApiVersion();
      return {};
    });
  }

  static LiteRtStatus GetHardware(LiteRtCompilerPlugin handle, LiteRtHwAccelerators* hardware) {
    return Guard("LiteRtGetCompilerPluginSupportedHardware", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, hardware);
      *hardware = From(handle)->SupportedHardware();
      return {};
    });
  }

  static LiteRtStatus GetNumSocModels(LiteRtCompilerPlugin handle, LiteRtParamIndex* num) {
    return Guard("LiteRtGetNumCompilerPluginSupportedSocModels", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, num);
      *num = std::size(P::kSocModels);
      return {};
    });
  }

  static LiteRtStatus GetSocModel(LiteRtCompilerPlugin handle, LiteRtParamIndex index,
                                  const char** name) {
    return Guard("LiteRtGetCompilerPluginSupportedSocModel", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, name);
      if (index >= std::size(P::kSocModels)) {
        return OutOfBounds("SoC model", index, std::size(P::kSocModels));
      }
      *name = *(std::begin(P::kSocModels) + index);
      return {};
    });
  }

  static LiteRtStatus Partition(LiteRtCompilerPlugin handle, const char* soc_model,
                                LiteRtSubgraph subgraph, LiteRtOpList selected_ops) {
    return Guard("LiteRtCompilerPluginPartition", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, subgraph, selected_ops);
      const auto soc = Soc(soc_model);
      if (!soc) return {};  // Nothing can be compiled for it.
      OpSelection selection(selected_ops);
      return From(handle)->Partition(*soc, ::litert::Subgraph(subgraph), selection);
    });
  }

  static LiteRtStatus Compile(LiteRtCompilerPlugin handle, const char* soc_model,
                              LiteRtModel partitions, LiteRtCompiledResult* out) {
    return Guard("LiteRtCompilerPluginCompile", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, partitions, out);
      *out = nullptr;
      LITERT_ASSIGN_OR_RETURN(const std::string soc, Soc(soc_model));
      const auto model = ::litert::Model::CreateFromNonOwnedHandle(partitions);
      auto result = std::make_unique<CompiledResult>();
      const size_t num_partitions = model.NumSubgraphs();
      if (num_partitions > 0) {
        LITERT_ASSIGN_OR_RETURN(*result, From(handle)->Compile(soc, model));
      }
      LITERT_RETURN_IF_ERROR(result->Verify(num_partitions));
      if (!From(handle)->IsForJit()) result->DropExecutables();
      *out = reinterpret_cast<LiteRtCompiledResult>(result.release());
      return {};
    });
  }

  static void DestroyResult(LiteRtCompiledResult handle) { delete From(handle); }

  // Hosts ask this with a null result when nothing was selected.
  static LiteRtStatus GetNumModules(LiteRtCompiledResult handle, LiteRtParamIndex* num) {
    return Guard("LiteRtCompiledResultNumByteCodeModules", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(num);
      *num = handle != nullptr ? From(handle)->modules().size() : 0;
      return {};
    });
  }

  static LiteRtStatus GetModule(LiteRtCompiledResult handle, LiteRtParamIndex index,
                                const void** bytes, size_t* size) {
    return Guard("LiteRtGetCompiledResultByteCode", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, bytes, size);
      const auto& modules = From(handle)->modules();
      if (index >= modules.size()) {
        return OutOfBounds("module", index, modules.size());
      }
      *bytes = modules[index].data();
      *size = modules[index].size();
      return {};
    });
  }

  // Null: run the module's bytecode.
  static LiteRtStatus GetExecutable(LiteRtCompiledResult handle, LiteRtParamIndex module,
                                    LiteRtJitExecutable* executable) {
    return Guard("LiteRtGetCompiledResultHandle", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, executable);
      *executable = nullptr;
      const size_t num_modules = From(handle)->modules().size();
      if (module >= num_modules) return OutOfBounds("module", module, num_modules);
      *executable = static_cast<LiteRtJitExecutable>(From(handle)->executable(module));
      return {};
    });
  }

  static LiteRtStatus GetNumCalls(LiteRtCompiledResult handle, LiteRtParamIndex* num) {
    return Guard("LiteRtGetNumCompiledResultCalls", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, num);
      *num = From(handle)->calls().size();
      return {};
    });
  }

  static Expected<const CompiledResult::Call*> CallAt(LiteRtCompiledResult handle,
                                                      LiteRtParamIndex index) {
    const auto& calls = From(handle)->calls();
    if (index < calls.size()) return &calls[index];
    return OutOfBounds("call", index, calls.size());
  }

  static LiteRtStatus GetCall(LiteRtCompiledResult handle, LiteRtParamIndex index,
                              const void** info, size_t* info_size, LiteRtParamIndex* module) {
    return Guard("LiteRtGetCompiledResultCallInfo", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, info, info_size, module);
      LITERT_ASSIGN_OR_RETURN(const auto* call, CallAt(handle, index));
      *info = call->entry_point.data();
      *info_size = call->entry_point.size();
      *module = call->module;
      return {};
    });
  }

  static LiteRtStatus GetTransformations(LiteRtCompilerPlugin handle, LiteRtTransformation** out,
                                         LiteRtParamIndex* num) {
    const bool with_context = handle != nullptr && From(handle)->patterns_get_context();
    return GiveTransformations(handle, with_context, out, num);
  }

  static LiteRtStatus GiveTransformations(LiteRtCompilerPlugin handle, bool with_context,
                                          LiteRtTransformation** out, LiteRtParamIndex* num) {
    return Guard("LiteRtCompilerPluginRegisterAllTransformations", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle, out, num);
      LITERT_RETURN_IF_ERROR(LendTransformations(*From(handle), with_context));
      auto& lent = From(handle)->lent_transformations();
      *out = lent.empty() ? nullptr : lent.data();
      *num = lent.size();
      return {};
    });
  }

  static LiteRtStatus CheckCompatibility(LiteRtApiVersion version, LiteRtCompilerPlugin handle,
                                         LiteRtEnvironmentOptions, LiteRtOptions,
                                         const char* soc_model) {
    return Guard("LiteRtCompilerPluginCheckCompilerCompatibility", [&]() -> Expected<void> {
      NPUKIT_INTERNAL_REQUIRE(handle);
      if (!IsSameApiVersion(version)) {
        return Unexpected(Status::kErrorUnsupportedCompilerVersion,
                          ::litert::internal::Text({"the host has API version ", ToString(version),
                                                    ", the plugin ", ToString(ApiVersion())}));
      }
      LITERT_ASSIGN_OR_RETURN(const std::string soc, Soc(soc_model));
      return From(handle)->CheckCompatibility(soc);
    });
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_BOUNDARY_H_

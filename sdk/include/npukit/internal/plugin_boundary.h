// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_PLUGIN_BOUNDARY_H_
#define NPUKIT_INTERNAL_PLUGIN_BOUNDARY_H_

// The functions that a compiler plugin exports, for every class derived from
// npukit::CompilerPlugin.

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "npukit/abi.h"
#include "npukit/compiler_plugin.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/plugin_functions.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// `P` is the vendor's class.
template <class P>
struct PluginBoundary {
  using Functions = PluginFunctions;

  static std::unique_ptr<CompilerPlugin> Make(const PluginConfig& config) {
    if constexpr (std::is_constructible_v<P, const PluginConfig&>) {
      return std::make_unique<P>(config);
    } else {
      return std::make_unique<P>();
    }
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
  // The vendor's kSdkVersion if it has one.
  template <class Q>
  static constexpr auto SdkVersionOf(int) -> decltype(Q::kSdkVersion) {
    return Q::kSdkVersion;
  }
  template <class Q>
  static constexpr const char* SdkVersionOf(...) {
    return "unknown";
  }

  static PluginFacts Facts() {
    return {Make, OptionsIdentifierOf<P>(0), SdkVersionOf<P>(0), &*std::begin(P::kSocModels),
            std::size(P::kSocModels)};
  }

  // A function that needs the facts.
  template <auto kFunction>
  struct WithFacts;
  template <class... Args, LiteRtStatus (*kFunction)(const PluginFacts&, Args...)>
  struct WithFacts<kFunction> {
    static LiteRtStatus Call(Args... args) { return kFunction(Facts(), args...); }
  };

  static const char* GetManufacturer() { return P::kManufacturer; }

  static constexpr auto Create = &WithFacts<&Functions::Create>::Call;
#if defined(NPUKIT_ABI_2_2)
  static LiteRtStatus CreateWith(const LiteRtCompilerContext* context, LiteRtCompilerPlugin* out,
                                 LiteRtEnvironmentOptions env, LiteRtOptions options) {
    LiteRtStatus status = NpukitUseCompilerContext(context);
    if (status != kLiteRtStatusOk) return status;
    status = Create(out, env, options);
    if (status == kLiteRtStatusOk) {
      reinterpret_cast<CompilerPlugin*>(*out)->SetPatternsGetContext(
          NpukitPatternsGetContext(context));
    }
    return status;
  }
#endif

  static constexpr auto GetSdkVersion = &WithFacts<&Functions::GetSdkVersion>::Call;
  static constexpr auto GetNumSocModels = &WithFacts<&Functions::GetNumSocModels>::Call;
  static constexpr auto GetSocModel = &WithFacts<&Functions::GetSocModel>::Call;
  static constexpr auto CheckCompatibility = &WithFacts<&Functions::CheckCompatibility>::Call;
  static constexpr auto Partition = &WithFacts<&Functions::Partition>::Call;
  static constexpr auto Compile = &WithFacts<&Functions::Compile>::Call;

  static constexpr auto GetVersion = &Functions::GetVersion;
  static constexpr auto Destroy = &Functions::Destroy;
  static constexpr auto GetHardware = &Functions::GetHardware;
  static constexpr auto GetTransformations = &Functions::GetTransformations;
  static constexpr auto DestroyResult = &Functions::DestroyResult;
  static constexpr auto GetNumModules = &Functions::GetNumModules;
  static constexpr auto GetModule = &Functions::GetModule;
  static constexpr auto GetExecutable = &Functions::GetExecutable;
  static constexpr auto GetNumCalls = &Functions::GetNumCalls;
  static constexpr auto GetCall = &Functions::GetCall;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_PLUGIN_BOUNDARY_H_

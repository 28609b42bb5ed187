// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_QUERIED_PLUGIN_H_
#define NPUKIT_INTERNAL_QUERIED_PLUGIN_H_

// The functions of a compiler plugin as a table that hosts query, from LiteRT's sources of September
// 2026 on.

#if defined(NPUKIT_ABI_2_3)

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "npukit/internal/namespace.h"
#include "npukit/internal/plugin_boundary.h"
#include "npukit/internal/plugin_functions.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// The same functions as a queried table.
template <class P>
struct QueriedPlugin {
  using Boundary = PluginBoundary<P>;

  __attribute__((visibility("hidden"))) static const LiteRtCompilerPluginInterface_V1* Interface() {
    static const LiteRtCompilerPluginInterface_V1 interface = {
        {sizeof(LiteRtCompilerPluginInterface_V1), LITERT_COMPILER_PLUGIN_ABI_VERSION_MAJOR,
         LITERT_COMPILER_PLUGIN_ABI_VERSION_MINOR, 0},
        Boundary::GetVersion,
        Boundary::GetManufacturer,
        Boundary::CreateWith,
        Boundary::Destroy,
        Boundary::GetHardware,
        Boundary::GetNumSocModels,
        Boundary::GetSocModel,
        Boundary::Partition,
        Boundary::Compile,
        Boundary::DestroyResult,
        Boundary::GetModule,
        Boundary::GetNumModules,
        Boundary::GetCall,
        Boundary::GetNumCalls,
        // Hosts that query call patterns with their functions first.
        PluginFunctions::GetTransformationsWithContext,
        Boundary::GetSdkVersion,
        Boundary::GetExecutable,
        Boundary::CheckCompatibility};
    return &interface;
  }

  static LiteRtStatus QueryInterface(LiteRtCompilerPluginInterfaceId id, LiteRtApiVersion version,
                                     LiteRtInterface* out) {
    if (out == nullptr) return kLiteRtStatusErrorInvalidArgument;
    *out = nullptr;
    if (id != kLiteRtCompilerPluginInterfaceBasic ||
        version.major != LITERT_COMPILER_PLUGIN_ABI_VERSION_MAJOR) {
      return kLiteRtStatusErrorUnsupported;
    }
    *out = Interface();
    return kLiteRtStatusOk;
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_ABI_2_3

#endif  // NPUKIT_INTERNAL_QUERIED_PLUGIN_H_

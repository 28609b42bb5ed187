// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tables of a dispatch library of any of LiteRT's releases, brought to the signatures of abi
// 2.1, so that the rest of the host knows one dispatch API. docs/abi.md has the rules by which the
// releases are told apart.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_GENERATION_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_GENERATION_H_

#include <string>

#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/library/plugin_library.h"

namespace npukit {

// What every dispatch library exports.
inline constexpr char kGetApiFunction[] = "LiteRtDispatchGetApi";

enum class DispatchGeneration {
  kV210,  // 2.1.0, 2.1.1: 22 functions, LiteRtEnvironmentOptions at initialize
  kV212,  // 2.1.2: check_runtime_compatibility
  kV213,  // 2.1.3, 2.1.4: LiteRtEnvironment at initialize, scheduling, options per invocation
  kV215,  // 2.1.5, 2.1.6: a table of the host's functions
  kV220,  // 2.2.0: headers
};

// "2.1" for the libraries that link the host, "2.2" for those that get a table.
std::string AbiName(DispatchGeneration generation);
// "LiteRT 2.1.3 to 2.1.4".
std::string GenerationName(DispatchGeneration generation);

struct DispatchTables {
  DispatchGeneration generation = DispatchGeneration::kV213;
  LiteRtApiVersion version = {};
  // Entries that the library lacks are null, but for check_runtime_compatibility where its release
  // had none.
  LiteRtDispatchInterface basic = {};
  // As in all releases. Null if the library has none.
  const LiteRtDispatchAsyncInterface* async = nullptr;
  const LiteRtDispatchGraphInterface* graph = nullptr;
};

// Calls the library's LiteRtDispatchGetApi. Errors name the library: it has no such function; the
// call failed, or gave no basic interface; what it gave is of a layout that can't be told.
litert::Expected<DispatchTables> ReadDispatchTables(const PluginLibrary& library);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_GENERATION_H_

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
#include "sdk/host/library/plugin_library.h"
#include "sdk/host/runtime/dispatch/client/dispatch_tables.h"

namespace npukit {

// What dispatch libraries export: from LiteRT's sources of September 2026 on the second; where there
// are both, that one counts.
inline constexpr char kGetApiFunction[] = "LiteRtDispatchGetApi";
inline constexpr char kDispatchQueryFunction[] = "LiteRtDispatchQueryInterface";
// That of a library: the one that messages name.
const char* EntryFunction(const PluginLibrary& library);

// "2.1" for the libraries that link the host, "2.2" for those that get a table, "2.3" for those whose
// tables are queried.
std::string AbiName(DispatchGeneration generation);
// "LiteRT 2.1.3 to 2.1.4".
std::string GenerationName(DispatchGeneration generation);

// Asks the library for its tables. Errors name the library: it has neither function; the call failed,
// or gave no basic interface; what it gave is of a layout that can't be told, or of another major
// version.
litert::Expected<DispatchTables> ReadDispatchTables(const PluginLibrary& library);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_GENERATION_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The compiler plugins and dispatch libraries that are linked into the program, as they were told
// to the host (npukit/static_plugin.h). Thread-safe.

#ifndef NPUKIT_SDK_HOST_LIBRARY_LINKED_PLUGINS_H_
#define NPUKIT_SDK_HOST_LIBRARY_LINKED_PLUGINS_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "npukit/static_plugin.h"

namespace npukit {

struct LinkedPlugin {
  std::string name;
  std::map<std::string, NpukitStaticFunction, std::less<>> symbols;
};

// What stands for the path of a file: "linked:Contoso".
std::string LinkedPath(std::string_view name);
// "Contoso" of "linked:Contoso"; empty for the path of a file.
std::string_view LinkedName(std::string_view path);

// The name of the dispatch library that LiteRtStaticLinkedDispatchGetApi (litert_linked_in.h)
// brings.
inline constexpr std::string_view kLinkedByVariable = "LiteRtStaticLinkedDispatchGetApi";

// By name, but what the program's own variables bring stands first; so that the order in which they were
// registered does not matter.
std::vector<std::string> LinkedPaths(NpukitStaticPluginKind kind);

// Says, for people, where that is which only asks something outside the program: "build/lib/libX.so on
// ssh:board". Stays when the name is registered anew.
void SetPlaceOfLinked(NpukitStaticPluginKind kind, std::string_view name, std::string place);
// The path, or the place that was said for it.
std::string PlaceOf(NpukitStaticPluginKind kind, const std::string& path);

// Null if there is none of that path.
std::shared_ptr<const LinkedPlugin> FindLinked(NpukitStaticPluginKind kind, std::string_view path);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_LINKED_PLUGINS_H_

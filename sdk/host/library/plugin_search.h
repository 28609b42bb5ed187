// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Finds plugins and dispatch libraries, in a folder and in the program.

#ifndef NPUKIT_SDK_HOST_LIBRARY_PLUGIN_SEARCH_H_
#define NPUKIT_SDK_HOST_LIBRARY_PLUGIN_SEARCH_H_

#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "npukit/static_plugin.h"

namespace npukit {

struct PluginFiles {
  std::vector<std::string> compiler_plugins;  // libLiteRtCompilerPlugin*.so
  std::vector<std::string> dispatch;          // libLiteRtDispatch*.so
};

// Looks into subfolders too (links to folders are not followed). Sorted by
// path, so that the order on disk does not matter. Error: the folder does not
// exist or can't be read.
litert::Expected<PluginFiles> FindPluginFiles(const std::string& folder);

// What the host may use: first those that are linked into the program, by name ("linked:NAME",
// linked_plugins.h), then the folder's files. An empty folder means that there is none.
litert::Expected<PluginFiles> FindPlugins(const std::string& folder);

// Why FindPlugins found nothing of a kind.
litert::Error NoneFound(const std::string& folder, NpukitStaticPluginKind kind);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_PLUGIN_SEARCH_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Finds plugin and dispatch libraries in a folder.

#ifndef NPUKIT_SDK_HOST_PLUGIN_PLUGIN_SEARCH_H_
#define NPUKIT_SDK_HOST_PLUGIN_PLUGIN_SEARCH_H_

#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit {

struct PluginFiles {
  std::vector<std::string> compiler_plugins;  // libLiteRtCompilerPlugin*.so
  std::vector<std::string> dispatch;          // libLiteRtDispatch*.so
};

// Looks into subfolders too (links to folders are not followed). Sorted by
// path, so that the order on disk does not matter. Error: the folder does not
// exist or can't be read.
litert::Expected<PluginFiles> FindPluginFiles(const std::string& folder);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_PLUGIN_SEARCH_H_

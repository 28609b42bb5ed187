// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/plugin_search.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace npukit {

litert::Expected<PluginFiles> FindPluginFiles(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  PluginFiles files;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const fs::path& path = entry->path();
    if (path.extension() != ".so" || !entry->is_regular_file(ignored)) continue;
    const std::string stem = path.stem().string();
    if (stem.starts_with("libLiteRtCompilerPlugin")) {
      files.compiler_plugins.push_back(path.string());
    } else if (stem.starts_with("libLiteRtDispatch")) {
      files.dispatch.push_back(path.string());
    }
  }
  if (error) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
                              folder + ": can't be searched for plugins: " + error.message());
  }
  std::sort(files.compiler_plugins.begin(), files.compiler_plugins.end());
  std::sort(files.dispatch.begin(), files.dispatch.end());
  return files;
}

}  // namespace npukit

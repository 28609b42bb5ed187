// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/plugin_search.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/linked_plugins.h"

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

litert::Expected<PluginFiles> FindPlugins(const std::string& folder) {
  PluginFiles found{.compiler_plugins = LinkedPaths(kNpukitStaticPluginCompiler),
                    .dispatch = LinkedPaths(kNpukitStaticPluginDispatch)};
  if (folder.empty()) return found;
  LITERT_ASSIGN_OR_RETURN(const PluginFiles files, FindPluginFiles(folder));
  found.compiler_plugins.insert(found.compiler_plugins.end(), files.compiler_plugins.begin(),
                                files.compiler_plugins.end());
  found.dispatch.insert(found.dispatch.end(), files.dispatch.begin(), files.dispatch.end());
  return found;
}

litert::Error NoneFound(const std::string& folder, NpukitStaticPluginKind kind) {
  const bool is_compiler = kind == kNpukitStaticPluginCompiler;
  const std::string what = is_compiler ? "compiler plugin" : "dispatch library";
  if (folder.empty()) {
    return litert::Error(kLiteRtStatusErrorNotFound,
                         "no " + what +
                             " is linked into the program, and there is no plugin folder to look "
                             "into (--plugin-dir)");
  }
  return litert::Error(kLiteRtStatusErrorNotFound,
                       folder + ": no " + what + " (libLiteRt" +
                           (is_compiler ? "CompilerPlugin" : "Dispatch") + "*.so)");
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/plugin_search.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/host/library/shared_libraries.h"

namespace npukit {

litert::Expected<PluginFiles> FindPluginFiles(const std::string& folder) {
  std::error_code error;
  const std::vector<std::string> paths = FindSharedLibraries(folder, error);
  if (error) {
    return litert::Unexpected(
        kLiteRtStatusErrorNotFound,
        fmt::format("{}: can't be searched for plugins: {}", folder, error.message()));
  }
  PluginFiles files;
  for (const std::string& path : paths) {
    const std::string stem = std::filesystem::path(path).stem().string();
    if (stem.starts_with("libLiteRtCompilerPlugin")) {
      files.compiler_plugins.push_back(path);
    } else if (stem.starts_with("libLiteRtDispatch")) {
      files.dispatch.push_back(path);
    }
  }
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
  const char* what = is_compiler ? "compiler plugin" : "dispatch library";
  if (folder.empty()) {
    return litert::Error(
        kLiteRtStatusErrorNotFound,
        fmt::format("no {} is linked into the program, and there is no plugin folder to look into "
                    "(--plugin-dir)",
                    what));
  }
  return litert::Error(kLiteRtStatusErrorNotFound,
                       fmt::format("{}: no {} (libLiteRt{}*.so)", folder, what,
                                   is_compiler ? "CompilerPlugin" : "Dispatch"));
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/plugin_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/plugin_name.h"
#include "sdk/host/library/plugin_search.h"

namespace npukit {
namespace {

// Without a folder, what is linked in is all there is.
std::string FolderPrefix(const std::string& folder) {
  return folder.empty() ? "" : fmt::format("{}: ", folder);
}

std::string Reasons(const PluginChoice& loaded) {
  std::string text;
  for (const std::string& reason : loaded.skipped) text += fmt::format("; {}", reason);
  return text;
}

std::string NotThere(const std::string& folder, const std::string& name,
                     const PluginChoice& loaded) {
  std::vector<std::string> manufacturers;
  for (const LoadedPlugin& plugin : loaded.plugins) manufacturers.push_back(plugin.manufacturer());
  return fmt::format("{}no plugin named \"{}\"{}{}{}", FolderPrefix(folder), name,
                     manufacturers.empty() ? "" : "; there is: ", fmt::join(manufacturers, " "),
                     Reasons(loaded));
}

}  // namespace

litert::Expected<PluginChoice> ChoosePlugins(const std::string& folder,
                                             const std::vector<std::string>& names,
                                             LiteRtOptions options) {
  LITERT_ASSIGN_OR_RETURN(const PluginFiles files, FindPlugins(folder));
  if (files.compiler_plugins.empty()) {
    return NoneFound(folder, kNpukitStaticPluginCompiler);
  }
  PluginChoice loaded;
  for (const std::string& path : files.compiler_plugins) {
    auto plugin = LoadedPlugin::Load(path, nullptr, options);
    if (plugin) {
      loaded.plugins.push_back(std::move(*plugin));
    } else {
      loaded.skipped.push_back(plugin.Error().Message());
    }
  }
  if (names.empty()) {
    if (!loaded.plugins.empty()) return loaded;
    return litert::Error(
        kLiteRtStatusErrorDynamicLoading,
        fmt::format("{}no compiler plugin can be loaded{}", FolderPrefix(folder), Reasons(loaded)));
  }
  std::vector<size_t> chosen;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(loaded.plugins.begin(), loaded.plugins.end(), [&](const LoadedPlugin& plugin) {
          return MeansPlugin(plugin.manufacturer(), plugin.path(), name);
        });
    // One that can't be loaded may be the one that is meant.
    if (found == loaded.plugins.end()) {
      return litert::Error(
          loaded.skipped.empty() ? kLiteRtStatusErrorInvalidArgument : kLiteRtStatusErrorNotFound,
          NotThere(folder, name, loaded));
    }
    const auto index = static_cast<size_t>(found - loaded.plugins.begin());
    if (std::find(chosen.begin(), chosen.end(), index) != chosen.end()) {
      return litert::Error(
          kLiteRtStatusErrorInvalidArgument,
          fmt::format("{}: named twice, as \"{}\" again", found->Describe(), name));
    }
    chosen.push_back(index);
  }
  PluginChoice choice;
  for (size_t index : chosen) choice.plugins.push_back(std::move(loaded.plugins[index]));
  return choice;
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/plugin_choice.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/host/library/plugin_search.h"

namespace npukit {
namespace {

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

// What follows the prefix that every plugin's file name has; the name of one that is linked in.
std::string_view NameInPath(std::string_view path) {
  if (const std::string_view linked = LinkedName(path); !linked.empty()) return linked;
  constexpr std::string_view kPrefix = "libLiteRtCompilerPlugin_";
  constexpr std::string_view kExtension = ".so";
  path.remove_prefix(path.find_last_of('/') + 1);
  if (!path.starts_with(kPrefix) || !path.ends_with(kExtension)) return {};
  return path.substr(kPrefix.size(), path.size() - kPrefix.size() - kExtension.size());
}

// Without a folder, what is linked in is all there is.
std::string FolderPrefix(const std::string& folder) { return folder.empty() ? "" : folder + ": "; }

std::string NotThere(const std::string& folder, const std::string& name,
                     const PluginChoice& loaded) {
  std::string text = FolderPrefix(folder) + "no plugin named \"" + name + "\"";
  std::string list;
  for (const LoadedPlugin& plugin : loaded.plugins) list += " " + plugin.manufacturer();
  if (!list.empty()) text += "; there is:" + list;
  for (const std::string& reason : loaded.skipped) text += "; " + reason;
  return text;
}

}  // namespace

bool IsPluginNamed(std::string_view manufacturer, std::string_view path, std::string_view name) {
  return EqualIgnoringCase(manufacturer, name) || EqualIgnoringCase(NameInPath(path), name);
}

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
    std::string reasons;
    for (const std::string& reason : loaded.skipped) reasons += "; " + reason;
    return litert::Error(kLiteRtStatusErrorDynamicLoading,
                         FolderPrefix(folder) + "no compiler plugin can be loaded" + reasons);
  }
  PluginChoice chosen;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(loaded.plugins.begin(), loaded.plugins.end(), [&](const auto& plugin) {
          return IsPluginNamed(plugin.manufacturer(), plugin.path(), name);
        });
    if (found == loaded.plugins.end()) {
      return litert::Error(kLiteRtStatusErrorNotFound, NotThere(folder, name, loaded));
    }
    // Another object of the same file, so that one name may stand twice.
    LITERT_ASSIGN_OR_RETURN(LoadedPlugin plugin,
                            LoadedPlugin::Load(found->path(), nullptr, options));
    chosen.plugins.push_back(std::move(plugin));
  }
  return chosen;
}

}  // namespace npukit

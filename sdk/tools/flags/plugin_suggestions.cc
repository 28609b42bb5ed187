// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/plugin_suggestions.h"

#include <algorithm>

#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/tools/command_line/command_line.h"

namespace npukit::tools {
namespace {

std::vector<std::string> ManufacturersIn(const std::string& plugin_dir) {
  if (plugin_dir.empty()) return {};
  const auto choice = ChoosePlugins(plugin_dir, {});
  if (!choice) return {};
  std::vector<std::string> names;
  for (const LoadedPlugin& plugin : choice->plugins) names.push_back(plugin.manufacturer());
  return names;
}

}  // namespace

std::vector<std::string> SocsIn(const std::string& plugin_dir) {
  if (plugin_dir.empty()) return {};
  const auto choice = ChoosePlugins(plugin_dir, {});
  if (!choice) return {};
  std::vector<std::string> socs;
  for (const LoadedPlugin& plugin : choice->plugins) {
    for (const std::string& soc : plugin.soc_models()) {
      if (std::find(socs.begin(), socs.end(), soc) == socs.end()) socs.push_back(soc);
    }
  }
  return socs;
}

void SuggestPluginsAndSocs(CommandLine& line, const std::string& plugin_dir) {
  line.Suggest("--soc", [&plugin_dir] { return SocsIn(plugin_dir); });
  line.Suggest("--plugin", [&plugin_dir] { return ManufacturersIn(plugin_dir); });
}

}  // namespace npukit::tools

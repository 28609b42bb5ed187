// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which of the plugins in a folder the user means.

#ifndef NPUKIT_SDK_HOST_PLUGIN_PLUGIN_CHOICE_H_
#define NPUKIT_SDK_HOST_PLUGIN_PLUGIN_CHOICE_H_

#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit {

struct PluginChoice {
  std::vector<LoadedPlugin> plugins;  // never empty
  std::vector<std::string> skipped;   // why others are not in it
};

// Of those that FindPlugins finds, created with `options`, which outlive them. With names: those
// plugins in that order, each the first of its name; an error if one is not there or can't be
// loaded. Without: all that can be loaded; an error if that is none.
litert::Expected<PluginChoice> ChoosePlugins(const std::string& folder,
                                             const std::vector<std::string>& names,
                                             LiteRtOptions options = nullptr);

// Whether the user's `name` means this plugin: its manufacturer, or what follows
// libLiteRtCompilerPlugin_ in its file name, or "linked:". Case does not count.
bool IsPluginNamed(std::string_view manufacturer, std::string_view path, std::string_view name);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_PLUGIN_CHOICE_H_

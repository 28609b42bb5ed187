// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which of the plugins in a folder the user means.

#ifndef NPUKIT_SDK_HOST_PLUGIN_PLUGIN_CHOICE_H_
#define NPUKIT_SDK_HOST_PLUGIN_PLUGIN_CHOICE_H_

#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit {

struct PluginChoice {
  std::vector<LoadedPlugin> plugins;  // never empty
  std::vector<std::string> skipped;   // why others are not in it
};

// Of those that FindPlugins finds, created with `options`, which outlive them. With names: those
// plugins in that order (MeansPlugin), each the first of its name; an error if one is not there,
// can't be loaded, or is named twice. Without: all that can be loaded; an error if that is none.
litert::Expected<PluginChoice> ChoosePlugins(const std::string& folder,
                                             const std::vector<std::string>& names,
                                             LiteRtOptions options = nullptr);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLUGIN_PLUGIN_CHOICE_H_

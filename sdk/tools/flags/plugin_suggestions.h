// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What completion offers for options that name a plugin or its chips: a folder's plugins are loaded and
// asked. Nothing where there is no folder or no plugin can be loaded, which is told by the verbs.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_PLUGIN_SUGGESTIONS_H_
#define NPUKIT_SDK_TOOLS_FLAGS_PLUGIN_SUGGESTIONS_H_

#include <string>
#include <vector>

namespace npukit::tools {

class CommandLine;

// SoC models, each once, as the plugins list them.
std::vector<std::string> SocsIn(const std::string& plugin_dir);

// For --soc and --plugin, which must have been added. `plugin_dir` outlives the command line.
void SuggestPluginsAndSocs(CommandLine& line, const std::string& plugin_dir);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_PLUGIN_SUGGESTIONS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The plugin that a command line of `npukit-conform` means.

#ifndef NPUKIT_CONFORMANCE_RUNNER_JUDGED_PLUGIN_H_
#define NPUKIT_CONFORMANCE_RUNNER_JUDGED_PLUGIN_H_

#include <optional>
#include <string>

#include "conformance/runner/command_line.h"
#include "conformance/runner/vendor/plugin_under_test.h"

namespace npukit::conformance {

// The folder with the devices' libraries.
std::string DeviceFolderOf(const ConformArguments& arguments);

// Its libraries, here or on devices, its compile specs and what else checks ask of the command line; without claims. Says
// on stderr why there is none, and gives the exit code.
std::optional<PluginUnderTest> FindJudged(const ConformArguments& arguments, int& exit_code);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_JUDGED_PLUGIN_H_

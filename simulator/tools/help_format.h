// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SIMULATOR_TOOLS_HELP_FORMAT_H_
#define NPUKIT_SIMULATOR_TOOLS_HELP_FORMAT_H_

namespace CLI {
class App;
}  // namespace CLI

namespace acme {

// Lets --help of the app and its subcommands keep to the width of the terminal, or to COLUMNS, or to 80.
void WrapHelp(CLI::App& app);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TOOLS_HELP_FORMAT_H_

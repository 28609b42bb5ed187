// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a tool's command line takes, as the JSON that npukit's other verbs print after --describe
// (sdk/tools/command_line/verb_facts.h): man pages and completion are made from it.

#ifndef NPUKIT_SIMULATOR_TOOLS_DESCRIBE_H_
#define NPUKIT_SIMULATOR_TOOLS_DESCRIBE_H_

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace acme {

// One line. Of --soc, the chips that are built in are suggested.
std::string DescribeTool(const CLI::App& app);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TOOLS_DESCRIBE_H_

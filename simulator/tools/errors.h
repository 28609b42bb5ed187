// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Errors of the simulator's tools, told as npukit's other verbs tell theirs: "npukit asm: MESSAGE" on stderr, and the exit codes of
// sdk/tools/command_line/command_line.h.

#ifndef NPUKIT_SIMULATOR_TOOLS_ERRORS_H_
#define NPUKIT_SIMULATOR_TOOLS_ERRORS_H_

#include <string_view>

#include "simulator/isa/expected.h"

namespace CLI {
class App;
}  // namespace CLI

namespace acme {

// Prints the message in the name of `tool` ("npukit asm") and gives `code` back.
int Fail(std::string_view tool, int code, std::string_view message);

// 2 for what the user asked for that cannot be meant or is not there, 3 for a file that cannot be loaded, 1 for all else.
int ExitCode(const Error& error);

// False with the code to end with: 0 after --help and its like and after --describe (describe.h), 2 after wrong usage, which is told in the app's name.
bool ParseArguments(CLI::App& app, int argc, char** argv, int& exit_code);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TOOLS_ERRORS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/errors.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/tools/describe.h"
#include "simulator/tools/help_format.h"
#include "simulator/tools/verb.h"

namespace acme {
namespace {

// CLI11 says of a word that is no subcommand only that one is missing.
std::string WhatIsWrong(const CLI::App& app, int argc, char** argv, const std::string& message) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (commands.empty() || argc < 2 || argv[1][0] == '-') return message;
  std::vector<std::string> names;
  for (const CLI::App* command : commands) {
    if (command->get_name() == argv[1]) return message;
    names.push_back("'" + command->get_name() + "'");
  }
  return fmt::format("there is no command '{}'; there is {}", argv[1], fmt::join(names, ", "));
}

}  // namespace

int Fail(std::string_view tool, int code, std::string_view message) {
  std::fflush(stdout);
  fmt::print(stderr, "{}: {}\n", tool, message);
  return code;
}

int RunVerb(const char* tool, int (*body)(int argc, char** argv), int argc, char** argv) {
  int code = 1;
  try {
    code = body(argc, argv);
  } catch (const std::exception& error) {  // memory or a full disk; all else is told by values
    return Fail(tool, 1, error.what());
  }
  // A full disk shows here at the latest.
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  Fail(tool, 1, fmt::format("standard output can't be written: {}", std::strerror(errno)));
  return code == 0 ? 1 : code;
}

int ExitCode(const Error& error) {
  switch (error.Code()) {
    case ErrorCode::kInvalidArgument:
      return 2;
    case ErrorCode::kIo:
    case ErrorCode::kNotFound:
    case ErrorCode::kIncompatible:
    case ErrorCode::kInvalidProgram:
      return 3;
    default:
      return 1;
  }
}

bool ParseArguments(CLI::App& app, int argc, char** argv, int& exit_code) {
  WrapHelp(app);
  if (argc >= 2 && std::string_view(argv[1]) == "--describe") {
    fmt::print("{}\n", DescribeTool(app));
    exit_code = 0;
    return false;
  }
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      exit_code = app.exit(error);
    } else {
      exit_code = Fail(app.get_name(), 2,
                       fmt::format("{}\nTry '{} --help'.",
                                   WhatIsWrong(app, argc, argv, error.what()), app.get_name()));
    }
    return false;
  }
}

}  // namespace acme

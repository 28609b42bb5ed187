// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

namespace npukit::tools {
namespace {

// A function's static, so that it is there before any tool's SetToolName runs.
std::string& ToolName() {
  static std::string name = "npukit";
  return name;
}

template <typename Json>
void Print(const Json& value) {
  const std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
}

}  // namespace

bool SetToolName(std::string_view name) {
  ToolName() = name;
  return true;
}

std::optional<int> Parse(CLI::App& app, int argc, char** argv) {
  app.name(ToolName());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // 0 stands for --help and its like, which `exit` prints.
    if (error.get_exit_code() == 0) {
      app.exit(error);
      return kDone;
    }
    return Fail(kWrongUsage, std::string(error.what()) + "\nTry '" + ToolName() + " --help'.");
  }
  return std::nullopt;
}

int Fail(ExitCode code, std::string_view message) {
  std::fflush(stdout);
  std::cerr << ToolName() << ": " << message << std::endl;
  return code;
}

int Fail(ExitCode code, const litert::Error& error) {
  return Fail(code, error.Message().empty() ? error.ToString() : error.Message());
}

void PrintJson(const nlohmann::json& value) { Print(value); }
void PrintJson(const nlohmann::ordered_json& value) { Print(value); }

bool StdoutIsTerminal() { return isatty(STDOUT_FILENO) == 1; }

}  // namespace npukit::tools

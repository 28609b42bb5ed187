// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/help_format.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>

namespace acme {
namespace {

constexpr size_t kColumnsWithoutTerminal = 80;
// A narrower column can't be read.
constexpr size_t kLeastColumns = 20;

size_t Columns() {
  const char* const asked = std::getenv("COLUMNS");
  if (asked != nullptr && std::atoi(asked) > 0) return static_cast<size_t>(std::atoi(asked));
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kColumnsWithoutTerminal;
}

std::string Wrapped(const std::string& text, size_t columns) {
  std::istringstream words(text);
  std::string wrapped;
  size_t used = 0;  // of the line
  for (std::string word; words >> word; used += word.size()) {
    if (used > 0 && used + 1 + word.size() > columns) {
      wrapped += '\n';
      used = 0;
    } else if (used > 0) {
      wrapped += ' ';
      ++used;
    }
    wrapped += word;
  }
  return wrapped;
}

// As that of sdk/tools/command_line/command_line.cc: the simulator includes nothing of sdk/.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    return Beside(option->get_description());
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::string line = fmt::format("  {:<{}}", command->get_name(), column_width_ - 2);
    for (const char c : Beside(command->get_description())) {
      line += c;
      if (c == '\n') line += std::string(column_width_, ' ');
    }
    return line + "\n";
  }
  std::string make_description(const CLI::App* app) const override {
    return Wrapped(app->get_description(), columns_) + "\n";
  }

 private:
  std::string Beside(const std::string& text) const {
    const size_t left = columns_ > column_width_ ? columns_ - column_width_ : 0;
    return Wrapped(text, std::max(kLeastColumns, left));
  }

  size_t columns_ = Columns();
};

}  // namespace

void WrapHelp(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    WrapHelp(*command);
}

}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

namespace npukit::tools {
namespace {

constexpr int kColumnsWithoutTerminal = 80;

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

bool HasColours(std::FILE* stream) {
  const std::string_view terminal = Variable("TERM");
  return Variable("NO_COLOR").empty() && !terminal.empty() && terminal != "dumb" &&
         isatty(fileno(stream)) == 1;
}

// Of ECMA-48.
const char* CodeOf(Colour colour) {
  switch (colour) {
    case Colour::kRed:
      return "31";
    case Colour::kYellow:
      return "33";
    case Colour::kGreen:
      return "32";
  }
  return "";
}

}  // namespace

int ColumnsOf(std::FILE* stream) {
  const std::string_view asked = Variable("COLUMNS");
  int columns = 0;
  const char* end = asked.data() + asked.size();
  if (const auto [rest, error] = std::from_chars(asked.data(), end, columns);
      error == std::errc() && rest == end && columns > 0) {
    return columns;
  }
  struct winsize size = {};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kColumnsWithoutTerminal;
}

std::string Coloured(std::FILE* stream, Colour colour, std::string_view text) {
  if (!HasColours(stream)) return std::string(text);
  return fmt::format("\033[1;{}m{}\033[0m", CodeOf(colour), text);
}

std::string Wrapped(std::string_view text, int columns) {
  const auto limit = static_cast<size_t>(columns);
  std::string wrapped;
  size_t used = 0;  // of the line
  while (!text.empty()) {
    const size_t end = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, end);
    if (used > 0 && used + 1 + word.size() > limit) {
      wrapped += '\n';
      used = 0;
    } else if (used > 0) {
      wrapped += ' ';
      ++used;
    }
    wrapped += word;
    used += word.size();
    if (end == std::string_view::npos) break;
    if (text[end] == '\n') {
      wrapped += '\n';
      used = 0;
    }
    text.remove_prefix(end + 1);
  }
  return wrapped;
}

}  // namespace npukit::tools

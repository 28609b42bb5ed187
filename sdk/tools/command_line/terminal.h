// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a terminal shows: so many columns, and colours.

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_TERMINAL_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_TERMINAL_H_

#include <cstdio>
#include <string>
#include <string_view>

namespace npukit::tools {

// COLUMNS where it is a number, else the columns of the stream's terminal; 80 where there is none.
int ColumnsOf(std::FILE* stream);

enum class Colour { kRed, kYellow, kGreen };
// The text in this colour and bold if the stream is a terminal, unless NO_COLOR (no-color.org) is set
// or TERM is "dumb"; else the text as it is.
std::string Coloured(std::FILE* stream, Colour colour, std::string_view text);

// Broken at blanks into lines of at most so many characters; longer words stay whole. Line breaks of
// the text stay.
std::string Wrapped(std::string_view text, int columns);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_TERMINAL_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Text that a POSIX shell reads as it stands.

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_SHELL_WORD_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_SHELL_WORD_H_

#include <string>
#include <string_view>

namespace npukit::tools {

// What stands between single quotes for `text`.
std::string InSingleQuotes(std::string_view text);

// One word: as it is where no character of it means anything to a shell, else in single quotes.
std::string ShellWord(std::string_view text);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_SHELL_WORD_H_

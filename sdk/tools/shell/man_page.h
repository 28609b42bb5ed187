// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Man pages of `npukit` and its verbs.

#ifndef NPUKIT_SDK_TOOLS_SHELL_MAN_PAGE_H_
#define NPUKIT_SDK_TOOLS_SHELL_MAN_PAGE_H_

#include <string>
#include <string_view>
#include <vector>

#include "sdk/tools/command_line/verb_facts.h"

namespace npukit::tools {

// man(7) source of npukit-VERB(1).
std::string VerbManPage(const VerbFacts& verb, std::string_view version);
// The same of npukit(1), which lists the verbs.
std::string FrontManPage(const std::vector<VerbFacts>& verbs, std::string_view version);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_SHELL_MAN_PAGE_H_

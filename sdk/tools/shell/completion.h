// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Completion of `npukit` in shells: verbs, options, the values of options that take one of a few,
// files elsewhere.

#ifndef NPUKIT_SDK_TOOLS_SHELL_COMPLETION_H_
#define NPUKIT_SDK_TOOLS_SHELL_COMPLETION_H_

#include <string>
#include <vector>

#include "sdk/tools/command_line/verb_facts.h"

namespace npukit::tools {

// Scripts that the shell reads at its start, or finds in its folder of completions. `verbs`: those
// below `npukit`, each named "npukit VERB".
std::string BashCompletion(const std::vector<VerbFacts>& verbs);
std::string ZshCompletion(const std::vector<VerbFacts>& verbs);
std::string FishCompletion(const std::vector<VerbFacts>& verbs);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_SHELL_COMPLETION_H_

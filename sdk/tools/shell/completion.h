// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Completion of `npukit` in shells: verbs, options, the values of options and of positional arguments
// where there are some to choose from, files elsewhere. The verbs themselves say what they take
// (verb_facts.h); a shell's script passes on the words that were typed and shows what it is answered.

#ifndef NPUKIT_SDK_TOOLS_SHELL_COMPLETION_H_
#define NPUKIT_SDK_TOOLS_SHELL_COMPLETION_H_

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/tools/command_line/verb_facts.h"

namespace npukit::tools {

// `npukit completion` with this argument and the words of a command line, "npukit" and the unfinished
// last one included, prints what that one may become, a word and a line of help each, with a tab in
// between; nothing where files are as good.
inline constexpr std::string_view kCandidatesFlag = "--candidates";

struct Candidate {
  std::string word;
  std::string help;  // one line, may be empty
};

// What the verb suggests given the words typed so far: a second look at its description.
using AskAgain = std::function<VerbFacts(const std::vector<std::string>& words)>;

// What the last of `words` may become, where the others stand behind "npukit VERB".
std::vector<Candidate> CandidatesOf(const VerbFacts& verb, const std::vector<std::string>& words,
                                    const AskAgain& ask_again);
// The same of "npukit ..." with the verbs of a folder. Verbs that do not describe themselves give none.
std::vector<Candidate> CandidatesIn(const std::filesystem::path& folder,
                                    const std::vector<std::string>& words);

// The script that a shell reads at its start, or finds in its folder of completions. `shell`: bash,
// zsh or fish.
std::string_view CompletionScript(std::string_view shell);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_SHELL_COMPLETION_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/shell/completion.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/verb_search.h"

namespace npukit::tools {
namespace {

int PrintCandidates(const std::vector<std::string>& words) {
  const auto folder = OwnFolder();
  if (!folder) return Fail(kFailed, folder.Error());
  for (const Candidate& candidate : CandidatesIn(*folder, words))
    fmt::print("{}\t{}\n", candidate.word, candidate.help);
  return kDone;
}

}  // namespace

int Completion(CommandLine& line, int argc, char** argv) {
  // Before the command line is parsed: the words may be options, which are not this verb's.
  if (argc >= 2 && argv[1] == kCandidatesFlag) return PrintCandidates({argv + 2, argv + argc});
  std::string shell;
  line.Add("SHELL", shell, "bash, zsh or fish").Required().OneOf({"bash", "zsh", "fish"});
  line.AddNote(
      "Source the script in the shell's start file, or put it where the shell looks for "
      "completions. "
      "Packages install it.");
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  fmt::print("{}", CompletionScript(shell));
  return kDone;
}

}  // namespace npukit::tools

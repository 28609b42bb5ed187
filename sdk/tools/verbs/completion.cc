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

int Completion(CommandLine& line, int argc, char** argv) {
  std::string shell;
  line.Add("SHELL", shell, "bash, zsh or fish").Required().OneOf({"bash", "zsh", "fish"});
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  const auto folder = OwnFolder();
  if (!folder) return Fail(kFailed, folder.Error());
  const std::vector<VerbFacts> verbs = DescribedVerbs(*folder);
  fmt::print("{}", shell == "bash"  ? BashCompletion(verbs)
                   : shell == "zsh" ? ZshCompletion(verbs)
                                    : FishCompletion(verbs));
  return kDone;
}

}  // namespace npukit::tools

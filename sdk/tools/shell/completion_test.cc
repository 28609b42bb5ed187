// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Completion scripts, of made-up verbs as text and of the build's verbs in a shell.

#include "sdk/tools/shell/completion.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sdk/tests/output_of.h"

namespace npukit::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

const VerbFacts kVerb = {
    .name = "npukit greet",
    .help = "say 'hello'",
    .arguments = {{.names = {"NAME"}, .positional = true, .takes_value = true, .required = true},
                  {.names = {"-l", "--loudness"},
                   .takes_value = true,
                   .help = "how: [quiet] or not",
                   .choices = {"quiet", "loud"}},
                  {.names = {"--twice"}}},
    .verbs = {{.name = "npukit greet all", .help = "everybody"}}};

TEST(Completion, OfZshHasVerbsOptionsAndValues) {
  const std::string script = ZshCompletion({kVerb});
  EXPECT_THAT(script, HasSubstr(R"('greet:say '\''hello'\''')"));
  EXPECT_THAT(script, HasSubstr(R"('*--loudness[how\: \[quiet\] or not]:value:(quiet loud)')"));
  EXPECT_THAT(script, HasSubstr("'*--twice[]'"));
  EXPECT_THAT(script, HasSubstr("'1:verb:(all )'"));
  EXPECT_THAT(script, Not(HasSubstr("NAME")));
}

TEST(Completion, OfFishHasVerbsOptionsAndValues) {
  const std::string script = FishCompletion({kVerb});
  EXPECT_THAT(script, HasSubstr("-a greet -d 'say '\\''hello'\\'''\n"));
  EXPECT_THAT(script, HasSubstr(" -s l -l loudness -d 'how: [quiet] or not' -x -a 'quiet loud'\n"));
  EXPECT_THAT(script, HasSubstr("'__fish_seen_subcommand_from greet' -a all"));
}

// What bash offers after these words.
std::string OfferedByBash(const std::string& words, int cursor) {
  return OutputOf(fmt::format(
      "bash -c 'source <({}/bin/npukit completion bash); COMP_WORDS=({}); COMP_CWORD={}; _npukit; "
      "echo \"${{COMPREPLY[@]}}\"'",
      NPUKIT_BUILD_DIR, words, cursor));
}

TEST(Completion, WorksInBash) {
  struct Case {
    std::string words;
    int cursor;
    std::string offered;
  };
  const Case cases[] = {
      {"npukit ru", 1, "run\n"},
      {"npukit he", 1, "help\n"},
      {"npukit completion --he", 2, "--help\n"},
      {"npukit completion z", 2, "zsh\n"},
      {"npukit conform mer", 2, "merge\n"},
      {"npukit help samp", 2, "sample\n"},
      {"npukit run --plugin-dir /et", 3, "/etc\n"},
      {"npukit run --no-such-opt", 2, "\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(OfferedByBash(c.words, c.cursor), c.offered) << c.words;
}

}  // namespace
}  // namespace npukit::tools

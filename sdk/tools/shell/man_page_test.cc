// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/shell/man_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sdk/tests/output_of.h"
#include "sdk/tools/command_line/verb_search.h"
#include "sdk/tools/command_line/version.h"

namespace npukit::tools {
namespace {

using testing::HasSubstr;

TEST(ManPage, EscapesWhatTheFormatTakesForItsOwn) {
  const VerbFacts verb = {.name = "npukit greet",
                          .help = "say hello",
                          .arguments = {{.names = {"NAME"}, .positional = true, .required = true},
                                        {.names = {"-l", "--loud-ness"},
                                         .takes_value = true,
                                         .help = ".5 is \\half",
                                         .default_value = "1",
                                         .choices = {"a", "b"}}}};
  const std::string page = VerbManPage(verb, "0.1.0");
  EXPECT_THAT(page, HasSubstr(".TH NPUKIT\\-GREET 1 \"\" \"npukit 0.1.0\" \"npukit\"\n"));
  EXPECT_THAT(page, HasSubstr("npukit\\-greet \\- say hello\n"));
  EXPECT_THAT(page, HasSubstr("\\fBnpukit greet\\fR \\fINAME\\fR [\\fIOPTIONS\\fR]\n"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-l\\fR, \\fB\\-\\-loud\\-ness\\fR \\fIVALUE\\fR\n"));
  EXPECT_THAT(page, HasSubstr("\\&.5 is \\ehalf (one of a, b) (default: 1)\n"));
}

// The program that does not describe itself: nobody types it.
const std::set<std::string> kUndescribed = {"worker"};

// Every option that --help names stands in the verb's description, from which the pages are made.
TEST(ManPage, OfTheBuildsVerbsHaveEveryOptionOfTheHelp) {
  for (const auto& [name, verb] : FindVerbs(NPUKIT_BUILD_DIR "/bin")) {
    if (kUndescribed.count(name) != 0) continue;
    const auto facts = AskVerb(verb.program);
    ASSERT_TRUE(facts) << name;
    EXPECT_EQ(facts->name, "npukit " + name);
    const std::string help = OutputOf(verb.program.string() + " --help");
    for (const ArgumentFacts& argument : facts->arguments) {
      EXPECT_FALSE(argument.names.empty()) << name;
      for (const std::string& option : argument.names) EXPECT_THAT(help, HasSubstr(option)) << name;
    }
    EXPECT_THAT(VerbManPage(*facts, "1"), HasSubstr("\\-\\-help")) << name;
  }
}

// "npukit sim run" and the like are asked for their versions as the verbs are.
void ExpectVersions(const std::string& program, const VerbFacts& verb, const std::string& words) {
  for (const VerbFacts& below : verb.verbs) {
    const std::string path = words + " " + below.name.substr(below.name.rfind(' ') + 1);
    EXPECT_EQ(OutputOf(program + path + " --version"),
              fmt::format("{} {}\n", below.name, Version()));
    ExpectVersions(program, below, path);
  }
}

TEST(ManPage, OfVerbsBelowVerbsAreNamesThatSayTheirVersions) {
  size_t num_nested = 0;
  for (const auto& [name, verb] : FindVerbs(NPUKIT_BUILD_DIR "/bin")) {
    const auto facts = AskVerb(verb.program);
    if (!facts) continue;
    num_nested += facts->verbs.size();
    ExpectVersions(verb.program.string(), *facts, "");
  }
  EXPECT_GE(num_nested, 2u);
}

// Of all pages, that of npukit included.
TEST(ManPage, AllHaveExitStatusAndSeeAlso) {
  const std::vector<VerbFacts> described = DescribedVerbs(NPUKIT_BUILD_DIR "/bin");
  std::vector<std::string> pages = {FrontManPage(described, "1")};
  for (const VerbFacts& verb : described) pages.push_back(VerbManPage(verb, "1"));
  for (const std::string& page : pages) {
    EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS\n.TP\n\\fB0\\fR\ndone"));
    EXPECT_THAT(page, HasSubstr(".SH SEE ALSO\n.BR npukit"));
    EXPECT_THAT(page, HasSubstr("npukit help"));
  }
}

TEST(ManPage, NamesAVerbInTheLineThatNpukitHas) {
  const auto verbs = FindVerbs(NPUKIT_BUILD_DIR "/bin");
  const std::vector<VerbFacts> described = DescribedVerbs(NPUKIT_BUILD_DIR "/bin");
  ASSERT_EQ(described.size(), verbs.size());
  for (const VerbFacts& facts : described) {
    EXPECT_EQ(facts.help, verbs.at(facts.name.substr(std::string("npukit ").size())).help);
  }
}

TEST(ManPage, OfAProgramThatDoesNotDescribeItselfIsAnError) {
  EXPECT_FALSE(AskVerb("/bin/false"));
  EXPECT_FALSE(AskVerb("/bin/echo"));
  EXPECT_FALSE(ParseVerbFacts("{}"));
  EXPECT_FALSE(ParseVerbFacts("[1"));
  EXPECT_FALSE(ParseVerbFacts("{\"name\": 3}"));
  EXPECT_TRUE(ParseVerbFacts(R"({"name": "a", "help": "b", "arguments": [], "verbs": []})"));
}

}  // namespace
}  // namespace npukit::tools

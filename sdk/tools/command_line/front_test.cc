// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The `npukit` front, run as a program in a folder with verbs of the test's own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sdk/tests/output_of.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/verb_search.h"
#include "sdk/tools/command_line/version.h"
#include "tests/support/temporary_folder.h"

namespace npukit::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

// Stands in programs that look for marks themselves.
const std::string kBareMark = "# " NPUKIT_VERB_HELP_MARK "\n";

struct Outcome {
  int exit_code;
  std::string output;  // both streams
};

class NpukitFront : public testing::Test {
 protected:
  NpukitFront() {
    std::filesystem::copy_file(NPUKIT_BUILD_DIR "/bin/npukit", folder_ / "npukit");
    AddVerb("greet", "say hello", "echo \"hello $1|$2\"; exit 7");
    AddVerb("green", "be green", "true");
    AddVerb("mute", "", "true");
  }

  void AddVerb(const std::string& name, const std::string& help, const std::string& script) {
    const std::filesystem::path program = folder_ / ("npukit-" + name);
    std::ofstream(program) << "#!/bin/sh\n"
                           << (help.empty() ? "" : kBareMark + "# " NPUKIT_VERB_HELP_MARK + help)
                           << "\n"
                           << script << "\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

  Outcome Run(const std::string& arguments) { return RunIn(folder_, arguments); }
  static Outcome RunIn(const std::filesystem::path& folder, const std::string& arguments) {
    std::FILE* pipe =
        popen(("'" + (folder / "npukit").string() + "' " + arguments + " 2>&1").c_str(), "r");
    Outcome outcome;
    for (int c; (c = std::fgetc(pipe)) != EOF;) outcome.output += static_cast<char>(c);
    outcome.exit_code = WEXITSTATUS(pclose(pipe));
    return outcome;
  }

  TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
};

TEST_F(NpukitFront, RunsTheVerbWithItsArgumentsAndExitCode) {
  const Outcome outcome = Run("greet 'a b' --json");
  EXPECT_EQ(outcome.exit_code, 7);
  EXPECT_EQ(outcome.output, "hello a b|--json\n");
}

TEST_F(NpukitFront, ListsVerbsWithTheirHelp) {
  const Outcome outcome = Run("--help");
  EXPECT_EQ(outcome.exit_code, kDone);
  EXPECT_THAT(outcome.output, HasSubstr("  green  be green\n  greet  say hello\n  mute   \n"));
  EXPECT_EQ(Run("help").output, outcome.output);
}

TEST_F(NpukitFront, OutputThatIsLostIsAFailure) {
  for (const char* arguments : {"--help", "--version"}) {
    // The last redirection of Run's own is that of the shell below.
    const Outcome outcome = Run("--help >/dev/null; '" + (folder_ / "npukit").string() + "' " +
                                arguments + " 3>&1 >/dev/full 2>&3; echo code $? #");
    EXPECT_THAT(outcome.output, HasSubstr("No space left on device")) << arguments;
    EXPECT_THAT(outcome.output, HasSubstr("code 1")) << arguments;
  }
}

TEST_F(NpukitFront, KeepsToTheWidth) {
  setenv("COLUMNS", "40", 1);
  const Outcome outcome = Run("--help");
  unsetenv("COLUMNS");
  std::istringstream lines(outcome.output);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 40u) << line;
  EXPECT_THAT(outcome.output, HasSubstr("  greet  say hello\n"));
}

TEST_F(NpukitFront, WithoutAVerbIsWrongUsage) {
  const Outcome outcome = Run("");
  EXPECT_EQ(outcome.exit_code, kWrongUsage);
  EXPECT_THAT(outcome.output, HasSubstr("say hello"));
}

TEST_F(NpukitFront, SuggestsTheNearestVerb) {
  const std::pair<const char*, const char*> cases[] = {
      {"geret", "'greet'"}, {"grene", "'green'"}, {"mut", "'mute'"}, {"gree", "'green'"}};
  for (const auto& [typed, meant] : cases) {
    const Outcome outcome = Run(typed);
    EXPECT_EQ(outcome.exit_code, kWrongUsage);
    EXPECT_THAT(outcome.output, HasSubstr(std::string("did you mean ") + meant)) << typed;
  }
  EXPECT_THAT(Run("unrelated").output, Not(HasSubstr("did you mean")));
  EXPECT_EQ(Run("../npukit-greet").exit_code, kWrongUsage);
  EXPECT_EQ(Run("--nonsense").exit_code, kWrongUsage);
}

// Pages lie beside bin: the test's folder is both.
TEST_F(NpukitFront, SuggestsTheNearestTopic) {
  const auto docs = DocsFolder(folder_ / "bin");
  std::filesystem::create_directories(docs);
  std::ofstream(docs / "tutorial.md") << "# Tutorial\n";
  std::filesystem::create_directory(folder_ / "bin");
  for (const char* program : {"npukit", "npukit-greet"})
    std::filesystem::copy_file(folder_ / program, folder_ / "bin" / program);
  EXPECT_EQ(RunIn(folder_ / "bin", "help tutorial").output, "# Tutorial\n");
  // Opening it is no error, reading it is.
  std::filesystem::create_symlink("/proc/self/mem", docs / "torn.md");
  const Outcome torn = RunIn(folder_ / "bin", "help torn");
  EXPECT_EQ(torn.exit_code, kFailed);
  EXPECT_THAT(torn.output, HasSubstr("torn.md: Input/output error"));
  std::filesystem::remove(docs / "torn.md");
  const std::pair<const char*, const char*> cases[] = {
      {"tutorail", "; did you mean 'tutorial'?\n"},
      {"geret", "; did you mean 'greet'?\n"},
      {"unrelated", "no topic 'unrelated'\nTopics: tutorial."}};
  for (const auto& [typed, said] : cases) {
    const Outcome outcome = RunIn(folder_ / "bin", std::string("help ") + typed);
    EXPECT_EQ(outcome.exit_code, kWrongUsage);
    EXPECT_THAT(outcome.output, HasSubstr(said)) << typed;
  }
}

TEST_F(NpukitFront, HelpOfAVerbIsTheVerbsOwn) {
  EXPECT_EQ(Run("help greet").output, "hello --help|\n");
}

TEST_F(NpukitFront, SaysTheVersion) {
  const Outcome outcome = Run("--version");
  EXPECT_EQ(outcome.exit_code, kDone);
  EXPECT_EQ(outcome.output,
            std::string("npukit ") + Version() + "\nplugin abi " + PluginAbis() + "\n");
}

// Versions of profiles are their own, and stand in their files.
TEST(Versions, OfTheBuildNameItsProfiles) {
  const std::string output = OutputOf(NPUKIT_BUILD_DIR "/bin/npukit --version");
  EXPECT_THAT(output, testing::HasSubstr("\nprofile int8-dense 1."));
  EXPECT_THAT(output, testing::HasSubstr("\nprofile float-vision 1."));
}

// Also of verbs below verbs and of the simulator's.
TEST(Verbs, OfTheBuildKeepToTheWidth) {
  for (const auto& [name, verb] : FindVerbs(NPUKIT_BUILD_DIR "/bin")) {
    if (name == "worker") continue;  // for desks, not for people
    std::istringstream lines(OutputOf("COLUMNS=80 " + verb.program.string() + " --help"));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << name << line;
  }
}

// Not by what is missing beside it.
TEST(Verbs, NameAnOptionThatNobodyKnows) {
  const std::pair<const char*, const char*> cases[] = {
      {"npukit-inspect --yam",
       "npukit inspect: there is no option '--yam'; did you mean '--yaml'?\n"
       "Try 'npukit inspect --help'.\n"},
      {"npukit-inspect m.tflite --unrelated=3", "there is no option '--unrelated'\n"},
      {"npukit-inspect", "npukit inspect: MODEL is required\n"},
      {"npukit-conform merge",
       "npukit conform: results is required\n"
       "Try 'npukit conform merge --help'.\n"},
      {"npukit-conform merge --reprot", "did you mean '--report'?"}};
  for (const auto& [command, told] : cases) {
    EXPECT_THAT(OutputOf(std::string(NPUKIT_BUILD_DIR "/bin/") + command + " 2>&1 || true"),
                HasSubstr(told))
        << command;
  }
}

TEST(Verbs, OfTheBuildAllSayTheVersion) {
  for (const auto& [name, verb] : FindVerbs(NPUKIT_BUILD_DIR "/bin")) {
    EXPECT_EQ(OutputOf(verb.program.string() + " --version"),
              "npukit " + name + " " + Version() + "\n");
  }
}

TEST(Verbs, OfTheBuildAllCarryHelp) {
  for (const auto& [name, verb] : FindVerbs(NPUKIT_BUILD_DIR "/bin")) {
    EXPECT_NE(verb.help, "") << name;
    EXPECT_THAT(verb.help, Not(testing::EndsWith("."))) << name;
  }
}

}  // namespace
}  // namespace npukit::tools

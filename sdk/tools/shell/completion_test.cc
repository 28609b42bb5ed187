// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What completion offers, of a made-up verb and of the build's verbs in the shells themselves.

#include "sdk/tools/shell/completion.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sdk/tests/output_of.h"
#include "sdk/tools/command_line/shell_word.h"

namespace npukit::tools {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const VerbFacts kVerb = {
    .name = "npukit greet",
    .help = "say 'hello'",
    .arguments = {{.names = {"NAME"},
                   .positional = true,
                   .takes_value = true,
                   .suggestions = {"ann", "bob"},
                   .suggests = true},
                  {.names = {"FILE"}, .positional = true, .takes_value = true},
                  {.names = {"-l", "--loudness"},
                   .takes_value = true,
                   .help = "how: [quiet] or not\nmore of it",
                   .choices = {"quiet", "loud"}},
                  {.names = {"--chip"}, .takes_value = true, .suggests = true},
                  {.names = {"--with"},
                   .takes_value = true,
                   .takes_many = true,
                   .suggestions = {"flowers", "cake"},
                   .suggests = true},
                  {.names = {"--twice"}}},
    .verbs = {
        {.name = "npukit greet all", .help = "everybody", .arguments = {{.names = {"--soon"}}}}}};

// The words before the cursor decide which chips there are.
VerbFacts Again(const std::vector<std::string>& words) {
  VerbFacts facts = kVerb;
  for (const std::string& word : words) facts.arguments[3].suggestions.push_back("of_" + word);
  return facts;
}

std::vector<std::string> Offered(const std::vector<std::string>& words) {
  std::vector<std::string> offered;
  for (const Candidate& candidate : CandidatesOf(kVerb, words, Again))
    offered.push_back(candidate.word);
  return offered;
}

TEST(Completion, OffersValuesOptionsAndVerbsBelow) {
  EXPECT_THAT(Offered({""}), ElementsAre("all", "ann", "bob"));
  EXPECT_THAT(Offered({"b"}), ElementsAre("bob"));
  EXPECT_THAT(Offered({"ann", ""}), IsEmpty()) << "a file";
  EXPECT_THAT(Offered({"ann", "x", ""}),
              ElementsAre("-l", "--loudness", "--chip", "--with", "--twice"));
  EXPECT_THAT(Offered({"--t"}), ElementsAre("--twice"));
  EXPECT_THAT(Offered({"--twice", "b"}), ElementsAre("bob"));
  EXPECT_THAT(Offered({"all", "--"}), ElementsAre("--soon"));
  EXPECT_THAT(Offered({"--no-such"}), IsEmpty());
}

TEST(Completion, OffersTheValuesOfOptions) {
  EXPECT_THAT(Offered({"-l", ""}), ElementsAre("quiet", "loud"));
  EXPECT_THAT(Offered({"--loudness", "lo"}), ElementsAre("loud"));
  EXPECT_THAT(Offered({"--loudness=lo"}), ElementsAre("--loudness=loud"));
  EXPECT_THAT(Offered({"-l", "all", "b"}), ElementsAre("bob")) << "a value, and no verb";
  EXPECT_THAT(Offered({"--with", "cake", "f"}), ElementsAre("flowers"));
  EXPECT_THAT(Offered({"--with", "cake", "--twice", "f"}), IsEmpty());
  EXPECT_THAT(Offered({"--with", "cake", "--", "b"}), ElementsAre("bob"));
}

TEST(Completion, AsksTheVerbAgainWithTheWordsBefore) {
  EXPECT_THAT(Offered({"--twice", "bob", "--chip", ""}), ElementsAre("of_--twice", "of_bob"));
  EXPECT_THAT(Offered({"bob", "--chip=of_b"}), ElementsAre("--chip=of_bob"));
}

TEST(Completion, SaysWhatOptionsAreForInALine) {
  const std::vector<Candidate> candidates = CandidatesOf(kVerb, {"--loud"}, Again);
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_EQ(candidates[0].help, "how: [quiet] or not");
}

// -- In shells ----------------------------------------------------------------

constexpr char kNpukit[] = NPUKIT_BUILD_DIR "/bin/npukit";

bool IsThere(const std::string& shell) {
  return OutputOf(fmt::format("command -v {} || true", shell)) != "";
}

// Each word of `words` after "npukit", the last one unfinished, and what is offered for it, a word a line.
std::string OfferedByBash(const std::vector<std::string>& words) {
  return OutputOf(
      "bash -c " +
      ShellWord(fmt::format(
          "source <({0} completion bash); COMP_WORDS=({0} {1}); COMP_CWORD={2}; _npukit; "
          "printf '%s\\n' \"${{COMPREPLY[@]}}\"",
          kNpukit, fmt::join(words, " "), words.size())));
}

// The completion system's own functions, which need a terminal, are replaced by what prints.
std::string OfferedByZsh(const std::vector<std::string>& words) {
  return OutputOf(
      "zsh -f -c " +
      ShellWord(fmt::format("compdef() {{ }}; _files() {{ print -l -- ${{words[CURRENT]}}*(N) }}\n"
                            "_describe() {{ print -l -- ${{${{(P)2}}%%:*}} }}\n"
                            "source <({0} completion zsh); words=({0} {1}); CURRENT={2}; _npukit",
                            kNpukit, fmt::join(words, " "), words.size() + 1)));
}

std::string OfferedByFish(const std::vector<std::string>& words) {
  return OutputOf(
      "fish --no-config -c " +
      ShellWord(fmt::format("set PATH {0}/bin $PATH; npukit completion fish | source; "
                            "complete -C 'npukit {1}' | string replace -r '\\t.*' ''; true",
                            NPUKIT_BUILD_DIR, fmt::join(words, " "))));
}

struct ShellCase {
  std::vector<std::string> words;
  std::vector<std::string> offered;  // lines among the answer's
};

// "''" is an empty word.
const ShellCase kShellCases[] = {
    {{"ru"}, {"run"}},
    {{"help", "tuto"}, {"tutorial"}},
    {{"help", "samp"}, {"sample"}},
    {{"completion", "--he"}, {"--help"}},
    {{"completion", "z"}, {"zsh"}},
    {{"sample", "autoe"}, {"autoencoder_int8"}},
    {{"new", "contoso", "--template", "op"}, {"op_package"}},
    {{"conform", "mer"}, {"merge"}},
    {{"conform", "merge", "--rep"}, {"--report"}},
    {{"conform", "--suite", "rob"}, {"robustness"}},
    {{"conform", "--suite", "abi", "rob"}, {"robustness"}},
    {{"conform", "--profile", "int8-"}, {"int8-dense", "int8-vision"}},
    {{"run", "--plugin-dir", (NPUKIT_BUILD_DIR "/lib"), "--soc", "acme_a"},
     {"acme_a0", "acme_a1", "acme_a2"}},
    {{"run", "--plugin-dir", (NPUKIT_BUILD_DIR "/lib"), "--plugin", "Ac"}, {"AcmeCorp"}},
    {{"sim", "run", "--soc", "acme_a0"}, {"acme_a0"}},
    {{"sim", "run", "--mode", "fu"}, {"function"}},
    {{"run", "--on-compile-failure", "s"}, {"split"}},
    {{"run", "--plugin-dir", "/et"}, {"/etc"}}};

std::string Trimmed(std::string line) {
  while (!line.empty() && line.back() == '/') line.pop_back();
  return line;
}

void ExpectOffers(const std::string& shell,
                  std::string offered_by(const std::vector<std::string>& words)) {
  if (!IsThere(shell)) GTEST_SKIP() << "there is no " << shell;
  for (const ShellCase& c : kShellCases) {
    std::vector<std::string> lines;
    std::string rest = offered_by(c.words);
    for (size_t end; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1))
      lines.push_back(Trimmed(rest.substr(0, end)));
    EXPECT_THAT(lines, testing::IsSupersetOf(c.offered))
        << shell << ": " << fmt::format("{}", fmt::join(c.words, " "));
    EXPECT_LE(lines.size(), c.offered.size() + 3)
        << shell << ": " << fmt::format("{}", fmt::join(c.words, " "));
  }
}

TEST(Completion, WorksInBash) { ExpectOffers("bash", OfferedByBash); }
TEST(Completion, WorksInZsh) { ExpectOffers("zsh", OfferedByZsh); }
TEST(Completion, WorksInFish) { ExpectOffers("fish", OfferedByFish); }

// Bash takes "--soc=acme" apart.
TEST(Completion, InBashOfAValueBehindAnEqualsSign) {
  EXPECT_EQ(OfferedByBash({"run", "--on-compile-failure", "=", "s"}), "split\n");
  EXPECT_EQ(OfferedByBash({"run", "--on-compile-failure", "="}), "fail\nsplit\n");
}

TEST(Completion, OfNoVerbOffersNothing) {
  EXPECT_THAT(CandidatesIn(NPUKIT_BUILD_DIR "/bin", {"npukit", "no-such-verb", ""}), IsEmpty());
  EXPECT_THAT(CandidatesIn(NPUKIT_BUILD_DIR "/bin", {"npukit"}), IsEmpty());
  EXPECT_THAT(CandidatesIn(NPUKIT_BUILD_DIR "/bin", {}), IsEmpty());
}

}  // namespace
}  // namespace npukit::tools

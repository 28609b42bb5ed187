// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Files, tests and commands that pages and comments name are there.

#include "tests/docs/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace npukit::docs {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Tree& TheTree() {
  static const Tree tree(NPUKIT_SOURCE_DIR);
  return tree;
}

bool IsPage(const std::string& file) { return file.ends_with(".md"); }

// Decisions and changes tell what was; templates become a vendor's.
bool IsHistory(const std::string& file) {
  return file.starts_with("docs/adr/0") || file == "CHANGELOG.md" || file.starts_with("templates/");
}

bool IsSource(const std::string& file) {
  for (const char* ending : {".h", ".cc", ".c", ".def", ".inc", ".cmake", ".sh", ".yaml"}) {
    if (file.ends_with(ending)) return true;
  }
  return fs::path(file).filename() == "CMakeLists.txt" || file == "dev" || file == ".ci/run";
}

std::string At(const std::string& file, size_t line, const std::string& what) {
  return file + ":" + std::to_string(line) + ": " + what;
}

TEST(Names, FilesAndTestsInPagesAreThere) {
  std::vector<std::string> faults;
  for (const std::string& file : TheTree().files()) {
    if (!IsPage(file) || IsHistory(file)) continue;
    const fs::path path = TheTree().root() / file;
    const Page page = ParsePage(ReadText(path));
    for (const Line& span : page.code_spans) {
      for (const std::string& name : TheTree().MissingNames(file, span.text))
        faults.push_back(At(file, span.number, "there is no " + name));
    }
    for (const std::string& link : page.links) {
      const std::string target = link.substr(0, link.find('#'));
      if (target.empty() || target.find("://") != std::string::npos) continue;
      if (!fs::exists(path.parent_path() / target))
        faults.push_back(At(file, 0, "links to " + target + ", which is not there"));
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST(Names, FilesAndTestsInCommentsAreThere) {
  std::vector<std::string> faults;
  size_t comments = 0;
  for (const std::string& file : TheTree().files()) {
    if (!IsSource(file) || IsHistory(file)) continue;
    for (const Line& comment : Comments(file, ReadText(TheTree().root() / file))) {
      ++comments;
      for (const std::string& name : TheTree().MissingNames(file, comment.text))
        faults.push_back(At(file, comment.number, "there is no " + name));
    }
  }
  EXPECT_THAT(faults, IsEmpty());
  EXPECT_GT(comments, 10000u) << "the walk found hardly any comment";
}

TEST(Names, CommandsInPagesAreThere) {
  Verbs verbs(NPUKIT_BUILD_DIR "/bin");
  std::vector<std::string> faults;
  for (const std::string& file : TheTree().files()) {
    if (!IsPage(file) || IsHistory(file)) continue;
    const Page page = ParsePage(ReadText(TheTree().root() / file));
    std::vector<Line> commands = page.code_spans;
    for (const Fence& fence : page.fences)
      commands.insert(commands.end(), fence.lines.begin(), fence.lines.end());
    for (const Line& line : commands) {
      if (const std::string fault = verbs.Fault(line.text); !fault.empty())
        faults.push_back(At(file, line.number, fault));
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

struct RuledOut {
  std::string name;
  std::string folder;  // where it must not be declared; "" is everywhere
};

// The classes of the last column of the glossary's tables: `Name`, or `Name` for the host's class.
std::vector<RuledOut> RuledOutClasses(const std::string& glossary) {
  static const std::regex kClass("`([A-Z][a-z]+[A-Za-z]*)`( for the host's class)?");
  std::vector<RuledOut> classes;
  for (const Line& line : Lines(glossary)) {
    if (!line.text.starts_with("|")) continue;
    const size_t begin = line.text.rfind('|', line.text.size() - 2);
    const std::string cell = line.text.substr(begin);
    for (std::sregex_iterator it(cell.begin(), cell.end(), kClass), end; it != end; ++it)
      classes.push_back({(*it)[1], (*it)[2].matched ? "sdk/host/" : ""});
  }
  return classes;
}

bool Declares(const std::string& text, const std::string& name) {
  for (const char* kind : {"class ", "struct "}) {
    const std::string begin = "\n" + (kind + name);
    for (size_t at = 0; (at = text.find(begin, at)) != text.npos; ++at) {
      const char next = text[at + begin.size()];
      if (next == ' ' || next == '\n' || next == '{') return true;
    }
  }
  return false;
}

TEST(Names, ClassesThatTheGlossaryRulesOutAreNotDeclared) {
  const auto classes = RuledOutClasses(ReadText(TheTree().root() / "docs/glossary.md"));
  EXPECT_GT(classes.size(), 3u);
  std::vector<std::string> faults;
  for (const std::string& file : TheTree().files()) {
    if (!file.ends_with(".h") && !file.ends_with(".cc")) continue;
    const std::string text = ReadText(TheTree().root() / file);
    for (const RuledOut& one : classes) {
      const std::string fault = file + " declares " + one.name;
      if (file.starts_with(one.folder) && Declares(text, one.name)) faults.push_back(fault);
    }
  }
  EXPECT_THAT(faults, IsEmpty());
}

TEST(Names, RuledOutClassesAreFound) {
  const auto classes =
      RuledOutClasses("`Not`\n| a | `No` | the `One`, `Two` for the host's class |\n");
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[0].name, "One");
  EXPECT_EQ(classes[0].folder, "");
  EXPECT_EQ(classes[1].folder, "sdk/host/");
  EXPECT_TRUE(Declares("\nclass One : public Two {\n", "One"));
  EXPECT_FALSE(Declares("\nclass OneMore {\nclass One;\n", "One"));
}

TEST(Names, WhatIsMissingIsFound) {
  const auto missing = [](const char* line) {
    return TheTree().MissingNames("sdk/host/model/x.cc", line);
  };
  EXPECT_THAT(missing("see sdk/host/model/nothing.h."), ElementsAre("sdk/host/model/nothing.h"));
  EXPECT_THAT(missing("as nothing_at_all.h says"), ElementsAre("nothing_at_all.h"));
  EXPECT_THAT(missing("(nothing_at_all_test)"), ElementsAre("nothing_at_all_test"));
  EXPECT_THAT(missing("docs/nothing.md, docs/glossary.md"), ElementsAre("docs/nothing.md"));
  EXPECT_THAT(missing("sdk/nothing holds"), ElementsAre("sdk/nothing"));
  EXPECT_THAT(missing("sdk/host/FAMILY/*.h, npukit/plugin.h, include_rules_test, sdk/include"),
              IsEmpty());
  EXPECT_THAT(missing("inputs/outputs, 1/2, and/or, e.g. 3.5"), IsEmpty());
}

TEST(Names, WrongCommandsAreFound) {
  Verbs verbs(NPUKIT_BUILD_DIR "/bin");
  EXPECT_EQ(verbs.Fault("npukit nothing MODEL"), "there is no `npukit nothing`");
  EXPECT_EQ(verbs.Fault("npukit run m.tflite --nothing"), "`npukit run` has no --nothing");
  EXPECT_EQ(verbs.Fault("npukit run m.tflite --ji"), "`npukit run` has no --ji");
  EXPECT_EQ(verbs.Fault("npukit run m.tflite --jit && other --nothing"), "");
  EXPECT_EQ(verbs.Fault("npukit-run MODEL [--jit] [--plugin-dir D]"), "");
  EXPECT_EQ(verbs.Fault("npukit conform merge a b --report c"), "");
  EXPECT_EQ(verbs.Fault("npukit conform merge a b --plugin-dir c"),
            "`npukit conform` has no --plugin-dir");
  EXPECT_EQ(verbs.Fault("npukit.h, npukit-free, an npukit"), "");
}

TEST(Pages, FencesSpansAndLinksAreRead) {
  const Page page = ParsePage(
      "see `a` and [b](c.md)\n<!-- setup: make it -->\n<!-- not run: too long -->\n```sh\nls `x`\n"
      "```\n```\nplain\n```\n");
  ASSERT_EQ(page.code_spans.size(), 1u);
  EXPECT_EQ(page.code_spans[0].text, "a");
  EXPECT_THAT(page.links, ElementsAre("c.md"));
  EXPECT_THAT(page.setup, ElementsAre("make it"));
  ASSERT_EQ(page.fences.size(), 2u);
  EXPECT_EQ(page.fences[0].language, "sh");
  EXPECT_EQ(page.fences[0].why_not_run, "too long");
  EXPECT_EQ(page.fences[0].lines[0].number, 5u);
  EXPECT_EQ(page.fences[1].why_not_run, "");
}

TEST(Pages, CommentsAreToldFromText) {
  const auto comments =
      Comments("a.cc", "int a;  // one\nauto b = \"// two\";\n/* three\nfour */\n");
  ASSERT_EQ(comments.size(), 3u);
  EXPECT_EQ(comments[0].text, " one");
  EXPECT_EQ(comments[2].number, 4u);
}

}  // namespace
}  // namespace npukit::docs

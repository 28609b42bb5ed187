// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The commands that pages show are run, page by page, in a folder of their own:
//
//   ```sh        a script; it must succeed
//   ```console   lines after "$ " are commands; the lines between are what they print. Each must be
//                among what was printed; "..." in a line stands for any text, a line of it for any
//                lines
//
// The folder has `build` and what lies in the tree; /opt/npukit stands for the build. Before the
// page's own commands run those of <!-- setup: COMMAND -->. A fence that cannot run here has
// <!-- not run: REASON --> on the line before it. Commands in other fences are an error.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/docs/page.h"
#include "tests/support/temporary_folder.h"

namespace npukit::docs {
namespace {

namespace fs = std::filesystem;

using ::testing::IsEmpty;

// What pages build links libraries of this build, and so has its sanitizers.
constexpr std::string_view kBuildFlags = *NPUKIT_SANITIZE == 0
                                             ? ""
                                             : "export CFLAGS=-fsanitize=" NPUKIT_SANITIZE
                                               " CXXFLAGS=-fsanitize=" NPUKIT_SANITIZE "\n";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// A folder in which a page's commands run, gone at the end.
class Workplace {
 public:
  Workplace() {
    for (const fs::directory_entry& entry : fs::directory_iterator(NPUKIT_SOURCE_DIR)) {
      const std::string name = entry.path().filename();
      if (!name.starts_with("build") && !name.starts_with("."))
        fs::create_symlink(entry.path(), folder_ / name);
    }
    fs::create_symlink(NPUKIT_BUILD_DIR, folder_ / "build");
  }

  struct Outcome {
    int exit_code = -1;
    std::string output;  // both streams
  };
  Outcome Run(const std::string& script) {
    const fs::path file = folder_ / ".script";
    std::ofstream(file) << "set -e\ncd '" << folder_.string() << "'\nPATH='" NPUKIT_BUILD_DIR
                        << "/bin':\"$PATH\"\n"
                        << kBuildFlags << Replaced(script, "/opt/npukit", NPUKIT_BUILD_DIR) << "\n";
    const std::string output = (folder_ / ".output").string();
    const int status =
        std::system(("bash '" + file.string() + "' >'" + output + "' 2>&1 </dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadText(output)};
  }

 private:
  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

// A shown line as a pattern: "..." is any text, blanks at the end do not count.
bool Matches(const std::string& printed, const std::string& shown) {
  static const std::regex kSpecial(R"([\^$.*+?()[\]{}|\\])");
  std::string pattern = std::regex_replace(shown, kSpecial, R"(\$&)");
  pattern = Replaced(pattern, R"(\.\.\.)", ".*");
  return std::regex_match(printed, std::regex(pattern + R"(\s*)"));
}

// The shown lines that were not printed.
std::vector<std::string> NotPrinted(const std::string& output,
                                    const std::vector<std::string>& shown) {
  const std::vector<Line> printed = Lines(output);
  std::vector<std::string> missing;
  for (const std::string& line : shown) {
    if (line.empty() || line == "...") continue;
    const bool found = std::any_of(printed.begin(), printed.end(),
                                   [&](const Line& one) { return Matches(one.text, line); });
    if (!found) missing.push_back(line);
  }
  return missing;
}

struct Step {
  std::string script;
  std::vector<std::string> shown;  // that it must print
};

std::vector<Step> StepsOf(const Fence& fence) {
  std::vector<Step> steps;
  if (fence.language == "sh") steps.emplace_back();
  for (const Line& line : fence.lines) {
    if (fence.language == "sh") {
      steps.back().script += line.text + "\n";
    } else if (line.text.starts_with("$ ")) {
      steps.push_back({line.text.substr(2), {}});
    } else if (!steps.empty()) {
      steps.back().shown.push_back(line.text);
    }
  }
  return steps;
}

bool IsCommand(const std::string& line) {
  static const std::regex kCommand(
      R"(\s*(\$ )?(npukit|\./dev|cmake|ctest|/opt/npukit|sbatch)[ -].*)");
  return std::regex_match(line, kCommand);
}

bool HasCommands(const Fence& fence) {
  return fence.language == "sh" || fence.language == "console";
}

std::vector<std::string> PagesWithCommands() {
  std::vector<std::string> pages;
  const fs::path root = NPUKIT_SOURCE_DIR;
  for (const fs::path& path : TreeFiles(root)) {
    const std::string file = path.lexically_relative(root).string();
    if (!file.ends_with(".md") || file.starts_with("templates/")) continue;
    const Page page = ParsePage(ReadText(path));
    if (std::any_of(page.fences.begin(), page.fences.end(), HasCommands)) pages.push_back(file);
  }
  return pages;
}

class PageCommands : public ::testing::TestWithParam<std::string> {};

TEST_P(PageCommands, Succeed) {
  const Page page = ParsePage(ReadText(fs::path(NPUKIT_SOURCE_DIR) / GetParam()));
  Workplace place;
  for (const std::string& command : page.setup) {
    const auto outcome = place.Run(command);
    ASSERT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.output;
  }
  for (const Fence& fence : page.fences) {
    if (!HasCommands(fence) || !fence.why_not_run.empty()) continue;
    for (const Step& step : StepsOf(fence)) {
      const auto outcome = place.Run(step.script);
      EXPECT_EQ(outcome.exit_code, 0) << GetParam() << ":" << fence.number << ":\n"
                                      << step.script << outcome.output;
      EXPECT_THAT(NotPrinted(outcome.output, step.shown), IsEmpty())
          << GetParam() << ":" << fence.number << ": " << step.script << "\nprinted\n"
          << outcome.output;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Docs, PageCommands, ::testing::ValuesIn(PagesWithCommands()),
                         [](const auto& info) {
                           return std::regex_replace(info.param, std::regex("[^A-Za-z0-9]"), "_");
                         });

TEST(Commands, StandInFencesThatRun) {
  const fs::path root = NPUKIT_SOURCE_DIR;
  std::vector<std::string> faults;
  for (const fs::path& path : TreeFiles(root)) {
    const std::string file = path.lexically_relative(root).string();
    if (!file.ends_with(".md") || file.starts_with("templates/")) continue;
    const Page page = ParsePage(ReadText(path));
    for (const Line& line : page.prose) {
      if (line.text.starts_with("    ") && IsCommand(line.text))
        faults.push_back(file + ":" + std::to_string(line.number) + ": " + line.text);
    }
    for (const Fence& fence : page.fences) {
      if (HasCommands(fence)) continue;
      for (const Line& line : fence.lines) {
        if (IsCommand(line.text))
          faults.push_back(file + ":" + std::to_string(line.number) + ": " + line.text);
      }
    }
  }
  EXPECT_THAT(faults, IsEmpty()) << "name the fence sh or console";
}

TEST(Commands, FailuresAreFound) {
  Workplace place;
  EXPECT_EQ(place.Run("false\ntrue").exit_code, 1);
  EXPECT_EQ(place.Run("ls build/bin/npukit docs/glossary.md").exit_code, 0);
  EXPECT_EQ(place.Run("echo /opt/npukit/bin").output, NPUKIT_BUILD_DIR "/bin\n");
  EXPECT_THAT(NotPrinted("a (1 of 2)\nb\n", {"a (... of 2)", "...", "b"}), IsEmpty());
  EXPECT_THAT(NotPrinted("a 1\n", {"a", "a 2"}), ::testing::SizeIs(2));
  EXPECT_TRUE(IsCommand("$ npukit run"));
  EXPECT_TRUE(IsCommand("npukit-sim run"));
  EXPECT_FALSE(IsCommand("npukit::Plugin"));
}

}  // namespace
}  // namespace npukit::docs

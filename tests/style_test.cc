// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Rules of style that a formatter cannot hold: how text is built, how many files lie in a folder.
// What does not keep a rule yet stands in style_allowances.txt with a number; the test fails for any
// other one, so that the list only shrinks. With NPUKIT_UPDATE_GOLDENS=1 in the environment it writes
// the list as it should be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/docs/page.h"

namespace npukit {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr size_t kMaxFilesInFolder = 30;
constexpr size_t kMaxHeaderLines = 250;
constexpr size_t kMaxSourceLines = 400;
constexpr char kUpdate[] = "NPUKIT_UPDATE_GOLDENS";

// By rule and path.
using Counts = std::map<std::string, size_t>;

Counts ReadAllowances(std::istream& in) {
  Counts counts;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string rule;
    std::string path;
    size_t count = 0;
    if (!(words >> rule) || rule.starts_with("#")) continue;
    EXPECT_TRUE(words >> path >> count) << "no `RULE PATH COUNT`: " << line;
    counts[rule + " " + path] = count;
  }
  return counts;
}

constexpr char kAllowances[] = NPUKIT_SOURCE_DIR "/tests/style_allowances.txt";

Counts Allowances() {
  std::ifstream in(kAllowances);
  EXPECT_TRUE(in.good());
  return ReadAllowances(in);
}

// The list with other numbers for one rule; comments stay at its head.
void WriteAllowances(const std::string& rule, const Counts& found) {
  Counts all = found;
  for (const auto& [key, count] : Allowances()) {
    if (!key.starts_with(rule + " ")) all.emplace(key, count);
  }
  std::string text;
  for (const docs::Line& line : docs::Lines(docs::ReadText(kAllowances))) {
    if (line.text.starts_with("#")) text += line.text + "\n";
  }
  text += "\n";
  for (const auto& [key, count] : all) text += key + " " + std::to_string(count) + "\n";
  std::ofstream(kAllowances) << text;
}

// What differs between the list and the tree, of one rule.
std::vector<std::string> Differences(const Counts& found, const Counts& allowed) {
  std::vector<std::string> differences;
  const auto describe = [&](const std::string& key, size_t is, size_t may) {
    differences.push_back(key + ": " + std::to_string(is) + ", the list has " +
                          std::to_string(may));
  };
  for (const auto& [key, count] : found) {
    const auto entry = allowed.find(key);
    const size_t may = entry == allowed.end() ? 0 : entry->second;
    if (count != may) describe(key, count, may);
  }
  return differences;
}

// Of std::filesystem's functions those that throw where no error_code is their last argument.
constexpr std::string_view kThrowing[] = {"absolute",
                                          "canonical",
                                          "copy",
                                          "copy_file",
                                          "create_directories",
                                          "create_directory",
                                          "current_path",
                                          "equivalent",
                                          "exists",
                                          "file_size",
                                          "is_directory",
                                          "is_empty",
                                          "is_regular_file",
                                          "is_symlink",
                                          "last_write_time",
                                          "permissions",
                                          "proximate",
                                          "read_symlink",
                                          "relative",
                                          "remove",
                                          "remove_all",
                                          "rename",
                                          "resize_file",
                                          "space",
                                          "status",
                                          "temp_directory_path",
                                          "weakly_canonical"};

bool IsWordCharacter(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The word that `text` ends with.
std::string_view LastWord(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && IsWordCharacter(text[begin - 1])) --begin;
  return text.substr(begin);
}

// Calls with another last argument than a variable that the source declares as std::error_code.
size_t CountThrowingCalls(std::string_view text) {
  size_t count = 0;
  for (const std::string_view space : {"filesystem::", "fs::"}) {
    for (size_t at = text.find(space); at != text.npos; at = text.find(space, at + 1)) {
      if (at > 0 && IsWordCharacter(text[at - 1])) continue;
      const size_t begin = at + space.size();
      const size_t open = text.find('(', begin);
      if (open == text.npos) break;
      const std::string_view name = text.substr(begin, open - begin);
      if (std::find(std::begin(kThrowing), std::end(kThrowing), name) == std::end(kThrowing))
        continue;
      size_t close = open;
      for (int depth = 0; close < text.size(); ++close) {
        depth += (text[close] == '(') - (text[close] == ')');
        if (depth == 0) break;
      }
      const std::string_view last = LastWord(text.substr(open + 1, close - open - 1));
      const bool has_code =
          !last.empty() && (text.find("std::error_code " + std::string(last)) != text.npos ||
                            text.find("std::error_code& " + std::string(last)) != text.npos);
      count += !has_code;
    }
  }
  return count;
}

bool IsSource(const fs::path& path) {
  const std::string ending = path.extension();
  return ending == ".h" || ending == ".cc" || ending == ".inc";
}

// The standard library alone serves these: they are the vendors', or linked into what a vendor builds
// (c_api/support), or stand for a vendor's library, or are read by tests of any folder.
bool HasStandardLibraryOnly(const std::string& file) {
  constexpr std::string_view kFolders[] = {"sdk/include/",
                                           "sdk/host/c_api/support/",
                                           "sdk/host/plugin/test_plugins/",
                                           "sdk/host/runtime/test_dispatch/",
                                           "templates/",
                                           "tests/"};
  return std::any_of(std::begin(kFolders), std::end(kFolders),
                     [&](std::string_view folder) { return file.starts_with(folder); });
}

// sdk/host, sdk/tools, simulator, ...: a file that moves within one changes no number.
std::string Area(const std::string& file) {
  const size_t first = file.find('/');
  return file.substr(0, file.starts_with("sdk/") ? file.find('/', first + 1) : first);
}

// Not by std::regex, which takes a minute for the tree.
size_t CountTextBuilders(std::string_view text) {
  size_t count = 0;
  for (std::string_view builder : {"std::to_string(", "snprintf(", "std::ostringstream"}) {
    for (size_t at = text.find(builder); at != text.npos; at = text.find(builder, at + 1)) ++count;
  }
  return count;
}

TEST(Style, TextIsBuiltByFormat) {
  const fs::path root = NPUKIT_SOURCE_DIR;
  Counts found;
  size_t sources = 0;
  for (const fs::path& path : docs::TreeFiles(root)) {
    const std::string file = path.lexically_relative(root).string();
    if (!IsSource(path) || HasStandardLibraryOnly(file)) continue;
    ++sources;
    const size_t count = CountTextBuilders(docs::ReadText(path));
    if (count != 0) found["text " + Area(file)] += count;
  }
  if (std::getenv(kUpdate) != nullptr) return WriteAllowances("text", found);
  EXPECT_THAT(Differences(found, Allowances()), IsEmpty())
      << "fmt::format builds text, not std::to_string, snprintf or std::ostringstream";
  EXPECT_GT(sources, 500u) << "the walk found hardly any source";
}

// Tests and benchmarks may end where their files are not there.
bool IsForTests(const std::string& file) {
  constexpr std::string_view kParts[] = {"_test.cc", "_benchmark.cc", "/testing/",
                                         "/tests/",  "/test_",        "tests/"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return file.find(part) != file.npos; });
}

TEST(Style, FilesThatAreNotThereAreNoException) {
  const fs::path root = NPUKIT_SOURCE_DIR;
  std::vector<std::string> throwing;
  for (const fs::path& path : docs::TreeFiles(root)) {
    const std::string file = path.lexically_relative(root).string();
    if (!IsSource(path) || IsForTests(file)) continue;
    if (CountThrowingCalls(docs::ReadText(path)) != 0) throwing.push_back(file);
  }
  EXPECT_THAT(throwing, IsEmpty()) << "std::filesystem's functions are called with an error_code";
}

TEST(Style, FoldersCanBeSurveyed) {
  const fs::path root = NPUKIT_SOURCE_DIR;
  Counts in_folder;
  for (const fs::path& path : docs::TreeFiles(root))
    ++in_folder["files " + path.lexically_relative(root).parent_path().string()];
  Counts found;
  for (const auto& [key, count] : in_folder) {
    // Decisions are numbered as they come, and a table lists them all.
    if (count > kMaxFilesInFolder && key != "files docs/adr") found[key] = count;
  }
  if (std::getenv(kUpdate) != nullptr) return WriteAllowances("files", found);
  EXPECT_THAT(Differences(found, Allowances()), IsEmpty())
      << "more than " << kMaxFilesInFolder << " files lie directly in a folder";
}

// Those that are longer than the list lets them be; a shorter one needs no change of the list.
std::vector<std::string> TooLong(const Counts& found, const Counts& allowed) {
  Counts longer;
  for (const auto& [key, count] : found) {
    const auto entry = allowed.find(key);
    if (entry == allowed.end() || count > entry->second) longer[key] = count;
  }
  return Differences(longer, allowed);
}

TEST(Style, FilesCanBeRead) {
  const fs::path root = NPUKIT_SOURCE_DIR;
  Counts found;
  for (const fs::path& path : docs::TreeFiles(root)) {
    const std::string file = path.lexically_relative(root).string();
    // What LiteRT's headers hold is LiteRT's to say.
    if (!IsSource(path) || file.starts_with("sdk/include/litert/")) continue;
    const std::string text = docs::ReadText(path);
    const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
    const bool is_header = path.extension() == ".h";
    if (lines > (is_header ? kMaxHeaderLines : kMaxSourceLines)) found["lines " + file] = lines;
  }
  if (std::getenv(kUpdate) != nullptr) return WriteAllowances("lines", found);
  EXPECT_THAT(TooLong(found, Allowances()), IsEmpty())
      << "a header has at most " << kMaxHeaderLines << " lines, a source " << kMaxSourceLines;
}

TEST(Style, WhatBreaksARuleIsFound) {
  EXPECT_EQ(CountTextBuilders("a = std::to_string(1) + std::to_string(2);"), 2u);
  EXPECT_EQ(CountTextBuilders("std::snprintf(b, 1, \"\"); std::ostringstream out;"), 2u);
  EXPECT_EQ(CountTextBuilders("std::stringstream in; to_string_view(x);"), 0u);
  EXPECT_EQ(CountThrowingCalls("fs::exists(a); std::filesystem::absolute(f(b, c)).string()"), 2u);
  EXPECT_EQ(CountThrowingCalls("std::error_code error; if (fs::exists(f(a), error)) error;"), 0u);
  EXPECT_EQ(CountThrowingCalls("fs::path(a); offs::exists(b); fs::directory_entry e;"), 0u);
  std::istringstream list("# why\ntext a.cc 2\nfiles sdk 31\n");
  const Counts allowed = ReadAllowances(list);
  EXPECT_THAT(Differences({{"text a.cc", 2}}, allowed), IsEmpty());
  EXPECT_THAT(Differences({{"text a.cc", 1}}, allowed),
              ElementsAre("text a.cc: 1, the list has 2"));
  EXPECT_THAT(TooLong({{"files sdk", 30}}, allowed), IsEmpty());
  EXPECT_THAT(TooLong({{"files sdk", 32}, {"lines b.cc", 401}}, allowed),
              ElementsAre("files sdk: 32, the list has 31", "lines b.cc: 401, the list has 0"));
  EXPECT_THAT(Differences({{"text a.cc", 3}}, allowed),
              ElementsAre("text a.cc: 3, the list has 2"));
  EXPECT_THAT(Differences({{"text a.cc", 2}, {"text b.cc", 1}}, allowed),
              ElementsAre("text b.cc: 1, the list has 0"));
}

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A test that no program is made of passes for ever: every file of tests is named where programs are.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/docs/page.h"
#include "tests/source_tree.h"

namespace npukit {
namespace {

namespace fs = std::filesystem;

using ::testing::IsEmpty;

constexpr char kDescription[] = "CMakeLists.txt";

// Its description finds the tests in and below it by a pattern.
bool FindsTests(const std::string& description) {
  return description.find("INCLUDE REGEX \"_test\\\\.cc$") != std::string::npos;
}

// By the descriptions of all folders that hold sources, and of those above them.
class NamedTests {
 public:
  explicit NamedTests(const std::vector<SourceFile>& files) {
    for (const SourceFile& file : files) {
      for (fs::path folder = fs::path(file.path).parent_path();; folder = folder.parent_path()) {
        if (!known_.insert(folder).second) break;
        Read(folder);
        if (folder.empty()) break;
      }
    }
  }

  bool Has(const std::string& path) const {
    if (named_.contains(path)) return true;
    for (fs::path folder = fs::path(path).parent_path(); !folder.empty();
         folder = folder.parent_path()) {
      if (finding_.contains(folder)) return true;
    }
    return false;
  }

 private:
  void Read(const fs::path& folder) {
    const std::string text = docs::ReadText(fs::path(NPUKIT_SOURCE_DIR) / folder / kDescription);
    if (FindsTests(text)) finding_.insert(folder);
    static const std::regex kTest(R"([\w./]+_test\.cc)");
    for (std::sregex_iterator it(text.begin(), text.end(), kTest), end; it != end; ++it)
      named_.insert((folder / it->str()).lexically_normal().string());
  }

  std::set<fs::path> known_;
  std::set<fs::path> finding_;
  std::set<std::string> named_;
};

TEST(Structure, EveryFileOfTestsBelongsToAProgram) {
  const std::vector<SourceFile> files = ReadSourceTree();
  const NamedTests named(files);
  std::vector<std::string> forgotten;
  size_t count = 0;
  for (const SourceFile& file : files) {
    // Templates become projects of their own.
    if (!file.path.ends_with("_test.cc") || IsUnder(file.path, "templates")) continue;
    ++count;
    if (!named.Has(file.path)) forgotten.push_back(file.path);
  }
  EXPECT_GT(count, 300U);
  EXPECT_THAT(forgotten, IsEmpty());
}

}  // namespace
}  // namespace npukit

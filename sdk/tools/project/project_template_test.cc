// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/project/project_template.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace npukit::tools {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ProjectNameTest, HasThreeSpellings) {
  const struct {
    const char* given;
    const char* lower;
    const char* camel;
    const char* upper;
  } cases[] = {
      {"contoso", "contoso", "Contoso", "CONTOSO"},
      {"my_npu2", "my_npu2", "MyNpu2", "MY_NPU2"},
      {"AcmeCorp", "acmecorp", "AcmeCorp", "ACMECORP"},
      {"x", "x", "X", "X"},
  };
  for (const auto& c : cases) {
    const auto name = ParseProjectName(c.given);
    ASSERT_TRUE(name) << c.given;
    EXPECT_EQ(name->lower, c.lower);
    EXPECT_EQ(name->camel, c.camel);
    EXPECT_EQ(name->upper, c.upper);
    EXPECT_EQ(name->magic.size(), 8u);
  }
}

TEST(ProjectNameTest, RefusesWhatIsNoIdentifier) {
  const std::string long_name(65, 'a');
  for (const char* bad :
       {"", "1npu", "_npu", "my-npu", "my npu", "../up", "a/b", "na\xc3\xafve", "my__npu", "class",
        "Namespace", "std", "litert", "npukit", long_name.c_str()}) {
    const auto name = ParseProjectName(bad);
    ASSERT_FALSE(name) << bad;
    EXPECT_THAT(name.Error().Message(), HasSubstr("cannot be a project's name"));
  }
}

TEST(FillInTest, ReplacesPlaceholdersAndNothingElse) {
  const ProjectName name{"my_npu", "MyNpu", "MY_NPU", "0badcafe"};
  EXPECT_EQ(FillIn("@name@ @Name@ @NAME@ 0x@MAGIC@", name), "my_npu MyNpu MY_NPU 0x0badcafe");
  EXPECT_EQ(FillIn("a@b.c @OTHER@ @@name@@ @", name), "a@b.c @OTHER@ @my_npu@ @");
  EXPECT_EQ(FillIn("", name), "");
}

class WriteProjectTest : public ::testing::Test {
 protected:
  WriteProjectTest() {
    fs::remove_all(root_);
    Put("template/.hidden/@name@.yml", "name: @Name@");
    Put("template/@name@/a.h", "@NAME@_H_");
    Put("template/run.sh", "#!/bin/sh");
    fs::permissions(root_ / "template/run.sh", fs::perms::owner_all);
  }
  ~WriteProjectTest() override { fs::remove_all(root_); }

  void Put(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::string Get(const std::string& path) {
    std::ifstream file(root_ / path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  litert::Expected<std::vector<std::string>> Write() {
    return WriteProject({root_ / "template"}, root_ / "out",
                        {"my_npu", "MyNpu", "MY_NPU", "00000000"});
  }

  const fs::path root_ = fs::temp_directory_path() / fmt::format("npukit_new_test_{}", ::getpid());
};

TEST_F(WriteProjectTest, CopiesNamesTextAndModes) {
  const auto files = Write();
  ASSERT_TRUE(files);
  EXPECT_THAT(*files, ElementsAre(".hidden/my_npu.yml", "my_npu/a.h", "run.sh"));
  EXPECT_EQ(Get("out/.hidden/my_npu.yml"), "name: MyNpu");
  EXPECT_EQ(Get("out/my_npu/a.h"), "MY_NPU_H_");
  EXPECT_NE(fs::status(root_ / "out/run.sh").permissions() & fs::perms::owner_exec,
            fs::perms::none);
}

TEST_F(WriteProjectTest, OverwritesNothing) {
  Put("out/mine.txt", "mine");
  const auto files = Write();
  ASSERT_FALSE(files);
  EXPECT_THAT(files.Error().Message(), HasSubstr("nothing is overwritten"));
  EXPECT_EQ(Get("out/mine.txt"), "mine");
  EXPECT_FALSE(fs::exists(root_ / "out.unfinished"));
}

TEST_F(WriteProjectTest, FillsAnEmptyFolder) {
  fs::create_directories(root_ / "out");
  EXPECT_TRUE(Write());
}

TEST_F(WriteProjectTest, LeavesNothingAfterAnError) {
  const auto files = WriteProject({root_ / "no_such_template"}, root_ / "out", {});
  ASSERT_FALSE(files);
  EXPECT_THAT(files.Error().Message(), HasSubstr("no_such_template"));
  EXPECT_FALSE(fs::exists(root_ / "out"));
  EXPECT_FALSE(fs::exists(root_ / "out.unfinished"));
}

TEST(TemplateNamesTest, ListsFoldersOnly) {
  EXPECT_THAT(TemplateNames(fs::path(NPUKIT_SOURCE_DIR) / "templates"),
              ::testing::Contains("compiler_plugin"));
  EXPECT_TRUE(TemplateNames("/no/such/folder").empty());
}

}  // namespace
}  // namespace npukit::tools

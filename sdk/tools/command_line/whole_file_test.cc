// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Files that can be opened and not be read to their end, with all who read them.

#include "sdk/tools/command_line/whole_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "sdk/tools/flags/compile_spec_flags.h"
#include "sdk/tools/flags/placement_file.h"
#include "sdk/tools/project/project_template.h"
#include "sdk/tools/project/upstream/registration.h"
#include "sdk/tools/project/upstream/upstream_tree.h"
#include "sdk/tools/project/upstream/vendored_sdk.h"
#include "sdk/tools/sweep/sweep_grid.h"
#include "tests/support/temporary_folder.h"

namespace npukit::tools {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

class TornFiles : public testing::Test {
 protected:
  // Of a process's own memory nothing is mapped at the beginning: the first read gives EIO.
  void Tear(const std::string& name) {
    fs::create_directories(Path(name).parent_path());
    fs::create_symlink("/proc/self/mem", Path(name));
  }
  fs::path Path(const std::string& name) const { return fs::path(temporary_.path()) / name; }
  static std::string WhyNot(const auto& result) { return result ? "" : result.Error().Message(); }

  TemporaryFolder temporary_;
  const ProjectName name_ = {"my_npu", "MyNpu", "MY_NPU", "0badcafe"};
};

TEST_F(TornFiles, AreErrorsThatNameTheFile) {
  Tear("project/torn");
  Tear("sdk/npukit/torn");
  Tear("sdk/context_functions.cc");
  const std::string torn = Path("project/torn").string();
  const fs::path sdk = Path("sdk");
  VendorSources includes;
  includes.files["a.cc"] = "#include \"npukit/torn\"\n";
  const std::pair<const char*, std::function<std::string()>> readers[] = {
      {"bytes", [&] { return WhyNot(ReadWholeFile(torn)); }},
      {"a template", [&] { return WhyNot(WriteProject({Path("project")}, Path("out"), name_)); }},
      {"a project", [&] { return WhyNot(ReadTree(Path("project"), name_)); }},
      {"a file that changes",
       [&] {
         return WhyNot(WriteFiles(Path("project"), {{"torn", "x"}}, {{"torn", ""}}));
       }},
      {"a header of the SDK",
       [&] {
         return WhyNot(VendorSdk({sdk, sdk}, includes, "my_npu"));
       }},
      {"the SDK's context",
       [&] {
         return WhyNot(VendorSdk({sdk, sdk}, {}, "my_npu"));
       }},
      {"a placement file", [&] { return WhyNot(ReadPlacementFile(torn)); }},
      {"a compile spec", [&] { return WhyNot(ParseCompileSpec("key=@" + torn)); }},
      {"a grid", [&] { return WhyNot(SweepGrid::Read(torn)); }},
  };
  for (const auto& [what, read] : readers) {
    const std::string why_not = read();
    EXPECT_THAT(why_not, HasSubstr(": Input/output error")) << what;
    EXPECT_THAT(why_not, HasSubstr(temporary_.path())) << what;
  }
}

TEST_F(TornFiles, OfACheckoutAreNotRegisteredIn) {
  Tear("litert/ats/BUILD");
  const Registered done = RegisterIn(temporary_.path(), name_);
  EXPECT_THAT(done.missing, Contains(HasSubstr("litert/ats/BUILD: Input/output error")));
  EXPECT_FALSE(done.files.contains("litert/ats/BUILD"));
}

// The walk would end there as at its end.
TEST_F(TornFiles, AFolderThatCannotBeEnteredIsAnError) {
  fs::create_directories(Path("project/closed"));
  fs::permissions(temporary_.path(), fs::perms::all);
  fs::permissions(Path("project/closed"), fs::perms::none);
  constexpr uid_t kNobody = 65534;
  const uid_t user = geteuid();  // root may enter any
  if (user == 0) {
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const std::string why_not = WhyNot(ReadTree(Path("project"), name_));
  if (user == 0) {
    ASSERT_EQ(seteuid(user), 0);
  }
  fs::permissions(Path("project/closed"), fs::perms::owner_all);
  EXPECT_THAT(why_not, HasSubstr("cannot read all of " + Path("project").string()));
}

TEST_F(TornFiles, WhatIsNoRegularFileIsNotWaitedFor) {
  const std::string pipe = Path("pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& why_not :
       {WhyNot(ReadPlacementFile(pipe)), WhyNot(SweepGrid::Read(pipe))}) {
    EXPECT_THAT(why_not, HasSubstr("is no regular file"));
  }
  std::ofstream(Path("large")) << std::string((1 << 20) + 1, '#');
  EXPECT_THAT(WhyNot(SweepGrid::Read(Path("large").string())),
              HasSubstr("is larger than 1048576 bytes"));
}

}  // namespace
}  // namespace npukit::tools

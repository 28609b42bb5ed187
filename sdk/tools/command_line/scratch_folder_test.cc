// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.h"

namespace npukit::tools {
namespace {

TEST(ScratchFolder, IsGoneWithItsObjectOrAnErrorFromTheBeginning) {
  const TemporaryFolder parent;
  const char* const before = getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", parent.path().c_str(), 1);
  std::string path;
  {
    const auto folder = ScratchFolder::Create();
    ASSERT_TRUE(folder) << folder.Error().Message();
    path = folder->path();
    EXPECT_EQ(std::filesystem::path(path).parent_path(), parent.path());
    EXPECT_TRUE(std::filesystem::is_directory(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  setenv("TMPDIR", (parent.path() + "/none").c_str(), 1);
  const auto none = ScratchFolder::Create();
  ASSERT_FALSE(none);
  EXPECT_THAT(none.Error().Message(), testing::HasSubstr("see TMPDIR"));
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace npukit::tools

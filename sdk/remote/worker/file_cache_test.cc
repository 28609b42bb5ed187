// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/file_cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sdk/remote/wire/digest.h"
#include "sdk/remote/wire/file_bytes.h"
#include "tests/support/temporary_folder.h"

namespace npukit::remote {
namespace {

namespace fs = std::filesystem;

class FileCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = FileCache::Open(folder_.path() + "/cache");
    ASSERT_TRUE(opened) << opened.Error().Message();
    cache_ = std::make_unique<FileCache>(std::move(*opened));
    FileUpload upload;
    ASSERT_TRUE(cache_->Put(upload, digest_, bytes_.size(), 0, bytes_));
  }

  const TemporaryFolder folder_;
  const std::vector<uint8_t> bytes_ = {1, 2, 3, 4, 5};
  const std::string digest_ = Digest(bytes_);
  std::unique_ptr<FileCache> cache_;
};

TEST_F(FileCacheTest, ALinkLeadsToTheSameFile) {
  for (int time = 0; time < 2; ++time) {
    const auto path = cache_->PathAs(digest_, "lib.so");
    ASSERT_TRUE(path) << path.Error().Message();
    EXPECT_EQ(fs::path(*path).filename(), "lib.so");
    EXPECT_TRUE(fs::equivalent(*path, cache_->folder() + "/" + digest_));
    EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(*path).parent_path()), {}), 1);
  }
}

// What another worker, or this one's predecessor of the same number, left behind may be a link to the
// file that others have loaded: it is not written to.
TEST_F(FileCacheTest, WhatWasLeftBehindIsNotWrittenTo) {
  const std::string original = cache_->folder() + "/" + digest_;
  const std::string folder = original + ".d";
  ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
  const std::string left = fmt::format("{}/lib.so.{}", folder, getpid());
  fs::create_hard_link(original, left);
  // Seen by its time: what is written has the same bytes.
  const fs::file_time_type long_ago = fs::last_write_time(original) - std::chrono::hours(1);
  fs::last_write_time(original, long_ago);
  const auto path = cache_->PathAs(digest_, "lib.so");
  ASSERT_TRUE(path) << path.Error().Message();
  EXPECT_TRUE(fs::equivalent(*path, original));
  EXPECT_EQ(fs::last_write_time(original), long_ago) << "it was written to";
  EXPECT_EQ(ReadFileBytes(*path), bytes_);
}

// An older file of that name, as where there are no links, is replaced.
TEST_F(FileCacheTest, AnotherFileOfThatNameIsReplaced) {
  const std::string folder = cache_->folder() + "/" + digest_ + ".d";
  ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
  fs::copy_file(cache_->folder() + "/" + digest_, folder + "/lib.so");
  const auto path = cache_->PathAs(digest_, "lib.so");
  ASSERT_TRUE(path) << path.Error().Message();
  EXPECT_EQ(ReadFileBytes(*path), bytes_);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST(FileCacheFolderTest, AnEmptyVariableIsNotSet) {
  const char* const kNames[] = {"NPUKIT_WORKER_CACHE", "XDG_CACHE_HOME", "HOME"};
  const struct {
    const char* values[3];
    std::string folder;
  } kRows[] = {{{"/a", "/b", "/c"}, "/a"},
               {{"", "/b", "/c"}, "/b/npukit-worker"},
               {{nullptr, "", "/c"}, "/c/.cache/npukit-worker"},
               {{"", nullptr, ""}, fmt::format("/tmp/npukit-worker-{}", geteuid())}};
  std::vector<std::pair<bool, std::string>> before;
  for (const char* const name : kNames) {
    const char* const value = std::getenv(name);
    before.emplace_back(value != nullptr, value == nullptr ? "" : value);
  }
  const auto set = [](const char* name, const char* value) {
    return value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  };
  for (const auto& [values, folder] : kRows) {
    for (size_t i = 0; i < 3; ++i) set(kNames[i], values[i]);
    EXPECT_EQ(FileCache::DefaultFolder(), folder);
  }
  for (size_t i = 0; i < 3; ++i)
    set(kNames[i], before[i].first ? before[i].second.c_str() : nullptr);
}

}  // namespace
}  // namespace npukit::remote

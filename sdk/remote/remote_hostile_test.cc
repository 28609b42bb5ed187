// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The desk, and a worker that says what it likes: no answer makes the desk read or write what is not there.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "sdk/remote/desk/compiler/plugin_state.h"
#include "sdk/remote/desk/compiler/remote_plugin.h"
#include "sdk/remote/desk/compiler/remote_results.h"
#include "sdk/remote/testing/remote_script.h"
#include "sdk/remote/testing/scripted_worker.h"

namespace npukit::remote {
namespace {

const LibraryFile& AnyFile() {
  static const LibraryFile file{.path = "/lib.so",
                                .name = "lib.so",
                                .vendor = "Scripted",
                                .digest = std::string(64, 'a'),
                                .bytes = {1}};
  return file;
}

// -- A compiler plugin ----------------------------------------------------------------------------

class HostilePluginTest : public testing::Test {
 protected:
  void SetUp() override {
    const int fd = worker_.TakeFd();
    auto link = Link::Adopt(fd, fd);
    ASSERT_TRUE(link) << link.Error().Message();
    link_ = std::move(*link);
    ASSERT_TRUE(InstallRemotePlugin(*link_, AnyFile()));
    ASSERT_TRUE(OpenRemotePlugin());
  }
  void TearDown() override {
    UninstallRemotePlugin();
    link_ = nullptr;
  }

  PluginAnswer answer_;
  ScriptedWorker worker_{nullptr, [this](const PluginCall&) { return answer_; }};
  std::unique_ptr<Link> link_;
};

// Nothing but what came is given out, and what was given out stays.
TEST_F(HostilePluginTest, BytecodeHasTheSizeOfWhatCame) {
  LiteRtCompiledResult result = PluginState::Get().AddResult(7);
  const void* first = nullptr;
  size_t size_bytes = 0;
  answer_ = {.number = uint64_t{1} << 40, .bytes = {1, 2, 3}};
  ASSERT_EQ(GetByteCode(result, 0, &first, &size_bytes), kLiteRtStatusOk);
  EXPECT_EQ(size_bytes, 3U);
  answer_ = {.number = 5, .bytes = {4, 5, 6, 7, 8}};
  const void* again = nullptr;
  ASSERT_EQ(GetByteCode(result, 0, &again, &size_bytes), kLiteRtStatusOk);
  EXPECT_EQ(again, first);
  EXPECT_EQ(size_bytes, 3U);
  EXPECT_EQ(std::memcmp(first, "\1\2\3", 3), 0);
  // An empty one likewise.
  answer_ = {.number = 9};
  ASSERT_EQ(GetByteCode(result, 1, &first, &size_bytes), kLiteRtStatusOk);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(size_bytes, 0U);
  answer_ = {.number = 1, .bytes = {4}};
  ASSERT_EQ(GetByteCode(result, 1, &again, &size_bytes), kLiteRtStatusOk);
  EXPECT_EQ(again, first);
  EXPECT_EQ(size_bytes, 0U);
  // One that there is not has the size that the plugin says, as without a device.
  answer_ = {.is_null = true, .number = 9};
  ASSERT_EQ(GetByteCode(result, 2, &again, &size_bytes), kLiteRtStatusOk);
  EXPECT_EQ(again, nullptr);
  EXPECT_EQ(size_bytes, 9U);
  DestroyCompiledResult(result);
}

}  // namespace
}  // namespace npukit::remote

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "npukit/plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace npukit {
namespace {

using ::testing::HasSubstr;

TEST(CompiledResultTest, VerifiesWhatTheHostCanUse) {
  CompiledResult result;
  const size_t first = result.AddModule(std::string("code"));
  const size_t second = result.AddModule(std::string());
  EXPECT_EQ(second, 1u);
  EXPECT_FALSE(result.Verify(0));  // The second module is empty.

  CompiledResult two_modules;
  const size_t a = two_modules.AddModule(std::string("a"));
  const size_t b = two_modules.AddModule(std::string("b"));
  two_modules.AddCall("main", a);
  two_modules.AddCall("main", b);
  two_modules.AddDebugHandle(0, 1, "mul", {0, 1});
  two_modules.AddDebugHandle(1, 1, "sub", {2});
  EXPECT_TRUE(two_modules.Verify(2));
  EXPECT_EQ(first, 0u);
}

TEST(CompiledResultTest, SaysWhatIsWrong) {
  struct Case {
    const char* message;
    std::function<void(CompiledResult&)> make;
  };
  const Case cases[] = {
      {"0 calls for 1 partitions", [](CompiledResult& r) { r.AddModule(std::string("m")); }},
      {"call 0: module 1 of 1",
       [](CompiledResult& r) { r.AddModule(std::string("m")), r.AddCall("f", 1); }},
      {"module 0 is empty", [](CompiledResult& r) { r.AddCall("f", r.AddModule(std::string())); }},
      {"call 0: no entry point",
       [](CompiledResult& r) { r.AddCall("", r.AddModule(std::string("m"))); }},
      {"call 0: a debug handle is 0 or used twice",
       [](CompiledResult& r) {
         r.AddCall("f", r.AddModule(std::string("m")));
         r.AddDebugHandle(0, 7, "a", {});
         r.AddDebugHandle(0, 7, "b", {});
       }},
      {"call 0: a debug handle is 0 or used twice",
       [](CompiledResult& r) {
         r.AddCall("f", r.AddModule(std::string("m")));
         r.AddDebugHandle(0, 0, "a", {});
       }},
  };
  for (const Case& c : cases) {
    CompiledResult result;
    c.make(result);
    const auto verdict = result.Verify(1);
    ASSERT_FALSE(verdict) << c.message;
    EXPECT_EQ(verdict.Error().StatusCC(), litert::Status::kErrorCompilation);
    EXPECT_THAT(verdict.Error().Message(), HasSubstr(c.message));
  }
  CompiledResult twice;
  twice.AddModule(std::string("m"));
  twice.AddCall("f", 0);
  twice.AddCall("f", 0);
  EXPECT_THAT(twice.Verify(2).Error().Message(),
              HasSubstr("call 1: its entry point 'f' is that of call 0 too"));
}

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Versions, status names, and what the platform has.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "litert/c/litert_common.h"
#include "litert/c/litert_platform_support.h"

namespace {

TEST(VersionTest, Compare) {
  const auto compare = [](LiteRtApiVersion a, LiteRtApiVersion b) {
    return LiteRtCompareApiVersion(a, b);
  };
  EXPECT_EQ(compare({1, 2, 3}, {1, 2, 3}), 0);
  EXPECT_LT(compare({0, 9, 9}, {1, 0, 0}), 0);
  EXPECT_GT(compare({1, 2, 0}, {1, 1, 9}), 0);
  EXPECT_LT(compare({1, 2, 3}, {1, 2, 4}), 0);
}

TEST(StatusTest, EveryStatusHasItsOwnName) {
  std::set<std::string> names;
  int count = 0;
#define NPUKIT_ABI_VALUE(constant, value)                                             \
  if (std::string(#constant).rfind("kLiteRtStatus", 0) == 0) {                        \
    ++count;                                                                          \
    EXPECT_STREQ(LiteRtGetStatusString(static_cast<LiteRtStatus>(value)), #constant); \
    names.insert(#constant);                                                          \
  }
#include "sdk/host/c_api/abi/testing/abi_facts.def"
  EXPECT_EQ(count, 31);
  EXPECT_EQ(names.size(), 31u);
  EXPECT_STREQ(LiteRtGetStatusString(static_cast<LiteRtStatus>(4711)), "unknown LiteRtStatus");
}

TEST(PlatformTest, OnlySyncFencesHere) {
  EXPECT_TRUE(LiteRtHasSyncFenceSupport());
  EXPECT_FALSE(LiteRtHasAhwbSupport());
  EXPECT_FALSE(LiteRtHasMetalSupport());
}

}  // namespace

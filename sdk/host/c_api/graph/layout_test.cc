// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_layout.h"

namespace {

constexpr LiteRtStatus kBadArgument = kLiteRtStatusErrorInvalidArgument;

LiteRtLayout Layout(std::vector<int32_t> dims) {
  LiteRtLayout layout = {};
  layout.rank = static_cast<unsigned>(dims.size());
  std::copy(dims.begin(), dims.end(), layout.dimensions);
  return layout;
}

TEST(LayoutTest, NumElements) {
  size_t count = 0;
  LiteRtLayout layout = Layout({});
  ASSERT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 1u);
  layout = Layout({2, 3, 4});
  ASSERT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 24u);
  layout = Layout({0, 3});
  ASSERT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 0u);
  layout = Layout({2, -1});
  EXPECT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kBadArgument);
  layout = Layout({INT32_MAX, INT32_MAX, INT32_MAX});
  EXPECT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kBadArgument);
  layout.rank = 127;
  EXPECT_EQ(LiteRtGetNumLayoutElements(&layout, &count), kBadArgument);
}

TEST(LayoutTest, IsSame) {
  const auto same = [](const LiteRtLayout& a, const LiteRtLayout& b) {
    bool result = false;
    EXPECT_EQ(LiteRtIsSameLayout(&a, &b, &result), kLiteRtStatusOk);
    return result;
  };
  LiteRtLayout a = Layout({2, 3});
  LiteRtLayout b = Layout({2, 3});
  b.dimensions[2] = 77;  // beyond the rank
  b.strides[0] = 5;      // without has_strides
  EXPECT_TRUE(same(a, b));
  EXPECT_FALSE(same(a, Layout({2, 4})));
  EXPECT_FALSE(same(a, Layout({2})));
  b.has_strides = true;
  EXPECT_FALSE(same(a, b));
  a.has_strides = true;
  EXPECT_FALSE(same(a, b));
  a.strides[0] = 5;
  EXPECT_TRUE(same(a, b));
}

}  // namespace

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/movement/fixed_places.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

namespace acme::compiler {
namespace {

// "count*step@from>to" of each.
std::string Text(const std::vector<int64_t>& places, int64_t along) {
  std::string text;
  for (const Segment& s : FewSegments(places, along))
    text += fmt::format("{}*{}@{}>{} ", s.extent, s.from_step, s.from_begin, s.to_begin);
  return text;
}

TEST(FewSegments, EqualStepsAreOne) {
  EXPECT_EQ(Text({0}, 1), "1*1@0>0 ");
  EXPECT_EQ(Text({0, 1, 2, 3, 9, 7, 5}, 10), "4*1@0>0 3*-2@9>4 ");
  EXPECT_EQ(Text({4, 4, 6}, 10), "1*1@4>0 2*2@4>1 ");
}

TEST(FewSegments, ManyAndThoseOutsideAreNone) {
  EXPECT_EQ(Text({0, 0, 0, 0, 0, 0, 0, 0}, 1).size(), 8 * 8U);
  EXPECT_EQ(Text({0, 0, 0, 0, 0, 0, 0, 0, 0}, 1), "");
  EXPECT_EQ(Text({0, 10}, 10), "");
  EXPECT_EQ(Text({-1, 0}, 10), "");
}

}  // namespace
}  // namespace acme::compiler

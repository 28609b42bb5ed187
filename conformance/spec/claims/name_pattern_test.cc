// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/claims/name_pattern.h"

#include <gtest/gtest.h>

#include <string>

#include "conformance/spec/text/value_parser.h"

namespace npukit::conformance {
namespace {

TEST(NamePattern, MatchesTheWholeOrIsFoundInAPart) {
  const auto compiled = NamePattern::Compile("core/(ADD|MUL)_.*");
  ASSERT_TRUE(compiled);
  const NamePattern pattern = *compiled;  // a copy does the same
  EXPECT_EQ(pattern.text(), "core/(ADD|MUL)_.*");
  EXPECT_TRUE(pattern.Matches("core/ADD_int8"));
  EXPECT_FALSE(pattern.Matches("x/core/ADD_int8"));
  EXPECT_TRUE(pattern.IsFoundIn("x/core/ADD_int8"));
  EXPECT_FALSE(pattern.IsFoundIn("core/SUB_int8"));
}

TEST(NamePattern, EmptyTextIsFoundEverywhereAndNoPatternNowhere) {
  const auto empty = NamePattern::Compile("");
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->IsFoundIn("a"));
  EXPECT_FALSE(empty->Matches("a"));
  EXPECT_FALSE(NamePattern().IsFoundIn("a"));
  EXPECT_FALSE(NamePattern().Matches(""));
}

TEST(NamePattern, OtherTextIsRefused) {
  const auto pattern = NamePattern::Compile("(");
  ASSERT_FALSE(pattern);
  EXPECT_EQ(pattern.Error().Message(), "not a regular expression: '('");
}

TEST(NamePattern, FilesMayHaveShortOnesOnly) {
  for (const size_t length : {256, 257}) {
    const auto value = ParseValue("'" + std::string(length, 'a') + "'", "f.yaml");
    ASSERT_TRUE(value);
    const auto pattern = ReadNamePattern(*value);
    EXPECT_EQ(static_cast<bool>(pattern), length == 256);
    if (!pattern) {
      EXPECT_EQ(pattern.Error().Message(), "f.yaml:1:1: pattern is longer than 256 characters");
    }
  }
}

}  // namespace
}  // namespace npukit::conformance

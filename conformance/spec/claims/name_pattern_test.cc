// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/claims/name_pattern.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "conformance/spec/text/value_parser.h"

namespace npukit::conformance {
namespace {

TEST(NamePattern, MatchesTheWholeOrIsFoundInAPart) {
  const auto compiled = NamePattern::Compile("core/(ADD|MUL)_.*");
  ASSERT_TRUE(compiled);
  const auto other = NamePattern::Compile("other");
  NamePattern pattern = *other;
  pattern = *compiled;  // a copy is as good as the first
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
  const char* rows[][2] = {
      {"(", "not a regular expression: '(': missing ): ("},
      {"a(?=b)", "not a regular expression: 'a(?=b)': invalid perl operator: (?="},
      {"((a{100}){100}){100}",
       "not a regular expression: '((a{100}){100}){100}': invalid repetition "
       "size: {100}"}};
  for (const auto& [text, message] : rows) {
    const auto pattern = NamePattern::Compile(text);
    ASSERT_FALSE(pattern) << text;
    EXPECT_EQ(pattern.Error().Message(), message);
  }
}

// An engine that tries one alternative after the other would take 2^n steps for these.
TEST(NamePattern, NoPatternTakesLong) {
  const std::string name(5000, 'a');
  for (const char* text : {"(a+)+b", "(a|aa)+b", "(a*)*b", "(.*)(.*)(.*)(.*)(.*)b", "(a?){500}b"}) {
    const auto pattern = NamePattern::Compile(text);
    ASSERT_TRUE(pattern) << text;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(pattern->Matches(name));
    EXPECT_FALSE(pattern->IsFoundIn(name));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << text;
  }
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

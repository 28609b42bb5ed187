// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/observation/evidence.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace npukit::conformance {
namespace {

using Bytes = std::vector<uint8_t>;

// What a check might ask: a number, bytes, and something that fails.
std::string AskAll() {
  Witness& witness = Witness::Get();
  std::string told;
  const auto number = witness.Observe<uint64_t>("number", [] { return uint64_t{7}; });
  told += number ? fmt::format("{}", *number) : number.Error().Message();
  const auto bytes = witness.Observe<Bytes>("bytes", [] { return Bytes{1, 2, 3}; });
  told += bytes ? fmt::format(" {}", bytes->size()) : " " + bytes.Error().Message();
  const auto status = witness.ObserveStatus("status", []() -> litert::Expected<void> {
    return litert::Unexpected(kLiteRtStatusErrorNotFound, "nothing there");
  });
  return told + (status ? " fine" : " " + status.Error().Message());
}

Evidence Noted() {
  Witness::Get().Note();
  AskAll();
  return Witness::Get().evidence();
}

TEST(Evidence, IsRepeatedAsItWasSeen) {
  const Evidence noted = Noted();
  ASSERT_EQ(noted.size(), 3u);
  const auto parsed = ParseEvidence(SerializeEvidence(noted));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*parsed, noted);
  Witness::Get().Repeat(*parsed);
  EXPECT_EQ(AskAll(), "7 3 nothing there");
  EXPECT_EQ(Witness::Get().Problem(false), "");
}

TEST(Evidence, NoWorkIsDoneWhereItIsRepeated) {
  Witness::Get().Repeat(Noted());
  bool worked = false;
  const auto number = Witness::Get().Observe<uint64_t>("number", [&] {
    worked = true;
    return uint64_t{8};
  });
  EXPECT_EQ(*number, 7u);
  EXPECT_FALSE(worked);
}

TEST(Evidence, WhatCannotBeIsAProblem) {
  struct Case {
    const char* what;
    void (*change)(Evidence& evidence);
    const char* problem;
  };
  const Case cases[] = {
      {"nothing", [](Evidence& e) { e.clear(); }, "observation 0, 'number', is missing"},
      {"missing", [](Evidence& e) { e.pop_back(); }, "observation 2, 'status', is missing"},
      {"surplus",
       [](Evidence& e) {
         e.push_back({"more", ""});
       },
       "1 of 4 observations were not asked for, the first is 'more'"},
      {"repeated", [](Evidence& e) { e.insert(e.begin(), e.front()); },
       "observation 1 is 'number', expected 'bytes'"},
      {"swapped", [](Evidence& e) { std::swap(e[0], e[1]); },
       "observation 0 is 'bytes', expected 'number'"},
      {"cut short", [](Evidence& e) { e[1].bytes.pop_back(); },
       "observation 1, 'bytes', can't be read"},
      {"too long", [](Evidence& e) { e[0].bytes += "x"; },
       "observation 0, 'number', can't be read"},
      {"an error that is none", [](Evidence& e) { e[2].bytes[8] = '\0'; },
       "observation 2, 'status', can't be read"},
  };
  for (const Case& c : cases) {
    Evidence evidence = Noted();
    c.change(evidence);
    Witness::Get().Repeat(evidence);
    AskAll();
    EXPECT_EQ(Witness::Get().Problem(false), c.problem) << c.what;
  }
}

// A check that fails leaves early; what it did not come to is no matter then.
TEST(Evidence, WhoLeavesEarlyNeedNotAskForAll) {
  Witness::Get().Repeat(Noted());
  EXPECT_NE(Witness::Get().Problem(false), "");
  EXPECT_EQ(Witness::Get().Problem(true), "");
}

TEST(Evidence, OtherTextIsNone) {
  const std::string good = SerializeEvidence(Noted());
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(ParseEvidence(good.substr(0, length))) << length;
  EXPECT_FALSE(ParseEvidence(good + "x"));
  EXPECT_FALSE(ParseEvidence(R"({"answer":0})"));
}

// Counts and sizes of gibibytes that are not there are refused before anything is made of them.
TEST(ByteText, AbsurdSizesAreRefused) {
  for (uint64_t size : {uint64_t{1} << 62, ~uint64_t{0}, uint64_t{9}}) {
    ByteWriter writer;
    writer.Put(size);
    const std::string bytes = writer.Take();
    std::string text;
    std::vector<uint64_t> numbers;
    std::vector<Bytes> lists;
    EXPECT_FALSE(ByteReader(bytes).Get(text));
    EXPECT_FALSE(ByteReader(bytes).Get(numbers));
    EXPECT_FALSE(ByteReader(bytes).Get(lists));
  }
}

}  // namespace
}  // namespace npukit::conformance

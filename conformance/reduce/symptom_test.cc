// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/reduce/symptom.h"

#include <gtest/gtest.h>

namespace npukit::conformance {
namespace {

TEST(Symptom, IsReadAndWritten) {
  struct Case {
    const char* text;
    const char* written;  // null: an error
  };
  const Case cases[] = {
      {"differs", "differs"},
      {"hangs", "hangs"},
      {"slower-than 5ms", "slower-than 5ms"},
      {"slower-than=1.5s", "slower-than 1500ms"},
      {"slower-than:250us", "slower-than 0.25ms"},
      {"slower-than 7", "slower-than 7ms"},
      {"slower-than 2e6cycles", "slower-than 2e+06cycles"},
      {"slower-than", nullptr},
      {"slower-than 0ms", nullptr},
      {"slower-than 5 parsecs", nullptr},
      {"fine", nullptr},
      {"not-on-npu", nullptr},
      {"not-loaded", nullptr},
      {"wrong-request", nullptr},
      {"wrong", nullptr},
      {"", nullptr},
  };
  for (const Case& c : cases) {
    const auto symptom = ParseSymptom(c.text);
    ASSERT_EQ(symptom.HasValue(), c.written != nullptr) << c.text;
    if (symptom) {
      EXPECT_EQ(symptom->ToString(), c.written) << c.text;
    }
  }
}

TEST(Symptom, IsShownByWhatEndsAlike) {
  const Symptom crash{.ending = Ending::kCrashes, .message = "conv", .signal = 11};
  EXPECT_TRUE(crash.IsShownBy({.ending = Ending::kCrashes, .message = "in conv", .signal = 11}));
  EXPECT_FALSE(crash.IsShownBy({.ending = Ending::kCrashes, .message = "in conv", .signal = 6}));
  EXPECT_FALSE(crash.IsShownBy({.ending = Ending::kCrashes, .message = "in pool", .signal = 11}));
  EXPECT_FALSE(crash.IsShownBy({.ending = Ending::kRunFails, .message = "conv"}));
  const auto parsed = ParseSymptom("slower-than 2ms");
  ASSERT_TRUE(parsed);
  const Symptom& slow = *parsed;
  EXPECT_TRUE(slow.IsShownBy({.run_ms = 3}));
  EXPECT_FALSE(slow.IsShownBy({.run_ms = 1}));
  EXPECT_FALSE(slow.IsShownBy({.cycles = 3e6}));
}

TEST(Symptom, WhatWasSeenGoesThroughText) {
  const Observed observed{
      .ending = Ending::kRunFails, .message = "a\nb", .signal = 0, .run_ms = 1.5, .cycles = 7};
  const auto read = ParseObserved(ToText(observed));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->ending, observed.ending);
  EXPECT_EQ(read->message, observed.message);
  EXPECT_EQ(read->run_ms, observed.run_ms);
  EXPECT_EQ(read->cycles, observed.cycles);
  for (const char* bad : {"", "{", "[]", R"({"ending": "odd", "message": ""})"})
    EXPECT_FALSE(ParseObserved(bad)) << bad;
}

TEST(Symptom, OfAProcessThatDied) {
  EXPECT_EQ(ObservedIn({.end = ChildOutcome::End::kSignalled, .signal = 11}).ending,
            Ending::kCrashes);
  EXPECT_EQ(ObservedIn({.end = ChildOutcome::End::kTimedOut}).ending, Ending::kHangs);
  EXPECT_EQ(ObservedIn({.end = ChildOutcome::End::kExited}).ending, Ending::kCrashes);
  EXPECT_EQ(ObservedIn({.end = ChildOutcome::End::kReported, .report = "nonsense"}).ending,
            Ending::kCrashes);
}

}  // namespace
}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/verdict/baseline.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;

using Numbers = std::vector<std::pair<std::string, double>>;

CaseResult Passed(const std::string& name_of_case, const std::string& check, Numbers numbers) {
  CaseResult result;
  result.name = name_of_case + "/" + check;
  result.check = check;
  result.result = Result::kPassed;
  result.numbers = std::move(numbers);
  return result;
}

Baseline Recorded(bool exact) {
  Baseline before;
  before.exact = exact;
  before.allowed_growth = exact ? 0 : 0.02;
  return RecordBaseline(
      "Contoso", before,
      {Passed("core/a", "numerics.oracle",
              {{"worst_bound_use", 0.5},
               {"cycles", 100},
               {"module_bytes", 640},
               {"other_metrics", 7}}),
       Passed("core/b", "dispatch.resealed", {{"resealed_modules", 50}, {"refused_modules", 40}})});
}

// The detail of the one result; "" if it passed.
std::string Judged(const Baseline& baseline, const CaseResult& result) {
  const auto judged = JudgeBaseline(baseline, {result}, Claims());
  if (judged.size() != 1) return fmt::format("judged {}", judged.size());
  EXPECT_EQ(judged[0].name.substr(judged[0].name.rfind('/')), "/performance.baseline");
  EXPECT_EQ(judged[0].result == Result::kPassed, judged[0].detail.empty());
  return judged[0].detail;
}

std::string JudgedRun(bool exact, Numbers numbers) {
  return Judged(Recorded(exact), Passed("core/a", "numerics.oracle", std::move(numbers)));
}

std::string JudgedRefusals(bool exact, double refused) {
  return Judged(Recorded(exact),
                Passed("core/b", "dispatch.resealed", {{"refused_modules", refused}}));
}

TEST(Baseline, IsReadAsItIsWritten) {
  const Baseline recorded = Recorded(/*exact=*/true);
  const auto read = ParseBaseline(WriteBaseline(recorded), "b.json");
  ASSERT_TRUE(read) << read.Error().Message();
  EXPECT_EQ(read->manufacturer, "Contoso");
  EXPECT_TRUE(read->exact);
  EXPECT_EQ(read->cases, recorded.cases);
  EXPECT_EQ(read->cases.at("core/a"),
            (Costs{{"cycles", 100}, {"module_bytes", 640}, {"other_metrics", 7}}));
  EXPECT_EQ(read->cases.at("core/b"), (Costs{{"refused_modules", 40}}));
}

TEST(Baseline, OfCyclesAloneIsReadAsWell) {
  const auto read = ParseBaseline(
      R"({"baseline": 1, "manufacturer": "C", "allowed_growth": 0.5, "cycles": {"core/a": 12}})",
      "b");
  ASSERT_TRUE(read) << read.Error().Message();
  EXPECT_FALSE(read->exact);
  EXPECT_EQ(read->cases.at("core/a"), (Costs{{"cycles", 12}}));
}

TEST(Baseline, OfAChipMayBeUndercutAndGrowALittle) {
  EXPECT_EQ(JudgedRun(false, {{"cycles", 102}, {"module_bytes", 640}, {"other_metrics", 7}}), "");
  EXPECT_EQ(JudgedRun(false, {{"cycles", 50}, {"module_bytes", 1}, {"other_metrics", 9}}), "");
  EXPECT_EQ(JudgedRun(false, {{"cycles", 103}, {"module_bytes", 640}, {"other_metrics", 7}}),
            "103 cycles, 100 are recorded (+3.00 %; 2.00 % is allowed)");
  EXPECT_EQ(JudgedRefusals(false, 41), "");
  EXPECT_THAT(JudgedRefusals(false, 39), HasSubstr("39 refused_modules, 40 are recorded"));
}

TEST(Baseline, OfASimulatorIsMetInEachNumber) {
  EXPECT_EQ(JudgedRun(true, {{"cycles", 100}, {"module_bytes", 640}, {"other_metrics", 7}}), "");
  EXPECT_EQ(JudgedRun(true, {{"cycles", 99}, {"module_bytes", 640}, {"other_metrics", 7}}),
            "99 cycles, 100 are recorded (-1.00 %; none is allowed)");
  EXPECT_EQ(JudgedRun(true, {{"cycles", 100}, {"module_bytes", 641}, {"other_metrics", 8}}),
            "641 module_bytes, 640 are recorded (+0.16 %; none is allowed); metrics of other names "
            "than these are not what is recorded");
  EXPECT_THAT(JudgedRefusals(true, 41), HasSubstr("41 refused_modules"));
}

TEST(Baseline, WhatIsNoLongerToldFails) {
  EXPECT_EQ(JudgedRun(false, {{"module_bytes", 640}, {"other_metrics", 7}}),
            "no cycles are told, 100 are recorded");
}

TEST(Baseline, ChecksThatTellSomethingElseOrDidNotPassAreNotJudged) {
  EXPECT_EQ(Judged(Recorded(true), Passed("core/a", "dispatch.metrics", {{"cycles", 1}})),
            "judged 0");
  // Refusals of a case whose runs are recorded: another check's.
  EXPECT_EQ(Judged(Recorded(true), Passed("core/a", "dispatch.resealed", {{"refused_modules", 1}})),
            "judged 0");
  CaseResult failed = Passed("core/a", "numerics.oracle", {{"cycles", 1}});
  failed.result = Result::kFailed;
  EXPECT_EQ(Judged(Recorded(true), failed), "judged 0");
}

TEST(Baseline, WhatIsNoneIsAnError) {
  const std::string head = R"({"baseline": 2, "manufacturer": "C", )";
  for (const std::string& text :
       {std::string("[]"), std::string("{"), std::string(R"({"baseline": 3})"),
        head + "\"exact\": 1}", head + R"("allowed_growth": -1})", head + R"("cases": 3})",
        head + R"("cases": {"a": {"speed": 1}}})", head + R"("cases": {"a": {"cycles": 0}}})",
        head + R"("cases": {"a": "b"}})"}) {
    const auto read = ParseBaseline(text, "b.json");
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.Error().Message(), HasSubstr("b.json: ")) << text;
  }
}

}  // namespace
}  // namespace npukit::conformance

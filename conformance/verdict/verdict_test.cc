// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "conformance/observation/check_report.h"
#include "conformance/observation/child_outcome.h"
#include "conformance/spec/text/value_parser.h"
#include "conformance/verdict/case_result.h"
#include "conformance/verdict/claim_coverage.h"
#include "conformance/verdict/crash_place.h"
#include "conformance/verdict/judge.h"
#include "conformance/verdict/profile_verdict.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;
using End = ChildOutcome::End;

ResultId Ask() { return {"s", "s/c/compile.calls", FindCheck("compile.calls")}; }

ChildOutcome Reported(const CheckReport& report) {
  ChildOutcome outcome;
  outcome.end = End::kReported;
  outcome.report = SerializeReport(report);
  return outcome;
}

Claims ExpectFailure() {
  auto value = ParseValue(
      "claims: 1\nmanufacturer: C\nsocs: []\nops: []\nexpected_failures: [{case: 's/c/.*', reason: "
      "slow}]\n",
      "c.yaml");
  auto claims = ReadClaims(*value);
  return std::move(*claims);
}

TEST(CheckReport, RoundTrips) {
  CheckReport report = CheckReport::Fail("bad \"thing\"\nat \xff");
  report.numbers = {{"worst", 1.5}, {"cycles", 12}};
  report.exercised = {"ADD float32"};
  const auto read = ParseReport(SerializeReport(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->answer, CheckReport::Answer::kFail);
  EXPECT_THAT(read->detail, HasSubstr("bad \"thing\"\nat "));
  EXPECT_EQ(read->numbers, report.numbers);
  EXPECT_EQ(read->exercised, report.exercised);
  for (const char* bad : {"", "{}", "[1]", "{\"answer\": 9}", "{\"answer\": \"x\"}"})
    EXPECT_FALSE(ParseReport(bad)) << bad;
}

TEST(Judge, WhatTheCheckSays) {
  EXPECT_EQ(Judge(Ask(), Reported(CheckReport::Pass()), nullptr).result, Result::kPassed);
  EXPECT_EQ(Judge(Ask(), Reported(CheckReport::Skip("not claimed")), nullptr).result,
            Result::kSkipped);
  const CaseResult failed = Judge(Ask(), Reported(CheckReport::Fail("two calls")), nullptr);
  EXPECT_EQ(failed.result, Result::kFailed);
  EXPECT_EQ(failed.cause, Cause::kCheck);
  EXPECT_EQ(failed.detail, "two calls");
  EXPECT_THAT(failed.group, HasSubstr("compile.calls: "));
}

TEST(Judge, HowTheWorkerEnded) {
  struct Row {
    End end;
    int signal;
    const char* error;
    Cause cause;
    const char* detail;
  };
  const Row rows[] = {
      {End::kSignalled, SIGSEGV, "", Cause::kCrash, "crashed: SIGSEGV in Compile"},
      {End::kSignalled, SIGABRT, "what(): std::bad_alloc", Cause::kMemory,
       "ran out of memory in Compile"},
      {End::kExited, 0, "", Cause::kExit, "exit code 0 in Compile"},
      {End::kForged, 0, "", Cause::kForged,
       "the plugin wrote into the kit's own report in Compile"},
      {End::kTimedOut, 0, "", Cause::kHang, "no answer within 1.5 s in Compile"},
      {End::kOutputLimit, 0, "", Cause::kOutput, "more output than the limit in Compile"},
  };
  for (const Row& row : rows) {
    ChildOutcome outcome;
    outcome.end = row.end;
    outcome.signal = row.signal;
    outcome.stage = "Compile";
    outcome.standard_error = row.error;
    outcome.seconds = 1.5;
    const CaseResult result = Judge(Ask(), outcome, nullptr);
    EXPECT_EQ(result.result, Result::kFailed);
    EXPECT_EQ(result.cause, row.cause);
    EXPECT_THAT(result.detail, HasSubstr(row.detail));
  }
  ChildOutcome between;
  between.end = End::kSignalled;
  between.signal = SIGSEGV;
  between.stage = "after Compile";
  EXPECT_THAT(Judge(Ask(), between, nullptr).detail, HasSubstr("crashed: SIGSEGV after Compile"));
  ChildOutcome cancelled;
  cancelled.end = End::kCancelled;
  EXPECT_EQ(Judge(Ask(), cancelled, nullptr).result, Result::kNotRun);
  ChildOutcome garbled;
  garbled.end = End::kReported;
  garbled.report = "garbage";
  EXPECT_EQ(Judge(Ask(), garbled, nullptr).cause, Cause::kUnknown);
}

// What a report says of a crash at a glance: whose function it was.
TEST(Judge, ACrashNamesLibraryAndFunction) {
  ChildOutcome outcome;
  outcome.end = End::kSignalled;
  outcome.signal = SIGSEGV;
  outcome.stage = "LiteRtCompilerPluginCompile";
  outcome.stack =
      "/lib/x86_64-linux-gnu/libc.so.6(memcpy+0x12)[0x7f1]\n"
      "/opt/contoso/libContoso.so(contoso::Lower(int (*)[2])+0x1f)[0x7f2]\n"
      "/opt/contoso/libContoso.so(LiteRtCompilerPluginCompile+0x3)[0x7f3]\n";
  const CaseResult result = Judge(Ask(), outcome, nullptr);
  EXPECT_EQ(result.detail,
            "crashed: SIGSEGV in LiteRtCompilerPluginCompile, at contoso::Lower(int (*)[2]) in "
            "libContoso.so");
  EXPECT_THAT(result.group, HasSubstr("contoso::Lower"));
  outcome.end = End::kTimedOut;
  EXPECT_THAT(Judge(Ask(), outcome, nullptr).detail,
              HasSubstr(", at contoso::Lower(int (*)[2]) in"));
}

TEST(CrashPlace, IsTheInnermostFrameThatIsNotTheSystems) {
  const std::pair<const char*, const char*> rows[] = {
      {"", ""},
      {"no frame\n(\n)[\nx()[0x1]\n", ""},
      {"/a/libPlugin.so(+0x12ab)[0x7f2]\n", "libPlugin.so+0x12ab"},
      {"/lib/libc.so.6(abort+0x1)[0x1]\n", "abort in libc.so.6"},
      {"/lib/libc.so.6(abort+0x1)[0x1]\nlibx.so(f+0x2)[0x2]", "f in libx.so"},
      {"garbage\nlibx.so(f+0x2)[0x2]\n", "f in libx.so"}};
  for (const auto& [stack, place] : rows) EXPECT_EQ(CrashPlace(stack), place) << stack;
  const std::string long_name(1000, 'n');
  EXPECT_LT(CrashPlace("x.so(" + long_name + "+0x1)[0x1]").size(), 200u);
}

TEST(Judge, AProcessLeftBehindFailsAPass) {
  ChildOutcome outcome = Reported(CheckReport::Pass());
  outcome.left_processes = true;
  EXPECT_EQ(Judge(Ask(), outcome, nullptr).result, Result::kFailed);
}

TEST(Judge, ExpectedFailures) {
  const Claims claims = ExpectFailure();
  const CaseResult failed = Judge(Ask(), Reported(CheckReport::Fail("x")), &claims);
  EXPECT_EQ(failed.result, Result::kExpectedFailure);
  EXPECT_EQ(failed.detail, "expected (slow): x");
  ChildOutcome crash;
  crash.end = End::kSignalled;
  crash.signal = SIGSEGV;
  EXPECT_EQ(Judge(Ask(), crash, &claims).result, Result::kExpectedFailure);
  EXPECT_EQ(Judge(Ask(), Reported(CheckReport::Skip("x")), &claims).result, Result::kSkipped);
  const CaseResult surprise = Judge(Ask(), Reported(CheckReport::Pass()), &claims);
  EXPECT_EQ(surprise.result, Result::kFailed);
  EXPECT_EQ(surprise.cause, Cause::kSurprisePass);
  EXPECT_THAT(surprise.detail, HasSubstr("c.yaml:5:21 expects a failure (slow)"));
}

TEST(VerdictOf, Summaries) {
  auto verdict = [](size_t passed, size_t failed, size_t skipped, size_t not_run) {
    return Verdict({.passed = passed,
                    .failed = failed,
                    .skipped = skipped,
                    .expected_failures = 0,
                    .not_run = not_run});
  };
  EXPECT_EQ(verdict(3, 0, 1, 0), "conformant");
  EXPECT_EQ(verdict(3, 1, 0, 0), "not conformant");
  EXPECT_EQ(verdict(0, 0, 5, 0), "nothing judged");
  EXPECT_EQ(verdict(3, 0, 0, 1), "incomplete");
  EXPECT_EQ(verdict(3, 1, 0, 1), "not conformant");
}

CaseResult ResultOf(const std::string& name, Result result, std::string detail) {
  CaseResult made;
  made.name = name;
  made.result = result;
  made.detail = std::move(detail);
  return made;
}

std::string DetailOf(const std::vector<CaseResult>& results, const std::string& name) {
  for (const CaseResult& result : results) {
    if (result.name == name) return result.detail;
  }
  return "no result of that name";
}

TEST(ClaimCoverage, SaysWhatBecameOfTheCasesOfAClaim) {
  ClaimSummary claims;
  claims.ops = {
      {"ADD float32", "c.yaml:1:1"}, {"MUL float32", "c.yaml:2:1"}, {"SUB int8", "c.yaml:3:1"}};
  claims.option_values = {{"MUL float32: fused_activation_function RELU", "c.yaml:2:1"},
                          {"MUL float32: fused_activation_function NONE", "c.yaml:2:1"}};
  std::vector<CaseResult> results = {
      ResultOf("core/add/numerics.oracle", Result::kPassed, ""),
      ResultOf("core/mul_1/numerics.oracle", Result::kFailed, "crashed: SIGSEGV\nstack"),
      ResultOf("core/mul_2/numerics.oracle", Result::kExpectedFailure, "expected (later): inf"),
      ResultOf("core/mul_3/numerics.oracle", Result::kSkipped, "no oracle"),
  };
  results[0].exercised = {"ADD float32"};
  for (size_t i = 1; i < results.size(); ++i) results[i].asked = {"MUL float32"};
  results[1].asked.emplace_back("MUL float32: fused_activation_function RELU");
  results[3].outside_claims = {"SUBTLE: another op", "SUB: int16 is not claimed"};

  const std::vector<CaseResult> judged = JudgeClaims(claims, results, {});
  EXPECT_EQ(DetailOf(judged, "claims/ADD float32"), "");
  EXPECT_EQ(
      DetailOf(judged, "claims/MUL float32"),
      "c.yaml:2:1: MUL float32 is claimed, but no case computed it within the bounds; 2 of its "
      "cases failed, "
      "first core/mul_1/numerics.oracle: crashed: SIGSEGV; 1 of its cases were skipped, first "
      "core/mul_3/numerics.oracle: no oracle");
  EXPECT_EQ(DetailOf(judged, "claims/SUB int8"),
            "c.yaml:3:1: SUB int8 is claimed, but no case of the suites lies within it (its types "
            "and limits); core/mul_3/numerics.oracle lies outside: int16 is not claimed");
  EXPECT_EQ(DetailOf(judged, "claims/MUL float32: fused_activation_function RELU"),
            "c.yaml:2:1: MUL float32: fused_activation_function RELU is claimed, but no case "
            "computed it within the "
            "bounds; 1 of its cases failed, first core/mul_1/numerics.oracle: crashed: SIGSEGV");
  EXPECT_EQ(DetailOf(judged, "claims/MUL float32: fused_activation_function NONE"),
            "c.yaml:2:1: MUL float32: fused_activation_function NONE is claimed, but no case has "
            "that value");
}

// What nothing was said of, and what ran elsewhere, reaches no profile, though the result passed.
TEST(JudgeProfile, APassThatLeavesSomethingOpenIsNone) {
  Profile profile;
  profile.results = {{"language/m/model.placement", {true, "c"}},
                     {"language/m/language.values", {true, "c"}},
                     {"abi/a/abi.version", {false, "c"}}};
  profile.digest = "d";
  const ProfileAsks asks{.results = 3, .digest = "d"};
  std::vector<CaseResult> results(3);
  size_t i = 0;
  for (const auto& [name, asked] : profile.results) {
    results[i].name = name;
    results[i].check = name.substr(name.rfind('/') + 1);
    results[i++].result = Result::kPassed;
  }
  const auto reasons = [&](size_t result, const char* number, double value) {
    std::vector<CaseResult> changed = results;
    changed[result].numbers = {{number, value}};
    return JudgeProfile(profile, {}, changed, asks).reasons;
  };
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  EXPECT_EQ(JudgeProfile(profile, {}, results, asks).state, ProfileVerdict::State::kConformant);
  EXPECT_THAT(reasons(1, kUnjudgedElems, 7),
              ElementsAre("language/m/language.values: 7 elements were not judged"));
  EXPECT_THAT(reasons(1, kUnjudgedElems, 0), IsEmpty());
  EXPECT_THAT(reasons(0, kUnjudgedElems, 7), IsEmpty());  // it need not pass
  EXPECT_THAT(reasons(2, "cpu_ops", 2),
              ElementsAre("language/m/model.placement: 2 ops stay on the CPU"));
}

}  // namespace
}  // namespace npukit::conformance

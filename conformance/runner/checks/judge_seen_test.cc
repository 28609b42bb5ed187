// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a plugin could say of itself if it had its worker in its hands: no change of what was seen turns
// into a pass.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/seen_run.h"
#include "conformance/runner/process/child_pool.h"
#include "conformance/runner/vendor/subject.h"
#include "conformance/spec/suite/suite.h"

namespace npukit::conformance {
namespace {

constexpr char kCheck[] = "numerics.oracle";

// A case that the healthy plugin passes, and what was seen of it.
class JudgeSeenTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto subject =
        FindSubject(std::string(NPUKIT_BUILD_DIR) + "/faulty_plugins/healthy", /*manufacturer=*/"");
    ASSERT_TRUE(subject) << subject.Error().Message();
    subject_ = std::move(*subject);
    auto claims = LoadClaims(DefaultClaimsPath(subject_));
    ASSERT_TRUE(claims) << claims.Error().Message();
    subject_.claims = std::move(*claims);
    auto suite = LoadSuite(NPUKIT_SOURCE_DIR "/conformance/suites/smoke.yaml");
    ASSERT_TRUE(suite) << suite.Error().Message();
    suite_ = std::move(*suite);
    for (const CaseSpec& spec : suite_.cases) {
      spec_ = &spec;
      const std::optional<std::string> seen = See();
      if (!seen || Judge(*seen).answer != CheckReport::Answer::kPass) continue;
      evidence_ = ParseEvidence(*seen).value_or(Evidence());
      return;
    }
    FAIL() << "no case passes";
  }

  // In a process of its own, which has the plugin.
  std::optional<std::string> See() const {
    const auto outcome = RunTask({[&] {
                                    Witness::Get().Note();
                                    RunCheck(*FindCheck(kCheck), subject_, *spec_);
                                    return SerializeEvidence(Witness::Get().evidence());
                                  },
                                  {}});
    if (!outcome || outcome->end != ChildOutcome::End::kReported) return std::nullopt;
    return outcome->report;
  }

  // In a process of its own, which has not.
  CheckReport Judge(const std::string& seen) const {
    const auto outcome = RunTask(
        {[&] { return SerializeReport(JudgeSeen(*FindCheck(kCheck), subject_, *spec_, seen)); },
         {}});
    EXPECT_TRUE(outcome && outcome->end == ChildOutcome::End::kReported);
    const auto report = outcome ? ParseReport(outcome->report) : std::nullopt;
    EXPECT_TRUE(report);
    return report.value_or(CheckReport::Pass());
  }
  CheckReport Judge(const Evidence& evidence) const { return Judge(SerializeEvidence(evidence)); }

  // The evidence with each run changed.
  Evidence WithRuns(const std::function<void(SeenRun&)>& change) const {
    Evidence evidence = evidence_;
    for (Observation& observation : evidence) {
      if (observation.label != "run") continue;
      ByteReader reader(observation.bytes);
      uint64_t kind = 0;
      SeenRun run;
      EXPECT_TRUE(reader.Get(kind) && reader.Get(run) && !run.calls.empty());
      change(run);
      ByteWriter writer;
      writer.Put(kind);
      writer.Put(run);
      observation.bytes = writer.Take();
    }
    return evidence;
  }

  Subject subject_;
  Suite suite_;
  const CaseSpec* spec_ = nullptr;
  Evidence evidence_;
};

TEST_F(JudgeSeenTest, EvidenceThatCannotBeIsForged) {
  ASSERT_GT(evidence_.size(), 3u);
  Evidence missing = evidence_;
  missing.pop_back();
  Evidence surplus = evidence_;
  surplus.push_back(surplus.back());
  Evidence repeated = evidence_;
  repeated.insert(repeated.begin(), repeated.front());
  Evidence reversed(evidence_.rbegin(), evidence_.rend());
  for (const Evidence& evidence : {Evidence(), missing, surplus, repeated, reversed})
    EXPECT_EQ(Judge(evidence).answer, CheckReport::Answer::kForged) << evidence.size();
  EXPECT_EQ(Judge(SerializeReport(CheckReport::Pass())).answer, CheckReport::Answer::kForged);
}

TEST_F(JudgeSeenTest, WhatWasSeenDecides) {
  EXPECT_EQ(Judge(evidence_).answer, CheckReport::Answer::kPass);
  struct Case {
    const char* what;
    void (*change)(SeenRun& run);
    const char* detail;
  };
  const Case cases[] = {
      {"values", [](SeenRun& run) { run.calls[0].outputs[0][0] ^= 0x40; }, "elem"},
      {"inputs of its own choice", [](SeenRun& run) { run.calls[0].inputs[0][0] ^= 1; },
       "is not what it was given"},
      {"no run", [](SeenRun& run) { run.calls[0] = {}; }, "did not run"},
      {"no partition", [](SeenRun& run) { run.calls.clear(); }, "dispatch ops, expected"},
      {"fewer bytes", [](SeenRun& run) { run.calls[0].outputs[0].pop_back(); }, "bytes, expected"},
      {"no output", [](SeenRun& run) { run.calls[0].outputs.clear(); }, "outputs, expected"},
  };
  for (const Case& c : cases) {
    const CheckReport report = Judge(WithRuns(c.change));
    EXPECT_EQ(report.answer, CheckReport::Answer::kFail) << c.what;
    EXPECT_NE(report.detail.find(c.detail), std::string::npos) << c.what << ": " << report.detail;
  }
}

// Whoever says that nothing was selected has not run anything either.
TEST_F(JudgeSeenTest, AnEmptySelectionIsNoPass) {
  Evidence evidence = evidence_;
  for (Observation& observation : evidence) {
    if (observation.label != "selection") continue;
    ByteWriter writer;
    writer.Put(kSawValue);
    writer.Put(SeenSelection());
    observation.bytes = writer.Take();
  }
  EXPECT_EQ(Judge(evidence).answer, CheckReport::Answer::kFail);
}

}  // namespace
}  // namespace npukit::conformance

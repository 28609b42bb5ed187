// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a plugin could say of itself if it had its worker in its hands: no change of what was seen turns
// into a pass.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/observed_run.h"
#include "conformance/runner/process/child_pool.h"
#include "conformance/runner/vendor/plugin_under_test.h"
#include "conformance/spec/suite/suite.h"

namespace npukit::conformance {
namespace {

constexpr char kCheck[] = "numerics.oracle";

// A case that the healthy plugin passes, and what was seen of it.
class JudgeObservedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto under_test = FindPluginUnderTest(std::string(NPUKIT_BUILD_DIR) + "/faulty_plugins/healthy",
                                          /*manufacturer=*/"");
    ASSERT_TRUE(under_test) << under_test.Error().Message();
    under_test_ = std::move(*under_test);
    auto claims = LoadClaims(DefaultClaimsPath(under_test_));
    ASSERT_TRUE(claims) << claims.Error().Message();
    under_test_.claims = std::move(*claims);
    auto suite = LoadSuite(NPUKIT_SOURCE_DIR "/conformance/suites/smoke.yaml");
    ASSERT_TRUE(suite) << suite.Error().Message();
    suite_ = std::move(*suite);
    for (const CaseSpec& spec : suite_.cases) {
      spec_ = &spec;
      const std::optional<std::string> observed = Observe();
      if (!observed || Judge(*observed).answer != CheckReport::Answer::kPass) continue;
      evidence_ = ParseEvidence(*observed).value_or(Evidence());
      return;
    }
    FAIL() << "no case passes";
  }

  // In a process of its own, which has the plugin.
  std::optional<std::string> Observe() const {
    const auto outcome = RunTask({[&] {
                                    Witness::Get().Note();
                                    RunCheck(*FindCheck(kCheck), under_test_, *spec_);
                                    return SerializeEvidence(Witness::Get().evidence());
                                  },
                                  {}});
    if (!outcome || outcome->end != ChildOutcome::End::kReported) return std::nullopt;
    return outcome->report;
  }

  // In a process of its own, which has not.
  CheckReport Judge(const std::string& observed) const {
    const auto outcome = RunTask(
        {[&] {
           return SerializeReport(JudgeObserved(*FindCheck(kCheck), under_test_, *spec_, observed));
         },
         {}});
    EXPECT_TRUE(outcome && outcome->end == ChildOutcome::End::kReported);
    const auto report = outcome ? ParseReport(outcome->report) : std::nullopt;
    EXPECT_TRUE(report);
    return report.value_or(CheckReport::Pass());
  }
  CheckReport Judge(const Evidence& evidence) const { return Judge(SerializeEvidence(evidence)); }

  // The evidence with each run changed.
  Evidence WithRuns(const std::function<void(ObservedRun&)>& change) const {
    Evidence evidence = evidence_;
    for (Observation& observation : evidence) {
      if (observation.label != "run") continue;
      ByteReader reader(observation.bytes);
      uint64_t kind = 0;
      ObservedRun run;
      EXPECT_TRUE(reader.Get(kind) && reader.Get(run) && !run.calls.empty());
      change(run);
      ByteWriter writer;
      writer.Put(kind);
      writer.Put(run);
      observation.bytes = writer.Take();
    }
    return evidence;
  }

  PluginUnderTest under_test_;
  Suite suite_;
  const CaseSpec* spec_ = nullptr;
  Evidence evidence_;
};

TEST_F(JudgeObservedTest, EvidenceThatCannotBeIsForged) {
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

TEST_F(JudgeObservedTest, WhatWasSeenDecides) {
  EXPECT_EQ(Judge(evidence_).answer, CheckReport::Answer::kPass);
  struct Case {
    const char* what;
    void (*change)(ObservedRun& run);
    const char* detail;
  };
  const Case cases[] = {
      {"values", [](ObservedRun& run) { run.calls[0].outputs[0][0] ^= 0x40; }, "elem"},
      {"inputs of its own choice", [](ObservedRun& run) { run.calls[0].inputs[0][0] ^= 1; },
       "is not what it was given"},
      {"no run", [](ObservedRun& run) { run.calls[0] = {}; }, "did not run"},
      {"no partition", [](ObservedRun& run) { run.calls.clear(); }, "dispatch ops, expected"},
      {"fewer bytes", [](ObservedRun& run) { run.calls[0].outputs[0].pop_back(); },
       "bytes, expected"},
      {"no output", [](ObservedRun& run) { run.calls[0].outputs.clear(); }, "outputs, expected"},
  };
  for (const Case& c : cases) {
    const CheckReport report = Judge(WithRuns(c.change));
    EXPECT_EQ(report.answer, CheckReport::Answer::kFail) << c.what;
    EXPECT_NE(report.detail.find(c.detail), std::string::npos) << c.what << ": " << report.detail;
  }
}

// Whoever says that nothing was selected has not run anything either.
TEST_F(JudgeObservedTest, AnEmptySelectionIsNoPass) {
  Evidence evidence = evidence_;
  for (Observation& observation : evidence) {
    if (observation.label != "selection") continue;
    ByteWriter writer;
    writer.Put(kSawValue);
    writer.Put(ObservedSelection());
    observation.bytes = writer.Take();
  }
  EXPECT_EQ(Judge(evidence).answer, CheckReport::Answer::kFail);
}

// -- Every observed check

PluginUnderTest Mimic() {
  auto under_test = FindPluginUnderTest(std::string(NPUKIT_BUILD_DIR) + "/faulty_plugins/healthy",
                                        /*manufacturer=*/"");
  EXPECT_TRUE(under_test) << under_test.Error().Message();
  if (!under_test) return {};
  auto claims = LoadClaims(DefaultClaimsPath(*under_test));
  EXPECT_TRUE(claims);
  if (claims) under_test->claims = std::move(*claims);
  return std::move(*under_test);
}

// A result of Mimic's that passes, with what was seen for it.
struct PassedResult {
  const CheckInfo* check = nullptr;
  const CaseSpec* spec = nullptr;
  Evidence evidence;
};

CheckReport::Answer AnswerOf(const PassedResult& passed, const PluginUnderTest& under_test,
                             const Evidence& evidence) {
  const auto outcome =
      RunTask({[&] {
                 return SerializeReport(JudgeObserved(*passed.check, under_test, *passed.spec,
                                                      SerializeEvidence(evidence)));
               },
               {}});
  const auto report = outcome && outcome->end == ChildOutcome::End::kReported
                          ? ParseReport(outcome->report)
                          : std::nullopt;
  EXPECT_TRUE(report) << passed.check->id;
  return report ? report->answer : CheckReport::Answer::kPass;
}

// The first case of the suites that the check passes; null if there is none.
std::optional<PassedResult> FindPass(const CheckInfo& check, const PluginUnderTest& under_test,
                                     const std::vector<Suite>& suites) {
  for (const Suite& suite : suites) {
    for (const CaseSpec& spec : suite.cases) {
      if (std::find(spec.checks.begin(), spec.checks.end(), &check) == spec.checks.end()) continue;
      const auto outcome = RunTask({[&] {
                                      Witness::Get().Note();
                                      RunCheck(check, under_test, spec);
                                      return SerializeEvidence(Witness::Get().evidence());
                                    },
                                    {}});
      if (!outcome || outcome->end != ChildOutcome::End::kReported) continue;
      PassedResult passed{&check, &spec, ParseEvidence(outcome->report).value_or(Evidence())};
      if (passed.evidence.empty() || passed.evidence.size() > 4000) continue;
      if (AnswerOf(passed, under_test, passed.evidence) == CheckReport::Answer::kPass)
        return passed;
    }
  }
  return std::nullopt;
}

std::vector<Suite> SuitesOf(std::initializer_list<const char*> names) {
  std::vector<Suite> suites;
  for (const char* name : names) {
    auto suite =
        LoadSuite(std::string(NPUKIT_SOURCE_DIR) + "/conformance/suites/" + name + ".yaml");
    EXPECT_TRUE(suite) << suite.Error().Message();
    if (suite) suites.push_back(std::move(*suite));
  }
  return suites;
}

// The bytes of a status, as another one.
std::string OtherStatus(const std::string& bytes) {
  ByteReader reader(bytes);
  uint64_t kind = 0;
  uint64_t status = 0;
  EXPECT_TRUE(reader.Get(kind) && reader.Get(status));
  ByteWriter writer;
  writer.Put(kSawValue);
  writer.Put(uint64_t{status == 0 ? 1U : 0U});
  return writer.Take();
}

// Whether a bare call's status, which is one number behind the kind.
bool IsStatus(const Observation& observation) {
  ByteReader reader(observation.bytes);
  uint64_t kind = 0;
  uint64_t status = 0;
  return reader.Get(kind) && kind == kSawValue && reader.Get(status) && reader.at_end();
}

TEST(EveryObservedCheck, NeedsEachOfItsObservations) {
  const PluginUnderTest under_test = Mimic();
  const std::vector<Suite> suites = SuitesOf({"abi", "smoke", "dispatch", "state", "robustness",
                                              "graphs", "models", "language", "performance"});
  size_t found = 0;
  for (const CheckInfo& check : AllChecks()) {
    const auto passed = FindPass(check, under_test, suites);
    if (!passed) continue;  // Mimic is skipped
    ++found;
    const size_t count = passed->evidence.size();
    for (const size_t left_out : {size_t{0}, count / 2, count - 1}) {
      Evidence evidence = passed->evidence;
      evidence.erase(evidence.begin() + static_cast<ptrdiff_t>(left_out));
      EXPECT_NE(AnswerOf(*passed, under_test, evidence), CheckReport::Answer::kPass)
          << check.id << " without observation " << left_out << ", "
          << passed->evidence[left_out].label;
    }
    Evidence more = passed->evidence;
    more.push_back(more.back());
    EXPECT_EQ(AnswerOf(*passed, under_test, more), CheckReport::Answer::kForged) << check.id;
  }
  EXPECT_GE(found, 64u);
}

TEST(EveryObservedCheck, IsDecidedByTheStatusesThatWereSeen) {
  const PluginUnderTest under_test = Mimic();
  const std::vector<Suite> suites = SuitesOf({"abi", "dispatch"});
  for (const char* id :
       {"dispatch.unattached", "dispatch.attach_bounds", "dispatch.requirements_bounds",
        "abi.null_arguments", "abi.soc_bounds", "compile.bounds"}) {
    const auto passed = FindPass(*FindCheck(id), under_test, suites);
    ASSERT_TRUE(passed) << id;
    size_t changed = 0;
    for (size_t i = 0; i < passed->evidence.size(); ++i) {
      if (!IsStatus(passed->evidence[i])) continue;
      Evidence evidence = passed->evidence;
      evidence[i].bytes = OtherStatus(evidence[i].bytes);
      ++changed;
      EXPECT_NE(AnswerOf(*passed, under_test, evidence), CheckReport::Answer::kPass)
          << id << ": " << evidence[i].label;
    }
    EXPECT_GE(changed, 4u) << id;
  }
}

TEST(EveryObservedCheck, IsDecidedByTheValuesThatWereSeen) {
  const PluginUnderTest under_test = Mimic();
  const std::vector<Suite> suites = SuitesOf({"dispatch", "state", "language"});
  for (const char* id :
       {"dispatch.invoke", "dispatch.reinvoke", "dispatch.rebind", "dispatch.output_whole",
        "dispatch.two_contexts", "dispatch.two_devices", "dispatch.threads",
        "dispatch.unaligned_bytecode", "state.two_modules", "state.many_runs",
        "state.device_threads", "language.values", "language.in_place", "language.conversations"}) {
    const auto passed = FindPass(*FindCheck(id), under_test, suites);
    ASSERT_TRUE(passed) << id;
    Evidence evidence = passed->evidence;
    const auto last =
        std::find_if(evidence.rbegin(), evidence.rend(), [](const Observation& observed) {
          return observed.label == "run" || observed.label.find("threads") != std::string::npos ||
                 observed.label == "many runs" || observed.label.starts_with("conversation");
        });
    ASSERT_NE(last, evidence.rend()) << id;
    last->bytes.back() = static_cast<char>(last->bytes.back() ^ 0x40);
    EXPECT_NE(AnswerOf(*passed, under_test, evidence), CheckReport::Answer::kPass) << id;
  }
}

}  // namespace
}  // namespace npukit::conformance

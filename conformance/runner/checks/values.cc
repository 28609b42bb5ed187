// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of the classes numerics, model and performance: values of whole models.

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/observation/run_costs.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/guarded_replay.h"
#include "conformance/runner/checks/host_run.h"
#include "conformance/runner/checks/measured_run.h"
#include "conformance/runner/checks/observed_run.h"
#include "conformance/runner/checks/whole_errors.h"
#include "litert/cc/litert_macros.h"
#include "npukit/metrics.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"

namespace npukit::conformance::checks {
namespace {

// Claims that the case's ops fall under.
litert::Expected<std::vector<std::string>> ExercisedClaims(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<JudgedOp> ops, bench.judged_ops());
  std::set<std::string> exercised;
  for (const JudgedOp& judged : ops) {
    if (judged.answer.claim == nullptr) continue;
    for (std::string& text : ExercisedBy(judged)) exercised.insert(std::move(text));
  }
  return std::vector<std::string>(exercised.begin(), exercised.end());
}

struct WorstOf {
  double bound_use = 0;
  double difference = 0;
  size_t partitions = 0;
  int64_t rounded_once = 0;
  std::string where;  // of the largest part of a bound
  void Add(const Judgement& judgement, const std::string& inputs) {
    if (judgement.worst_bound_use > bound_use) {
      bound_use = judgement.worst_bound_use;
      where = inputs + judgement.worst_where;
    }
    difference = std::max(difference, judgement.worst_difference);
    partitions += judgement.partitions;
    rounded_once += judgement.rounded_once;
  }
  void Report(CheckReport& report) const {
    report.numbers.emplace_back("worst_bound_use", bound_use);
    report.numbers.emplace_back("worst_difference", difference);
    if (rounded_once > 0)
      report.numbers.emplace_back(kRoundedOnce, static_cast<double>(rounded_once));
  }
};

std::string Where(Workbench& bench, const std::string& key, size_t index) {
  std::string where = "with ";
  where += kPatternNames[static_cast<size_t>(bench.spec().patterns[index])];
  where += " inputs";
  if (!key.empty()) where += ", signature " + key;
  return where + ": ";
}

// The first output byte at which two runs differ; empty if none.
std::string Difference(const std::vector<std::vector<uint8_t>>& a,
                       const std::vector<std::vector<uint8_t>>& b) {
  if (a.size() != b.size()) return "the numbers of outputs differ";
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const size_t shorter = std::min(a[i].size(), b[i].size());
    const auto where =
        std::mismatch(a[i].begin(), a[i].begin() + static_cast<ptrdiff_t>(shorter), b[i].begin());
    return fmt::format("output {} differs at byte {}", i, where.first - a[i].begin());
  }
  return {};
}

// What came of running every signature with every pattern and judging each partition, and then of what the
// sums of all runs err together.
struct Judged {
  WorstOf worst;
  std::string problem;
  std::string not_judged;
  bool unbounded = false;
  RunCosts costs;  // of each signature's first run
};

// Whether the pattern's values differ as random ones do: repeated ones are rounded alike.
bool IsSpread(DataSpec::Pattern pattern) {
  return pattern == DataSpec::Pattern::kRandom || pattern == DataSpec::Pattern::kWide;
}

// Ends of buffers at a guard page with the first inputs, their starts with the last; with the first,
// outputs in the buffers of inputs, where the compiler says that they may be.
litert::Expected<std::string> BuffersProblem(Workbench& bench, ObservedSession& session,
                                             const std::string& key, const PartitionedModel& parts,
                                             size_t index, const ObservedRun& run) {
  for (const GuardedMemory::At at : {GuardedMemory::At::kEnd, GuardedMemory::At::kStart}) {
    if (index != (at == GuardedMemory::At::kEnd ? 0 : bench.pattern_count() - 1)) continue;
    LITERT_ASSIGN_OR_RETURN(const ObservedRun guarded, session.RunGuarded(key, parts, at));
    std::string problem = GuardedProblem(run, guarded, at);
    if (!problem.empty()) return problem;
  }
  if (index != 0) return std::string();
  LITERT_ASSIGN_OR_RETURN(const ObservedRun in_place, session.RunInPlace(key, parts));
  return InPlaceProblem(run, in_place);
}

// One signature with every pattern. False: there is a problem.
litert::Expected<bool> JudgeSignature(Workbench& bench, ObservedSession& session,
                                      const std::string& key, const PartitionedModel& parts,
                                      bool replay, Judged& judged) {
  SumsByPartition sums;
  for (size_t index = 0; index < bench.pattern_count(); ++index) {
    // Later runs, and those between guard pages, are as users have them: nothing is measured.
    const auto costs =
        replay && index == 0 ? ObservedSession::Costs::kAsked : ObservedSession::Costs::kUnasked;
    LITERT_ASSIGN_OR_RETURN(const ObservedRun run, session.Run(key, index, parts, costs));
    if (costs == ObservedSession::Costs::kAsked) judged.costs.Add(run.costs);
    const bool spread = IsSpread(bench.spec().patterns[index]);
    LITERT_ASSIGN_OR_RETURN(const Judgement judgement,
                            JudgePartitions(bench, run, *parts.bodies, spread ? &sums : nullptr));
    judged.problem = judgement.problem;
    if (judged.problem.empty() && replay) {
      LITERT_ASSIGN_OR_RETURN(judged.problem,
                              BuffersProblem(bench, session, key, parts, index, run));
    }
    if (!judged.problem.empty()) {
      judged.problem = Where(bench, key, index) + judged.problem;
      return false;
    }
    judged.worst.Add(judgement, Where(bench, key, index));
    judged.unbounded = judged.unbounded || judgement.unbounded;
    if (!judgement.not_judged.empty()) judged.not_judged = judgement.not_judged;
  }
  for (const auto& [partition, statistics] : sums) {
    judged.problem = statistics.Problem();
    if (judged.problem.empty()) continue;
    judged.problem = fmt::format("partition {}: {}", partition, judged.problem);
    return false;
  }
  return true;
}

litert::Expected<Judged> JudgeRuns(Workbench& bench, ObservedSession& session,
                                   const PartitionedModel& parts, bool replay) {
  Judged judged;
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> keys, ObservedSession::Keys(bench));
  for (const std::string& key : keys) {
    LITERT_ASSIGN_OR_RETURN(const bool good,
                            JudgeSignature(bench, session, key, parts, replay, judged));
    if (!good) return judged;
  }
  return judged;
}

// Behind many layers bounds say nothing. Then each op is judged by itself, on the inputs that it
// really has; and the whole by what it errs, beside what the ops one by one err.
litert::Expected<Judged> JudgeOpByOp(Workbench& bench, ObservedSession& whole) {
  LITERT_ASSIGN_OR_RETURN(ObservedCase compiled,
                          ObserveCompiled(bench, Cut::kOpByOp, Compiler::kHere));
  LITERT_ASSIGN_OR_RETURN(
      const auto session,
      ObservedSession::Open(bench, std::move(compiled.model), RunMode::kAheadOfTime));
  LITERT_ASSIGN_OR_RETURN(Judged judged, JudgeRuns(bench, *session, compiled.parts,
                                                   /*replay=*/false));
  if (!judged.problem.empty()) {
    judged.problem = "op by op, " + judged.problem;
    return judged;
  }
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> keys, ObservedSession::Keys(bench));
  for (const std::string& key : keys) {
    LITERT_ASSIGN_OR_RETURN(judged.problem, WholeErrors(bench, key, whole, *session));
    if (!judged.problem.empty()) return judged;
  }
  return judged;
}

CheckAnswer JudgeAheadOfTime(Workbench& bench, Compiler compiler) {
  if (bench.spec().expect.select == SelectRule::kAny && !bench.partitioned())
    return CheckReport::Skip("the plugin takes nothing of it, and need not");
  LITERT_ASSIGN_OR_RETURN(ObservedCase compiled, ObserveCompiled(bench, Cut::kAsUsers, compiler));
  LITERT_ASSIGN_OR_RETURN(
      const auto session,
      ObservedSession::Open(bench, std::move(compiled.model), RunMode::kAheadOfTime));
  LITERT_ASSIGN_OR_RETURN(Judged judged, JudgeRuns(bench, *session, compiled.parts,
                                                   /*replay=*/true));
  NPUKIT_CHECK_THAT(judged.problem.empty(), judged.problem);
  const RunCosts costs = judged.costs;
  if (judged.unbounded) {
    LITERT_ASSIGN_OR_RETURN(judged, JudgeOpByOp(bench, *session));
    NPUKIT_CHECK_THAT(judged.problem.empty(), judged.problem);
  }
  const WorstOf& worst = judged.worst;
  if (worst.partitions == 0) return CheckReport::Skip("no oracle: " + judged.not_judged);
  std::string detail = worst.where.empty() ? "" : "worst error " + worst.where;
  if (!judged.not_judged.empty()) {
    detail +=
        (detail.empty() ? "" : "; ") + std::string("not all was judged: ") + judged.not_judged;
  }
  CheckReport report = CheckReport::Pass(std::move(detail));
  worst.Report(report);
  for (auto& number : costs.Numbers()) report.numbers.push_back(std::move(number));
  LITERT_ASSIGN_OR_RETURN(report.exercised, ExercisedClaims(bench));
  return report;
}

}  // namespace

namespace numerics {

CheckAnswer oracle(Workbench& bench) { return JudgeAheadOfTime(bench, Compiler::kHere); }

CheckAnswer repeatable(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> keys, ObservedSession::Keys(bench));
  std::vector<OutputSet> first;
  for (int round = 0; round < 2; ++round) {
    LITERT_ASSIGN_OR_RETURN(ObservedCase compiled, ObserveCompiled(bench));
    LITERT_ASSIGN_OR_RETURN(
        const auto session,
        ObservedSession::Open(bench, std::move(compiled.model), RunMode::kAheadOfTime));
    for (size_t run = 0; run < 3; ++run) {
      // Where patterns are few the first comes again behind others, whose values may have been
      // left; all come again in the second round, of another compilation.
      const size_t index = run % bench.pattern_count();
      LITERT_ASSIGN_OR_RETURN(const ObservedRun observed, session->RunWhole(keys.front(), index));
      if (round == 0 && run == index) {
        first.push_back(observed.outputs);
        continue;
      }
      const std::string difference = Difference(first[index], observed.outputs);
      NPUKIT_CHECK_THAT(difference.empty(),
                        Where(bench, "", index) + "another run gives other bytes: " + difference);
    }
  }
  return CheckReport::Pass();
}

}  // namespace numerics

namespace model {

CheckAnswer ahead_of_time(Workbench& bench) {
  return JudgeAheadOfTime(bench, Compiler::kElsewhere);
}

CheckAnswer just_in_time(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(ObservedCase compiled, ObserveCompiled(bench));
  LITERT_ASSIGN_OR_RETURN(const auto ahead, ObservedSession::Open(bench, std::move(compiled.model),
                                                                  RunMode::kAheadOfTime));
  LITERT_ASSIGN_OR_RETURN(Model * source, bench.model());
  LITERT_ASSIGN_OR_RETURN(auto copy, CopyThroughFile(*source));
  LITERT_ASSIGN_OR_RETURN(const auto in_memory,
                          ObservedSession::Open(bench, std::move(copy), RunMode::kJustInTime));
  NPUKIT_CHECK_THAT(in_memory->uses_npu(),
                    "compiled in memory nothing runs on the NPU: " + in_memory->fallback_reason());
  LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> keys, ObservedSession::Keys(bench));
  for (const std::string& key : keys) {
    for (size_t index = 0; index < bench.pattern_count(); ++index) {
      LITERT_ASSIGN_OR_RETURN(const ObservedRun first, ahead->RunWhole(key, index));
      LITERT_ASSIGN_OR_RETURN(const ObservedRun second, in_memory->RunWhole(key, index));
      const std::string difference = Difference(first.outputs, second.outputs);
      NPUKIT_CHECK_THAT(difference.empty(), Where(bench, key, index) + difference);
    }
  }
  return CheckReport::Pass();
}

namespace {

struct ObservedPlacement {
  uint64_t npu_ops = 0;
  uint64_t cpu_ops = 0;
  uint64_t partitions = 0;
  std::string fallback_reason;
  static auto Fields(auto& self) {
    return std::tie(self.npu_ops, self.cpu_ops, self.partitions, self.fallback_reason);
  }
};

}  // namespace

CheckAnswer placement(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * source, bench.model());
  LITERT_ASSIGN_OR_RETURN(
      const ObservedPlacement placement,
      Witness::Get().Observe<ObservedPlacement>(
          "placement", [&]() -> litert::Expected<ObservedPlacement> {
            LITERT_ASSIGN_OR_RETURN(auto copy, CopyThroughFile(*source));
            LITERT_ASSIGN_OR_RETURN(const auto session,
                                    OpenSession(bench, std::move(copy), RunMode::kJustInTime));
            const SessionPlacement& found = session->placement();
            return ObservedPlacement{found.npu_ops, found.cpu_ops, found.partitions,
                                     std::string(found.fallback_reason)};
          }));
  LITERT_ASSIGN_OR_RETURN(const std::vector<JudgedOp> ops, bench.judged_ops());
  size_t claimed = 0;
  for (const JudgedOp& judged : ops) claimed += judged.answer.claimed;
  const auto& [npu_ops, cpu_ops, partitions, fallback_reason] = placement;
  NPUKIT_CHECK_THAT(npu_ops == claimed, fmt::format("{} ops run on the NPU, {} are claimed {}",
                                                    npu_ops, claimed, fallback_reason));
  CheckReport report = CheckReport::Pass();
  report.numbers = {{"npu_ops", static_cast<double>(npu_ops)},
                    {"cpu_ops", static_cast<double>(cpu_ops)},
                    {"partitions", static_cast<double>(partitions)}};
  return report;
}

}  // namespace model

namespace performance {

namespace {

// What each run cost.
struct ObservedCosts {
  std::vector<RunCosts> runs;
  // With less detail: of a session's first run, and of one behind a run that was not measured.
  std::vector<RunCosts> of_first_and_later;
  static auto Fields(auto& self) { return std::tie(self.runs, self.of_first_and_later); }
};

litert::Expected<RunCosts> MeasureBehind(Workbench& bench, const Model& compiled,
                                         int unmeasured_runs) {
  LITERT_ASSIGN_OR_RETURN(auto copy, CopyThroughFile(compiled));
  LITERT_ASSIGN_OR_RETURN(const auto session,
                          OpenSession(bench, std::move(copy), RunMode::kAheadOfTime));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner(RunnerKeys(*session).front()));
  for (int run = 0; run < unmeasured_runs; ++run)
    LITERT_RETURN_IF_ERROR(RunWithInputs(bench, *runner, 0));
  return MeasureRun(*session, *runner, NPUKIT_METRICS_DETAIL_PER_OP,
                    [&] { return RunWithInputs(bench, *runner, 0); });
}

litert::Expected<ObservedCosts> MeasureRuns(Workbench& bench, std::unique_ptr<Model> compiled) {
  constexpr int kRuns = 3;
  ObservedCosts observed;
  for (const int unmeasured_runs : {0, 1}) {
    LITERT_ASSIGN_OR_RETURN(observed.of_first_and_later.emplace_back(),
                            MeasureBehind(bench, *compiled, unmeasured_runs));
  }
  LITERT_ASSIGN_OR_RETURN(const auto session,
                          OpenSession(bench, std::move(compiled), RunMode::kAheadOfTime));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner(RunnerKeys(*session).front()));
  for (int run = 0; run < kRuns; ++run) {
    LITERT_ASSIGN_OR_RETURN(observed.runs.emplace_back(),
                            MeasureRun(*session, *runner, NPUKIT_METRICS_DETAIL_TRACE,
                                       [&] { return RunWithInputs(bench, *runner, 0); }));
  }
  return observed;
}

}  // namespace

CheckAnswer cycles_repeatable(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(ObservedCase compiled,
                          ObserveCompiled(bench, Cut::kAsUsers, Compiler::kHere));
  LITERT_ASSIGN_OR_RETURN(const ObservedCosts observed,
                          Witness::Get().Observe<ObservedCosts>("costs", [&] {
                            return MeasureRuns(bench, std::move(compiled.model));
                          }));
  NPUKIT_CHECK_THAT(!observed.runs.empty(), "nothing ran");
  if (observed.runs.front().cycles == 0) return CheckReport::Skip("no metrics, or none of cycles");
  for (const RunCosts& again : observed.runs) {
    NPUKIT_CHECK_THAT(again.cycles == observed.runs.front().cycles,
                      fmt::format("one run takes {} cycles, another one {}",
                                  observed.runs.front().cycles, again.cycles));
  }
  const std::vector<RunCosts>& two = observed.of_first_and_later;
  NPUKIT_CHECK_THAT(two.size() == 2, "no run behind another one was measured");
  NPUKIT_CHECK_THAT(two[0].Numbers() == two[1].Numbers(),
                    "behind a run that was not measured the metrics are other than those of a "
                    "first run");
  CheckReport report = CheckReport::Pass();
  report.numbers = observed.runs.front().Numbers();
  for (auto& number : report.numbers) {
    if (IsDigest(number.first)) number.first = kTracedMetrics;
  }
  return report;
}

}  // namespace performance
}  // namespace npukit::conformance::checks

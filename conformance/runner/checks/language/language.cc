// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class language: what a conversation with a language model asks of its caches.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/language/language_stand.h"
#include "conformance/runner/checks/language/step_judge.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::language {
namespace {

std::string Where(const Script& script, size_t step) {
  return fmt::format("step {} ('{}' at position {}): ", step, script[step].signature,
                     script[step].position);
}

// "" if all steps of two runs on the NPU gave the same.
std::string FirstDifference(const Script& script, const ObservedSteps& expected,
                            const ObservedSteps& found) {
  if (expected.size() != script.size() || found.size() != script.size())
    return "another number of steps than was asked for";
  for (size_t i = 0; i < script.size(); ++i) {
    const std::string difference = ValueDifference(expected[i], found[i]);
    if (!difference.empty()) return Where(script, i) + difference;
  }
  return {};
}

// Whether steps that were taken on the NPU are right. Workers discard the answer.
CheckAnswer JudgeSteps(const LanguageStand& stand, const Script& script, const ObservedSteps& found,
                       const std::string& what, int32_t fill = 0) {
  if (Witness::Get().is_noting()) return CheckReport::Pass();
  NPUKIT_CHECK_THAT(found.size() == script.size(), "another number of steps than was asked for");
  LITERT_ASSIGN_OR_RETURN(StepJudge judge, stand.OpenJudge(fill));
  for (size_t i = 0; i < script.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(const std::string problem, judge.Judge(script[i], found[i]));
    NPUKIT_CHECK_THAT(problem.empty(), what + Where(script, i) + problem);
  }
  CheckReport report = CheckReport::Pass();
  const StepTally& tally = judge.tally();
  if (tally.unjudged_elems > 0) {
    report.detail =
        fmt::format("{} of {} elements were not judged: {}", tally.unjudged_elems, tally.elems,
                    stand.judges_values() ? "what ops may err is as large"
                                          : "an op that rounds once is claimed");
    report.numbers.emplace_back(kUnjudgedElems, static_cast<double>(tally.unjudged_elems));
  }
  if (tally.worst_bound_use > 0)
    report.numbers.emplace_back("worst_bound_use", tally.worst_bound_use);
  return report;
}

CheckAnswer CompareWithCpu(const LanguageStand& stand, const Script& script,
                           const std::string& what = "", int32_t fill = 0) {
  LITERT_ASSIGN_OR_RETURN(const ObservedSteps found, stand.OnNpu(script, {.fill = fill}));
  return JudgeSteps(stand, script, found, what, fill);
}

int64_t UnjudgedElems(const CheckReport& report) {
  for (const auto& [name, value] : report.numbers) {
    if (name == kUnjudgedElems) return static_cast<int64_t>(value);
  }
  return 0;
}

// Of two passes, that which leaves more open; else what is no pass.
CheckReport Weaker(const CheckReport& one, const CheckReport& other) {
  if (other.answer != CheckReport::Answer::kPass) return other;
  return UnjudgedElems(one) > UnjudgedElems(other) ? one : other;
}

// Whether the vendor claims an op of a subgraph.
bool IsClaimed(const std::vector<JudgedOp>& judged, const Subgraph& subgraph) {
  return std::any_of(judged.begin(), judged.end(), [&](const JudgedOp& op) {
    return op.answer.claimed && op.op->subgraph == &subgraph;
  });
}

}  // namespace

CheckAnswer dispatched(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LanguageStand stand, LanguageStand::Build(bench));
  LITERT_ASSIGN_OR_RETURN(const std::vector<JudgedOp> judged, bench.judged_ops());
  LITERT_ASSIGN_OR_RETURN(const Model* model, bench.model());
  LITERT_ASSIGN_OR_RETURN(const std::vector<uint64_t> dispatches, stand.DispatchOps());
  NPUKIT_CHECK_THAT(dispatches.size() == stand.signatures().size(), "other signatures than asked");
  size_t at = 0;
  for (const auto& [length, key] : stand.signatures()) {
    const uint64_t count = dispatches[at++];
    for (const auto& signature : model->signatures) {
      if (signature->key != key || !IsClaimed(judged, *signature->subgraph)) continue;
      NPUKIT_CHECK_THAT(count > 0, fmt::format("no op of signature '{}' runs on the NPU", key));
    }
  }
  return CheckReport::Pass();
}

CheckAnswer values(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LanguageStand stand, LanguageStand::Build(bench));
  Script script = stand.Usual();
  // Each length, once.
  int32_t position = 0;
  for (const auto& [length, key] : stand.signatures()) {
    if (position + length > stand.context()) break;
    script.push_back(stand.Step(length, position, 3));
    position += length;
  }
  return CompareWithCpu(stand, script);
}

CheckAnswer in_place(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LanguageStand stand, LanguageStand::Build(bench));
  const Script script = stand.Usual();
  LITERT_ASSIGN_OR_RETURN(const ObservedSteps apart, stand.OnNpu(script, {}));
  // All of them; and some, beside which others are copied.
  std::vector<std::string> some;
  for (size_t i = 0; i < stand.caches().size(); i += 2) some.push_back(stand.caches()[i]);
  for (const auto& shared : {stand.caches(), some}) {
    LITERT_ASSIGN_OR_RETURN(const ObservedSteps steps, stand.OnNpu(script, {.shared = shared}));
    const std::string difference = FirstDifference(script, apart, steps);
    NPUKIT_CHECK_THAT(
        difference.empty(),
        fmt::format("with {} of {} caches that are input and output in one buffer: {}",
                    shared.size(), stand.caches().size(), difference));
  }
  return JudgeSteps(stand, script, apart, "");
}

CheckAnswer conversations(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LanguageStand stand, LanguageStand::Build(bench));
  const std::vector<Script> scripts = {stand.Usual(0), stand.Usual(1)};
  std::vector<ObservedSteps> alone;
  for (const Script& script : scripts) {
    LITERT_ASSIGN_OR_RETURN(alone.emplace_back(), stand.OnNpu(script, {}));
  }
  LITERT_ASSIGN_OR_RETURN(const std::vector<ObservedSteps> together, stand.InTurn(scripts));
  NPUKIT_CHECK_THAT(together.size() == scripts.size(), "other conversations than were held");
  for (size_t speaker = 0; speaker < scripts.size(); ++speaker) {
    const std::string difference =
        FirstDifference(scripts[speaker], alone[speaker], together[speaker]);
    NPUKIT_CHECK_THAT(difference.empty(), "beside another conversation: " + difference);
  }
  return JudgeSteps(stand, scripts.back(), alone.back(), "");
}

CheckAnswer unused_rows(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LanguageStand stand, LanguageStand::Build(bench));
  CheckReport report;
  for (const int32_t fill : {127, -127}) {
    const std::string what = fill > 0 ? "with the largest numbers in unused rows: "
                                      : "with the smallest numbers in unused rows: ";
    LITERT_ASSIGN_OR_RETURN(CheckReport found, CompareWithCpu(stand, stand.Usual(), what, fill));
    report = Weaker(report, found);
    if (report.answer != CheckReport::Answer::kPass) return report;
  }
  return report;
}

CheckAnswer ends(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LanguageStand stand, LanguageStand::Build(bench));
  Script script;
  for (const auto& [length, key] : stand.signatures()) {
    script.push_back(stand.Step(length, 0));
    script.push_back(stand.Step(length, stand.context() - length));
  }
  return CompareWithCpu(stand, script, "at an end of the context: ");
}

CheckAnswer grows(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LanguageStand stand, LanguageStand::Build(bench));
  return CompareWithCpu(stand, stand.WholeContext(), "in a context that fills: ");
}

CheckAnswer beyond(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LanguageStand stand, LanguageStand::Build(bench));
  return CompareWithCpu(stand, {stand.Step(1, stand.context() - 1), stand.Step(1, stand.context()),
                                stand.Step(1, -1), stand.Step(1, 3)});
}

CheckAnswer chunks(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LanguageStand stand, LanguageStand::Build(bench));
  if (!stand.has_prefill()) return CheckReport::Skip("there is no signature prefill_N");
  const int32_t length = stand.shortest_prefill();
  // Both read the same tokens, and go on with the same one.
  const Script whole = {stand.Step(length, 0), stand.Step(1, length)};
  Script one_by_one;
  for (int32_t i = 0; i < length; ++i)
    one_by_one.push_back({stand.signatures().at(1), {whole[0].tokens[static_cast<size_t>(i)]}, i});
  one_by_one.push_back(whole.back());
  LITERT_ASSIGN_OR_RETURN(CheckReport report, CompareWithCpu(stand, whole, "in one chunk: "));
  if (report.answer != CheckReport::Answer::kPass) return report;
  LITERT_ASSIGN_OR_RETURN(CheckReport single,
                          CompareWithCpu(stand, one_by_one, "token by token: "));
  return Weaker(report, single);
}

CheckAnswer rewind(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const LanguageStand stand, LanguageStand::Build(bench));
  Script script = stand.Usual();
  const int32_t back = script.back().position - 2;
  for (int32_t i = 0; i < 3; ++i) script.push_back(stand.Step(1, back + i, /*speaker=*/5));
  return CompareWithCpu(stand, script, "after going back to an earlier position: ");
}

}  // namespace npukit::conformance::checks::language

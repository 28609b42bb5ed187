// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/verdict/judge.h"

#include <fmt/format.h>
#include <csignal>
#include <optional>
#include <string_view>

#include "conformance/observation/check_report.h"
#include "conformance/verdict/crash_place.h"

namespace npukit::conformance {
namespace {

constexpr size_t kOutputTailBytes = 4096;

std::string Tail(const std::string& text) {
  return text.size() <= kOutputTailBytes ? text
                                         : "..." + text.substr(text.size() - kOutputTailBytes);
}

// A stage is a call, or what comes "after" one.
std::string InStage(const ChildOutcome& outcome) {
  if (outcome.stage.empty()) return "";
  return (outcome.stage.starts_with("after ") ? " " : " in ") + outcome.stage;
}

void Fail(CaseResult& result, Cause cause, std::string detail, std::string group) {
  result.result = Result::kFailed;
  result.cause = cause;
  result.detail = std::move(detail);
  result.group = std::move(group);
}

// What nobody caught ends in abort(), and the C++ library writes what it was.
bool RanOutOfMemory(const ChildOutcome& outcome) {
  return outcome.signal == SIGABRT && outcome.standard_error.find("bad_alloc") != std::string::npos;
}

void JudgeReport(const ResultId& id, const ChildOutcome& outcome, CaseResult& result) {
  const std::optional<CheckReport> report = ParseReport(outcome.report);
  if (!report) {
    Fail(result, Cause::kUnknown, "the worker's report can't be read", "unreadable report");
    return;
  }
  result.numbers = report->numbers;
  result.exercised = report->exercised;
  result.detail = report->detail;
  switch (report->answer) {
    case CheckReport::Answer::kPass:
      result.result = Result::kPassed;
      break;
    case CheckReport::Answer::kSkip:
      result.result = Result::kSkipped;
      break;
    case CheckReport::Answer::kForged:
      Fail(result, Cause::kForged, "what was observed can't be: " + report->detail,
           "forged observations");
      break;
    case CheckReport::Answer::kFail:
      Fail(result, Cause::kCheck, report->detail,
           std::string(id.check->id) + ": " + std::string(id.check->asks));
      break;
  }
  if (outcome.left_processes && result.result == Result::kPassed) {
    Fail(result, Cause::kCheck, "a child process of the plugin outlived the case",
         "left a process behind");
  }
}

void JudgeEnd(const ResultId& id, const ChildOutcome& outcome, CaseResult& result) {
  const std::string where = InStage(outcome);
  std::string place = CrashPlace(outcome.stack);
  if (!place.empty()) place = ", at " + place;
  switch (outcome.end) {
    case ChildOutcome::End::kReported:
      JudgeReport(id, outcome, result);
      break;
    case ChildOutcome::End::kSignalled: {
      const std::string what = SignalName(outcome.signal) + where + place;
      if (RanOutOfMemory(outcome)) {
        Fail(result, Cause::kMemory, "ran out of memory" + where, "out of memory" + where);
      } else {
        Fail(result, Cause::kCrash, "crashed: " + what, what);
      }
      break;
    }
    case ChildOutcome::End::kExited:
      Fail(result, Cause::kExit,
           fmt::format("the process ended with exit code {}{}: the plugin called exit()",
                       outcome.exit_code, where),
           "exit()" + where);
      break;
    case ChildOutcome::End::kForged:
      Fail(result, Cause::kForged,
           fmt::format("the plugin wrote into the kit's own report{}", where),
           "forged report" + where);
      break;
    case ChildOutcome::End::kNotJudged:
      Fail(result, Cause::kUnknown,
           "what was observed could not be judged: the judging process " + outcome.report,
           "not judged");
      break;
    case ChildOutcome::End::kTimedOut:
      Fail(result, Cause::kHang,
           fmt::format("no answer within {:.1f} s{}{}", outcome.seconds, where, place),
           "hang" + where);
      break;
    case ChildOutcome::End::kOutputLimit:
      Fail(result, Cause::kOutput, "wrote more output than the limit" + where,
           "too much output" + where);
      break;
    case ChildOutcome::End::kDeviceLost:
      Fail(result, Cause::kDeviceLost, "device lost" + where, "device lost");
      break;
    case ChildOutcome::End::kCancelled:
      result.result = Result::kNotRun;
      result.detail = "interrupted";
      break;
  }
}

}  // namespace

void MeetExpectation(const Claims* claims, CaseResult& result) {
  const ExpectedFailure* expected =
      claims == nullptr ? nullptr : claims->FindExpectedFailure(result.name);
  if (expected == nullptr) return;
  if (result.result == Result::kFailed) {
    result.result = Result::kExpectedFailure;
    result.detail = "expected (" + expected->reason + "): " + result.detail;
  } else if (result.result == Result::kPassed) {
    Fail(result, Cause::kSurprisePass,
         "passes, but " + expected->at.ToString() + " expects a failure (" + expected->reason + ")",
         "surprise passes");
  }
}

void MeetWaivers(const Waivers* waivers, CaseResult& result) {
  if (waivers == nullptr || result.result != Result::kFailed || result.cause == Cause::kForged)
    return;
  const Waiver* waiver = waivers->Find(result.name);
  if (waiver == nullptr) return;
  result.result = Result::kWaived;
  result.detail =
      fmt::format("waived until {} ({}): {}", waiver->until, waiver->reason, result.detail);
}

CaseResult NotRun(const ResultId& id) {
  CaseResult result;
  result.name = id.name;
  result.suite = id.suite;
  result.check = id.check->id;
  result.klass = id.check->klass;
  result.detail = "not run";
  return result;
}

CaseResult Judge(const ResultId& id, const ChildOutcome& outcome, const Claims* claims) {
  CaseResult result = NotRun(id);
  result.detail.clear();
  result.seconds = outcome.seconds;
  result.peak_memory_bytes = outcome.peak_memory_bytes;
  JudgeEnd(id, outcome, result);
  if (result.result == Result::kFailed) {
    result.stage = outcome.stage;
    result.stack = outcome.stack;
    result.output = Tail(outcome.standard_error);
    if (!outcome.standard_output.empty())
      result.output += "\n[stdout]\n" + Tail(outcome.standard_output);
  }
  MeetExpectation(claims, result);
  return result;
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/verdict/changes.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <optional>

namespace npukit::conformance {
namespace {

// "" if the number is the same, or not on both sides.
std::string NumberChange(const CaseResult& before, const CaseResult& after, std::string_view name) {
  const std::optional<double> was = NumberOf(before, name);
  const std::optional<double> is = NumberOf(after, name);
  if (!was || !is || *was == *is) return {};
  return fmt::format("{} {:.6g} -> {:.6g}", name, *was, *is);
}

std::string Transition(const CaseResult& before, const CaseResult& after) {
  return fmt::format("{} -> {}{}{}", ResultName(before.result), ResultName(after.result),
                     after.detail.empty() ? "" : ": ", after.detail);
}

std::optional<Change> ChangeOf(const CaseResult& before, const CaseResult& after) {
  using Kind = Change::Kind;
  const bool failed_before = before.result == Result::kFailed;
  const bool fails = after.result == Result::kFailed;
  if (fails && !failed_before)
    return Change{Kind::kNewFailure, after.name, Transition(before, after)};
  if (failed_before && after.result == Result::kPassed)
    return Change{Kind::kFixed, after.name, Transition(before, after)};
  if (fails && before.group != after.group)
    return Change{Kind::kOtherFailure, after.name, before.group + " -> " + after.group};
  if (before.result != after.result)
    return Change{Kind::kOtherResult, after.name, Transition(before, after)};
  for (const char* number : {"cycles", "worst_bound_use", "worst_difference"}) {
    if (std::string text = NumberChange(before, after, number); !text.empty())
      return Change{Kind::kNumber, after.name, std::move(text)};
  }
  return std::nullopt;
}

}  // namespace

std::string_view ChangeName(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::kNewFailure:
      return "new failure";
    case Change::Kind::kFixed:
      return "fixed";
    case Change::Kind::kOtherFailure:
      return "fails otherwise";
    case Change::Kind::kOtherResult:
      return "other result";
    case Change::Kind::kNumber:
      return "other number";
    case Change::Kind::kAdded:
      return "added";
    case Change::Kind::kGone:
      return "gone";
  }
  return "?";
}

std::vector<Change> Compare(const std::vector<CaseResult>& before,
                            const std::vector<CaseResult>& after) {
  std::map<std::string_view, const CaseResult*> old;
  for (const CaseResult& result : before) {
    if (result.result != Result::kNotRun) old[result.name] = &result;
  }
  std::vector<Change> changes;
  for (const CaseResult& result : after) {
    const auto found = old.find(result.name);
    if (found == old.end()) {
      if (result.result == Result::kNotRun) continue;
      // A new result that fails is news of the first kind.
      const bool fails = result.result == Result::kFailed;
      changes.push_back({fails ? Change::Kind::kNewFailure : Change::Kind::kAdded, result.name,
                         std::string(ResultName(result.result)) +
                             (result.detail.empty() ? "" : ": " + result.detail)});
      continue;
    }
    if (result.result != Result::kNotRun) {
      if (auto change = ChangeOf(*found->second, result)) changes.push_back(std::move(*change));
    }
    old.erase(found);
  }
  for (const CaseResult& result : before) {
    if (old.contains(result.name))
      changes.push_back(
          {Change::Kind::kGone, result.name, "was " + std::string(ResultName(result.result))});
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.kind < b.kind; });
  return changes;
}

}  // namespace npukit::conformance

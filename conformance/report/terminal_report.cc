// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/report/terminal_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "conformance/report/failure_groups.h"
#include "sdk/tools/command_line/text_table.h"

namespace npukit::conformance {
namespace {

constexpr size_t kCasesPerGroup = 5;
constexpr int kStackLines = 8;

std::string Indented(const std::string& text, const std::string& indent, int max_lines) {
  std::istringstream lines(text);
  std::string line;
  std::string result;
  for (int count = 0; std::getline(lines, line); ++count) {
    if (count == max_lines) return result + indent + "...\n";
    result += indent + line + "\n";
  }
  return result;
}

// The small form of one of the group's failures, if one was made.
std::string ShrunkText(const FailureGroup& group, const RunInfo& info) {
  for (const CaseResult* result : group.results) {
    const auto found = info.reproductions.find(result->name);
    if (found != info.reproductions.end())
      return fmt::format("    the smallest form found: {}\n", found->second);
  }
  return {};
}

std::string GroupText(const FailureGroup& group, const RunInfo& info) {
  std::string text = fmt::format("\n{} x  {}\n", group.results.size(), group.title);
  for (size_t i = 0; i < std::min(group.results.size(), kCasesPerGroup); ++i) {
    const CaseResult& result = *group.results[i];
    text += "    " + result.name + "\n" + Indented(result.detail, "        ", 4);
  }
  if (group.results.size() > kCasesPerGroup) {
    text += fmt::format("    ... and {} more\n", group.results.size() - kCasesPerGroup);
  }
  const CaseResult& first = *group.results.front();
  if (!first.stack.empty()) text += "    stack:\n" + Indented(first.stack, "        ", kStackLines);
  return text + fmt::format("    to see it again: {}\n", CommandFor(info, first)) +
         ShrunkText(group, info);
}

std::string ClassTable(const std::vector<CaseResult>& results) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<CaseResult>> by_class;
  for (const CaseResult& result : results) {
    if (by_class.find(result.klass) == by_class.end()) order.push_back(result.klass);
    by_class[result.klass].push_back(result);
  }
  tools::TextTable table("<>>>>");
  table.Add({"class", "passed", "failed", "skipped", "expected failures"});
  for (const std::string& name : order) {
    const Summary summary = Summarize(by_class[name]);
    const auto number = [](size_t count) { return fmt::format("{}", count); };
    table.Add({name, number(summary.passed), number(summary.failed), number(summary.skipped),
               number(summary.expected_failures)});
  }
  return "\n" + table.Text();
}

std::string ProfileText(const std::vector<ProfileVerdict>& profiles) {
  tools::TextTable table("<<<");
  for (const ProfileVerdict& profile : profiles) {
    std::string state = fmt::format("{}", ProfileStateName(profile.state));
    if (!profile.reasons.empty()) {
      const std::string& reason = profile.reasons.front();
      state += ": " + reason.substr(0, reason.find('\n'));
      if (profile.reasons.size() > 1)
        state += fmt::format(" (and {} more)", profile.reasons.size() - 1);
    }
    table.Add({profile.title(), profile.digest, std::move(state)});
  }
  return table.empty() ? "" : "\nprofile\n" + table.Text();
}

std::string ChangeText(const RunInfo& info) {
  if (info.compared_with.empty()) return {};
  std::string text = fmt::format("\ncompared with {}: ", info.compared_with);
  if (info.changes.empty()) return text + "nothing changed\n";
  std::map<Change::Kind, size_t> counts;
  for (const Change& change : info.changes) ++counts[change.kind];
  std::string list;
  for (const auto& [kind, count] : counts) {
    text += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, ChangeName(kind));
    size_t shown = 0;
    for (const Change& change : info.changes) {
      if (change.kind != kind || shown++ >= kCasesPerGroup) continue;
      list += fmt::format("    {:<16}{}\n", ChangeName(kind), change.name) +
              Indented(change.detail, "        ", 2);
    }
    if (count > kCasesPerGroup)
      list += fmt::format("    ... and {} more\n", count - kCasesPerGroup);
  }
  return text + "\n" + list;
}

}  // namespace

std::string TerminalReport(const RunInfo& info, const std::vector<CaseResult>& results) {
  std::string text;
  for (const FailureGroup& group : GroupFailures(results)) text += GroupText(group, info);
  text += ClassTable(results) + ProfileText(info.profiles) + ChangeText(info);
  const Summary summary = Summarize(results);
  text += fmt::format("\n{}: {} ({} passed, {} failed, {} skipped, {} expected failures",
                      info.manufacturer, Verdict(summary), summary.passed, summary.failed,
                      summary.skipped, summary.expected_failures);
  if (summary.waived > 0) text += fmt::format(", {} waived", summary.waived);
  if (summary.rounded_once > 0)
    text += fmt::format(", {} with results that are rounded once", summary.rounded_once);
  if (summary.not_run > 0) text += fmt::format(", {} not run", summary.not_run);
  text += fmt::format("; {:.1f} s)\n", info.seconds);
  if (!info.specs.empty())
    text += fmt::format("with compile specs: {}\n", fmt::join(info.specs, ", "));
  for (const std::string& gap : info.isolation_gaps) text += fmt::format("not isolated: {}\n", gap);
  const std::string to = ConformantTo(info.profiles);
  return to.empty() ? text : text + fmt::format("{}: {}\n", info.manufacturer, to);
}

}  // namespace npukit::conformance

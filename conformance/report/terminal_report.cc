// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/report/terminal_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "conformance/report/failure_groups.h"

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
  return text + fmt::format("    to see it again: {}\n", CommandFor(info, first));
}

std::string ClassTable(const std::vector<CaseResult>& results) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<CaseResult>> by_class;
  for (const CaseResult& result : results) {
    if (by_class.find(result.klass) == by_class.end()) order.push_back(result.klass);
    by_class[result.klass].push_back(result);
  }
  std::string text = fmt::format("\n{:<14}{:>8}{:>8}{:>9}{:>19}\n", "class", "passed", "failed",
                                 "skipped", "expected failures");
  for (const std::string& name : order) {
    const Summary summary = Summarize(by_class[name]);
    text += fmt::format("{:<14}{:>8}{:>8}{:>9}{:>19}\n", name, summary.passed, summary.failed,
                        summary.skipped, summary.expected_failures);
  }
  return text;
}

}  // namespace

std::string TerminalReport(const RunInfo& info, const std::vector<CaseResult>& results) {
  std::string text;
  for (const FailureGroup& group : GroupFailures(results)) text += GroupText(group, info);
  text += ClassTable(results);
  const Summary summary = Summarize(results);
  text += fmt::format("\n{}: {} ({} passed, {} failed, {} skipped, {} expected failures",
                      info.manufacturer, Verdict(summary), summary.passed, summary.failed,
                      summary.skipped, summary.expected_failures);
  if (summary.not_run > 0) text += fmt::format(", {} not run", summary.not_run);
  return text + fmt::format("; {:.1f} s)\n", info.seconds);
}

}  // namespace npukit::conformance

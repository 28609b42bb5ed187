// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/report/junit_report.h"
#include "sdk/markup/markup_text.h"

#include <fmt/format.h>

#include <map>

namespace npukit::conformance {
namespace {

std::string CaseXml(const CaseResult& result) {
  std::string xml = fmt::format(R"(    <testcase classname="{}" name="{}" time="{:.4f}")",
                                MarkupText(result.suite + "." + result.klass),
                                MarkupText(result.name), result.seconds);
  switch (result.result) {
    case Result::kPassed:
      return xml + "/>\n";
    case Result::kFailed: {
      const char* tag = result.cause == Cause::kCheck || result.cause == Cause::kSurprisePass
                            ? "failure"
                            : "error";
      std::string body = result.detail;
      if (!result.stack.empty()) body += "\n\n" + result.stack;
      if (!result.output.empty()) body += "\n\n" + result.output;
      return xml +
             fmt::format(">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n",
                         tag, CauseName(result.cause), MarkupText(result.detail), MarkupText(body));
    }
    default:
      return xml + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
                               MarkupText(result.detail));
  }
}

struct SuiteXml {
  std::string cases;
  size_t tests = 0;
  size_t failures = 0;
  size_t errors = 0;
  size_t skipped = 0;
  double seconds = 0;
};

}  // namespace

std::string JunitReport(const RunInfo& info, const std::vector<CaseResult>& results) {
  std::map<std::string, SuiteXml> suites;
  for (const CaseResult& result : results) {
    SuiteXml& suite = suites[result.suite];
    suite.cases += CaseXml(result);
    ++suite.tests;
    suite.seconds += result.seconds;
    const bool failed = result.result == Result::kFailed;
    const bool by_check = result.cause == Cause::kCheck || result.cause == Cause::kSurprisePass;
    if (failed && by_check) ++suite.failures;
    if (failed && !by_check) ++suite.errors;
    if (!failed && result.result != Result::kPassed) ++suite.skipped;
  }
  const Summary summary = Summarize(results);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format(
      "<testsuites name=\"npukit conform {}\" tests=\"{}\" failures=\"{}\" time=\"{:.4f}\">\n",
      MarkupText(info.manufacturer), summary.total(), summary.failed, info.seconds);
  for (const auto& [name, suite] : suites) {
    xml += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
        "time=\"{:.4f}\">\n{}"
        "  </testsuite>\n",
        MarkupText(name), suite.tests, suite.failures, suite.errors, suite.skipped, suite.seconds,
        suite.cases);
  }
  return xml + "</testsuites>\n";
}

}  // namespace npukit::conformance

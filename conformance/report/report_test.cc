// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conformance/report/failure_groups.h"
#include "conformance/report/html_report.h"
#include "conformance/report/json_report.h"
#include "conformance/report/junit_report.h"
#include "conformance/report/terminal_report.h"

namespace npukit::conformance {
namespace {

using Json = nlohmann::json;

using ::testing::HasSubstr;

RunInfo Info() {
  RunInfo info;
  info.kit_version = "0.1.0";
  info.manufacturer = "Contoso";
  info.plugin = "lib/libLiteRtCompilerPlugin_Contoso.so";
  info.suites = {"smoke"};
  info.seconds = 1.25;
  info.command = "npukit conform --plugin-dir lib --suite smoke";
  return info;
}

std::vector<CaseResult> Results() {
  CaseResult passed;
  passed.name = "smoke/add/numerics.oracle";
  passed.suite = "smoke";
  passed.check = "numerics.oracle";
  passed.klass = "numerics";
  passed.result = Result::kPassed;
  passed.seconds = 0.25;
  passed.numbers = {{"worst_bound_use", 0.5}};
  passed.exercised = {"ADD float32"};
  CaseResult crashed = passed;
  crashed.name = "smoke/mul/compile.calls";
  crashed.check = "compile.calls";
  crashed.klass = "compile";
  crashed.result = Result::kFailed;
  crashed.cause = Cause::kCrash;
  crashed.detail = "crashed: SIGSEGV in <Compile>";
  crashed.group = "SIGSEGV in <Compile>";
  crashed.stack = "frame & one\nframe two\n";
  crashed.numbers.clear();
  crashed.exercised.clear();
  CaseResult skipped = crashed;
  skipped.name = "smoke/sub/compile.calls";
  skipped.result = Result::kSkipped;
  skipped.cause = Cause::kNone;
  skipped.detail = "SUB is not claimed";
  skipped.group.clear();
  skipped.stack.clear();
  return {passed, crashed, skipped};
}

TEST(JsonReport, HasTheFieldsThatScriptsReadOn) {
  const Json json = Json::parse(JsonReport(Info(), Results()));
  EXPECT_EQ(json["verdict"], "not conformant");
  EXPECT_EQ(json["summary"]["passed"], 1);
  EXPECT_EQ(json["summary"]["failed"], 1);
  EXPECT_EQ(json["summary"]["skipped"], 1);
  EXPECT_EQ(json["summary"]["expected_failures"], 0);
  ASSERT_EQ(json["cases"].size(), 3u);
  EXPECT_EQ(json["cases"][1]["name"], "smoke/mul/compile.calls");
  EXPECT_EQ(json["cases"][1]["class"], "compile");
  EXPECT_EQ(json["cases"][1]["result"], "failed");
  EXPECT_EQ(json["cases"][1]["detail"], "crashed: SIGSEGV in <Compile>");
  EXPECT_EQ(json["cases"][1]["cause"], "crash");
  EXPECT_EQ(json["cases"][0]["numbers"]["worst_bound_use"], 0.5);
  EXPECT_FALSE(json["cases"][0].contains("cause"));
}

TEST(JsonReport, BytesThatAreNoUtf8AreReplaced) {
  std::vector<CaseResult> results = Results();
  results[1].output = "\xff\xfe";
  EXPECT_TRUE(Json::accept(JsonReport(Info(), results)));
}

TEST(JunitReport, Golden) {
  EXPECT_EQ(JunitReport(Info(), Results()),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="npukit conform Contoso" tests="3" failures="1" time="1.2500">
  <testsuite name="smoke" tests="3" failures="0" errors="1" skipped="1" time="0.7500">
    <testcase classname="smoke.numerics" name="smoke/add/numerics.oracle" time="0.2500"/>
    <testcase classname="smoke.compile" name="smoke/mul/compile.calls" time="0.2500">
      <error type="crash" message="crashed: SIGSEGV in &lt;Compile&gt;">crashed: SIGSEGV in &lt;Compile&gt;&#10;&#10;frame &amp; one&#10;frame two&#10;</error>
    </testcase>
    <testcase classname="smoke.compile" name="smoke/sub/compile.calls" time="0.2500">
      <skipped message="SUB is not claimed"/>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(JsonReport, ReadsBackWhatNumbersThereAre) {
  Json json = Json::parse(JsonReport(Info(), Results()));
  json["profile"] = "soft";
  for (const double memory : {-1.0, 1e300, 1e17}) {
    json["cases"][0]["peak_memory_bytes"] = memory;
    const auto read = ReadJsonReport(json.dump(), "r.json");
    ASSERT_TRUE(read) << memory;
    EXPECT_EQ(read->results[0].peak_memory_bytes, 0u) << memory;
    EXPECT_EQ(read->info.profile, "soft");
  }
}

TEST(JsonReport, ReadsBackEveryCause) {
  std::vector<CaseResult> results = Results();
  for (int i = 0; i <= static_cast<int>(Cause::kUnknown); ++i) {
    results[1].cause = static_cast<Cause>(i);
    const auto read = ReadJsonReport(JsonReport(Info(), results), "r.json");
    ASSERT_TRUE(read) << read.Error();
    EXPECT_EQ(read->results[0].cause, Cause::kNone);
    EXPECT_EQ(read->results[1].cause, results[1].cause) << CauseName(results[1].cause);
  }
  // A kit of another version has others.
  Json json = Json::parse(JsonReport(Info(), results));
  json["cases"][1]["cause"] = "from the future";
  const auto read = ReadJsonReport(json.dump(), "r.json");
  ASSERT_TRUE(read) << read.Error();
  EXPECT_EQ(read->results[1].cause, Cause::kUnknown);
}

TEST(FailureKind, LeavesOutNumbersAndNames) {
  const auto kind = [](const std::string& detail) {
    CaseResult result;
    result.detail = detail;
    return FailureKind(result);
  };
  const char* const alike[][2] = {
      {"elem 3 of output 'y' is 1e-5", "elem 41 of output 'z' is -2.5e+20"},
      {"the caller's input 0 is 'a' there", "the caller's input 1 is 'b' there"},
      {"random: nan", "special: inf"},
  };
  for (const auto& [one, other] : alike) EXPECT_EQ(kind(one), kind(other)) << one;
  const char* const unlike[][2] = {
      {"the handle is taken", "the name is taken"},
      {"it doesn't run", "it doesn't end"},
      {"wrote past the end", "wrote before the start"},
  };
  for (const auto& [one, other] : unlike) EXPECT_NE(kind(one), kind(other)) << one;
}

TEST(CommandFor, GivesTheResultAgain) {
  CaseResult result;
  result.check = "compile.calls";
  result.name = "smoke/a+b_1.5/compile.calls";
  EXPECT_EQ(CommandFor(Info(), result),
            Info().command + R"( --filter '^smoke/a\+b_1\.5/compile\.calls$')");
  // It follows from others.
  result.check = "claims.covered";
  result.name = "claims/ADD int8";
  EXPECT_EQ(CommandFor(Info(), result), Info().command);
}

TEST(HtmlReport, HoldsVerdictFailuresCoverageAndErrors) {
  std::vector<CaseResult> results = Results();
  results[1].detail = "<script>alert(1)</script>";
  const std::string html = HtmlReport(Info(), results);
  EXPECT_THAT(html, HasSubstr("<title>Contoso: not conformant</title>"));
  EXPECT_THAT(html, HasSubstr("<tr><th>ADD<td class=passed>1</tr>"));
  EXPECT_THAT(html, HasSubstr("<td>0.500<td>"));
  EXPECT_THAT(html, HasSubstr("--filter &#39;^smoke/mul/compile\\.calls$&#39;"));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(html, ::testing::Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, ::testing::Not(HasSubstr("http")));
}

TEST(HtmlReport, ListsFailuresFirst) {
  const std::string html = HtmlReport(Info(), Results());
  const size_t list = html.find("<table id=results>");
  ASSERT_NE(list, std::string::npos);
  const size_t failed = html.find("smoke/mul/compile.calls", list);
  const size_t skipped = html.find("smoke/sub/compile.calls", list);
  EXPECT_LT(failed, skipped);
  EXPECT_LT(skipped, html.find("smoke/add/numerics.oracle", list));
  EXPECT_LT(html.find("<h2>Failures</h2>"), html.find("<h2>Coverage</h2>"));
}

// However many combinations of types are claimed, a column is a type.
TEST(HtmlReport, GroupsTypesByTheFirstInput) {
  std::vector<CaseResult> results = Results();
  results[0].exercised = {"CONV_2D int16", "CONV_2D int16 x int8 + int64", "CAST int16->float32"};
  const std::string html = HtmlReport(Info(), results);
  EXPECT_THAT(html, HasSubstr("<tr><th><th>int16</tr>"));
  EXPECT_THAT(html, HasSubstr("<tr><th>CONV_2D<td><div class=passed>1</div>"
                              "<div class=passed> x int8 + int64: 1</div></tr>"));
  EXPECT_THAT(html, HasSubstr("<tr><th>CAST<td><div class=passed>-&gt;float32: 1</div></tr>"));
}

// A claim without a case is a fault of a whole run only, which judges the claims too.
TEST(HtmlReport, TellsClaimsWithoutACaseFromThoseNotAskedFor) {
  RunInfo info = Info();
  info.claim_summary.ops = {{"ADD int8", "a.yaml:3:5"}, {"SUB int8", "a.yaml:4:5"}};
  std::vector<CaseResult> results = Results();
  results[0].exercised = {"ADD int8"};
  EXPECT_THAT(HtmlReport(info, results), HasSubstr("<tr><th>SUB<td class=not_run>not asked</tr>"));
  CaseResult uncovered;
  uncovered.check = "claims.covered";
  uncovered.name = "claims/SUB int8";
  uncovered.result = Result::kFailed;
  uncovered.detail = "a.yaml:4:5: SUB int8 is claimed, but no case of the suites lies within it";
  results.push_back(uncovered);
  EXPECT_THAT(HtmlReport(info, results),
              HasSubstr("<tr><th>SUB<td class=failed>claimed, no case</tr>"));
}

TEST(TerminalReport, Golden) {
  EXPECT_EQ(TerminalReport(Info(), Results()), R"(
1 x  SIGSEGV in <Compile>
    smoke/mul/compile.calls
        crashed: SIGSEGV in <Compile>
    stack:
        frame & one
        frame two
    to see it again: npukit conform --plugin-dir lib --suite smoke --filter '^smoke/mul/compile\.calls$'

class     passed  failed  skipped  expected failures
numerics       1       0        0                  0
compile        0       1        1                  0

Contoso: not conformant (1 passed, 1 failed, 1 skipped, 0 expected failures; 1.2 s)
)");
}

TEST(TerminalReport, LargestGroupFirst) {
  std::vector<CaseResult> results = Results();
  CaseResult wrong = results[1];
  wrong.group = "numerics.oracle: values";
  wrong.name = "smoke/a/numerics.oracle";
  for (int i = 0; i < 7; ++i) results.push_back(wrong);
  const std::string text = TerminalReport(Info(), results);
  EXPECT_LT(text.find("7 x  numerics.oracle"), text.find("1 x  SIGSEGV"));
  EXPECT_THAT(text, HasSubstr("... and 2 more"));
}

}  // namespace
}  // namespace npukit::conformance

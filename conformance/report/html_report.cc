// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/report/html_report.h"

#include <fmt/format.h>

#include "conformance/report/failure_groups.h"
#include "conformance/report/html_charts.h"
#include "sdk/markup/markup_text.h"

namespace npukit::conformance {
namespace {

constexpr char kStyle[] = R"(
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --dim: #6e7781; --line: #8884; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } #coverage { overflow-wrap: normal; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .6rem; border: 1px solid var(--line); text-align: left; }
code, pre { font: 13px/1.4 ui-monospace, monospace; } pre { overflow-x: auto; background: #8881; padding: .5rem; }
.verdict { font-weight: 700; } .passed { color: var(--good); } .failed { color: var(--bad); }
.skipped, .not_run, .dim { color: var(--dim); } .bar { background: #0969da; height: .7rem; min-width: 1px; }
.over { background: var(--bad); } .track { width: 16rem; background: #8882; } details { margin: .4rem 0; }
svg { max-width: 100%; font: 12px system-ui, sans-serif; } svg text { fill: currentColor; }
.grid { stroke: var(--line); } .limit { stroke: var(--bad); } .within { fill: #0969da88; } circle.over { fill: var(--bad); }
summary { cursor: pointer; } input { font: inherit; padding: .2rem .4rem; width: 24rem; max-width: 100%; }
)";

// Filters the list of results; without it everything is shown.
constexpr char kScript[] = R"(
const box = document.getElementById('filter');
const rows = [...document.querySelectorAll('#results tbody tr')];
box.addEventListener('input', () => {
  const words = box.value.toLowerCase().split(/\s+/);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
  }
});
)";

std::string SummaryTable(const RunInfo& info, const Summary& summary) {
  std::string html =
      "<table><tr><th>passed<th>failed<th>skipped<th>expected failures<th>waived<th>not "
      "run<th>seconds</tr>";
  html += fmt::format("<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{:.1f}</tr></table>\n",
                      summary.passed, summary.failed, summary.skipped, summary.expected_failures,
                      summary.waived, summary.not_run, info.seconds);
  if (summary.rounded_once > 0) {
    html += fmt::format(
        "<p>{} of those that passed have elements that are rounded once, as claimed, where TFLite "
        "rounds twice.</p>\n",
        summary.rounded_once);
  }
  html += fmt::format(
      "<p class=dim>plugin <code>{}</code><br>dispatch <code>{}</code><br>claims "
      "<code>{}</code></p>\n",
      MarkupText(info.plugin), MarkupText(info.dispatch), MarkupText(info.claims));
  if (!info.specs.empty()) {
    html += fmt::format("<p>With compile specs: <code>{}</code></p>\n",
                        MarkupText(fmt::format("{}", fmt::join(info.specs, ", "))));
  }
  return html;
}

std::string FailureSection(const RunInfo& info, const std::vector<CaseResult>& results) {
  const std::vector<FailureGroup> groups = GroupFailures(results);
  if (groups.empty()) return {};
  std::string html = "<h2>Failures</h2>\n";
  for (const FailureGroup& group : groups) {
    html += fmt::format("<details open><summary><b>{} &times;</b> {}</summary>\n",
                        group.results.size(), MarkupText(group.title));
    for (const CaseResult* result : group.results) {
      html += fmt::format("<details><summary><code>{}</code> {}</summary><pre>{}</pre>",
                          MarkupText(result->name), MarkupText(result->detail),
                          MarkupText(CommandFor(info, *result)));
      if (const auto small = info.reproductions.find(result->name);
          small != info.reproductions.end()) {
        html += fmt::format("<p>The smallest form found:</p><pre class=reproduction>{}</pre>",
                            MarkupText(small->second));
      }
      if (!result->stack.empty()) html += fmt::format("<pre>{}</pre>", MarkupText(result->stack));
      if (!result->output.empty()) html += fmt::format("<pre>{}</pre>", MarkupText(result->output));
      html += "</details>\n";
    }
    html += "</details>\n";
  }
  return html;
}

std::string ProfileSection(const std::vector<ProfileVerdict>& profiles) {
  if (profiles.empty()) return {};
  std::string html = "<h2>Profiles</h2>\n<table id=profiles>";
  for (const ProfileVerdict& profile : profiles) {
    const bool conformant = profile.state == ProfileVerdict::State::kConformant;
    html += fmt::format("<tr><th>{}<td><code>{}</code><td class=\"{}\">{}<td>{} of {} passed<td>",
                        MarkupText(profile.title()), MarkupText(profile.digest),
                        conformant ? "passed" : "failed", ProfileStateName(profile.state),
                        profile.passed, profile.asked);
    for (const std::string& reason : profile.reasons) html += MarkupText(reason) + "<br>";
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

std::string ChangeSection(const RunInfo& info) {
  if (info.compared_with.empty()) return {};
  std::string html = fmt::format(
      "<h2>Changes</h2>\n<p>Since <code>{}</code>: {}.</p>\n", MarkupText(info.compared_with),
      info.changes.empty() ? "none" : fmt::format("{}", info.changes.size()));
  if (info.changes.empty()) return html;
  html += "<table id=changes>";
  for (const Change& change : info.changes) {
    html += fmt::format("<tr><td>{}<td><code>{}</code><td>{}</tr>\n", ChangeName(change.kind),
                        MarkupText(change.name), MarkupText(change.detail));
  }
  return html + "</table>\n";
}

// Failures first; otherwise in the order of the run.
std::vector<const CaseResult*> ByUrgency(const std::vector<CaseResult>& results) {
  constexpr Result kOrder[] = {Result::kFailed, Result::kNotRun, Result::kExpectedFailure,
                               Result::kSkipped, Result::kPassed};
  std::vector<const CaseResult*> sorted;
  for (const Result wanted : kOrder) {
    for (const CaseResult& result : results) {
      if (result.result == wanted) sorted.push_back(&result);
    }
  }
  return sorted;
}

std::string ResultSection(const std::vector<CaseResult>& results) {
  std::string html =
      "<h2>All results</h2>\n<p><input id=filter placeholder=\"filter\" "
      "aria-label=\"filter\"></p>\n"
      "<div class=scroll><table "
      "id=results><thead><tr><th>result<th>name<th>detail<th>ms</tr></thead><tbody>\n";
  for (const CaseResult* result : ByUrgency(results)) {
    html += fmt::format("<tr><td class={0}>{0}<td><code>{1}</code><td>{2}<td>{3:.0f}</tr>\n",
                        ResultName(result->result), MarkupText(result->name),
                        MarkupText(result->detail), result->seconds * 1000);
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

std::string HtmlReport(const RunInfo& info, const std::vector<CaseResult>& results) {
  const Summary summary = Summarize(results);
  const std::string_view verdict = Verdict(summary);
  std::string html = "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n";
  html += "<meta name=viewport content=\"width=device-width\">\n";
  html += fmt::format("<title>{}: {}</title>\n<style>{}</style></head><body>\n",
                      MarkupText(info.manufacturer), verdict, kStyle);
  html += fmt::format("<h1>{}: <span class=\"verdict {}\">{}</span></h1>\n",
                      MarkupText(info.manufacturer), verdict == "conformant" ? "passed" : "failed",
                      verdict);
  html += SummaryTable(info, summary) + FailureSection(info, results) +
          ProfileSection(info.profiles) + ChangeSection(info) + CoverageSection(info, results) +
          ErrorSection(results) + CycleSection(results) + ResultSection(results);
  // The last thing that the script does: tests see by it that the page works.
  return html + fmt::format(
                    "<script>{}document.body.dataset.fits ="
                    " document.documentElement.scrollWidth <= innerWidth;\n"
                    "document.body.dataset.ready = rows.length;</script>\n"
                    "</body></html>\n",
                    kScript);
}

}  // namespace npukit::conformance

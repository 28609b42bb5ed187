// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/report/html_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "conformance/report/html_report.h"
#include "conformance/verdict/claim_coverage.h"
#include "sdk/markup/markup_text.h"

namespace npukit::conformance {
namespace {

constexpr size_t kWorstErrors = 25;

struct Cell {
  size_t passed = 0;
  size_t failed = 0;
  bool is_judged = false;  // the run was whole, and so had to have a case
};

using Matrix = std::map<std::string, std::map<std::string, Cell>>;

// "ADD float32" to the cell of row ADD and column float32; null if it is no claim.
Cell* CellOf(Matrix& matrix, const std::string& claim) {
  const size_t space = claim.find(' ');
  if (space == std::string::npos) return nullptr;
  return &matrix[claim.substr(0, space)][claim.substr(space + 1)];
}

// The type of the first input, by which columns are grouped: "int16" of "int16 x int8 + int64".
std::string FirstType(const std::string& type) { return type.substr(0, type.find_first_of(" -")); }

const char* CellClass(const Cell& cell) {
  if (cell.failed > 0) return "failed";
  if (cell.passed > 0) return "passed";
  return cell.is_judged ? "failed" : "not_run";
}

std::string CellText(const Cell& cell) {
  if (cell.passed + cell.failed == 0) return cell.is_judged ? "claimed, no case" : "not asked";
  if (cell.failed == 0) return fmt::format("{}", cell.passed);
  return fmt::format("{} of {} failed", cell.failed, cell.failed + cell.passed);
}

// All claims of an operator with the same first type.
std::string GroupHtml(const std::vector<std::pair<std::string, Cell>>& group,
                      const std::string& column) {
  if (group.empty()) return "<td>";
  if (group.size() == 1 && group[0].first == column)
    return fmt::format("<td class={}>{}", CellClass(group[0].second), CellText(group[0].second));
  std::string html = "<td>";
  for (const auto& [type, cell] : group) {
    std::string_view rest = type;
    rest.remove_prefix(column.size());
    html += fmt::format("<div class={}>{}{}</div>", CellClass(cell),
                        rest.empty() ? "" : MarkupText(rest) + ": ", CellText(cell));
  }
  return html;
}

// The results of one claim, by their part of the bound.
using Dots = std::map<std::string, std::vector<std::pair<double, const CaseResult*>>>;

// Strip plot: a row for each claim, a dot for each result; 1 is the bound.
std::string StripPlot(const Dots& dots) {
  constexpr double kLeft = 230;
  constexpr double kWidth = 640;
  constexpr double kRow = 22;
  constexpr double kMost = 1.25;  // dots beyond stand at the edge
  const double height = kRow * (static_cast<double>(dots.size()) + 1);
  std::string svg = fmt::format(
      "<svg id=errorplot role=img aria-label=\"worst errors\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "width=\"{:.0f}\">\n",
      kLeft + kWidth + 20, height + 10, kLeft + kWidth + 20);
  for (const double mark : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double x = kLeft + kWidth * mark / kMost;
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1:.1f}\" class=\"{2}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
        x, height - kRow, mark == 1 ? "limit" : "grid", height - 4, mark);
  }
  double y = kRow / 2;
  for (const auto& [claim, results] : dots) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 8,
                       y + 4, MarkupText(claim));
    for (const auto& [use, result] : results) {
      svg += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" class=\"{}\"><title>{}: {:.3f}</title>"
          "</circle>\n",
          kLeft + kWidth * std::min(use, kMost) / kMost, y, use > 1 ? "over" : "within",
          MarkupText(result->name), use);
    }
    y += kRow;
  }
  return svg + "</svg>\n";
}

std::string WorstTable(std::vector<std::pair<double, const CaseResult*>> worst) {
  std::stable_sort(worst.begin(), worst.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (worst.size() > kWorstErrors) worst.resize(kWorstErrors);
  std::string html =
      "<div class=scroll><table id=errors><tr><th>result<th>of the bound<th><th>where</tr>\n";
  for (const auto& [use, result] : worst) {
    html += fmt::format(
        "<tr><td><code>{}</code><td>{:.3f}<td><div class=track><div class=\"bar{}\" "
        "style=\"width:{:.1f}%\"></div></div><td>{}</tr>\n",
        MarkupText(result->name), use, use > 1 ? " over" : "", 100 * std::min(use, 1.0),
        MarkupText(result->detail));
  }
  return html + "</table></div>\n";
}

// Without the values of options.
std::vector<std::string> ExercisedClaims(const CaseResult& result) {
  std::vector<std::string> claims = result.exercised;
  std::erase_if(claims, IsOptionValueText);
  return claims;
}

bool IsClaimed(const RunInfo& info, std::string_view claim) {
  const auto& ops = info.claim_summary.ops;
  return std::any_of(ops.begin(), ops.end(),
                     [&](const ClaimSummary::Entry& op) { return op.text == claim; });
}

}  // namespace

std::string CoverageSection(const RunInfo& info, const std::vector<CaseResult>& results) {
  Matrix matrix;
  for (const ClaimSummary::Entry& claim : info.claim_summary.ops) CellOf(matrix, claim.text);
  for (const CaseResult& result : results) {
    if (result.check == kCoverageCheck) {
      const auto claim = std::string_view(result.name).substr(kCoveragePrefix.size());
      if (IsClaimed(info, claim)) CellOf(matrix, std::string(claim))->is_judged = true;
    }
    for (const std::string& claim : ExercisedClaims(result)) {
      if (Cell* cell = CellOf(matrix, claim); cell != nullptr)
        ++(result.result == Result::kPassed ? cell->passed : cell->failed);
    }
  }
  if (matrix.empty()) return {};
  std::set<std::string> columns;
  for (const auto& [op, row] : matrix) {
    for (const auto& [type, cell] : row) columns.insert(FirstType(type));
  }
  std::string html =
      "<h2>Coverage</h2>\n<p>Results that computed an op of the claim, by the type of its first "
      "input. What this run did not ask for is grey.</p>\n<div class=scroll><table "
      "id=coverage><tr><th>";
  for (const std::string& column : columns) html += "<th>" + MarkupText(column);
  html += "</tr>\n";
  for (const auto& [op, row] : matrix) {
    html += "<tr><th>" + MarkupText(op);
    for (const std::string& column : columns) {
      std::vector<std::pair<std::string, Cell>> group;
      for (const auto& [type, cell] : row) {
        if (FirstType(type) == column) group.emplace_back(type, cell);
      }
      html += GroupHtml(group, column);
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string ErrorSection(const std::vector<CaseResult>& results) {
  Dots dots;
  std::vector<std::pair<double, const CaseResult*>> all;
  for (const CaseResult& result : results) {
    const std::optional<double> use = NumberOf(result, "worst_bound_use");
    if (!use || *use <= 0) continue;
    all.emplace_back(*use, &result);
    // A result of several claims says nothing of each.
    const std::vector<std::string> claims = ExercisedClaims(result);
    dots[claims.size() == 1 ? claims.front() : "several"].push_back({*use, &result});
  }
  if (all.empty()) return {};
  return "<h2>Worst errors</h2>\n<p>Each dot is a result: its largest difference from the oracle "
         "as "
         "a part of what is allowed, where 1 is the limit. Integers have no dots: they are exact "
         "or "
         "they fail.</p>\n" +
         StripPlot(dots) + WorstTable(std::move(all));
}

std::string CycleSection(const std::vector<CaseResult>& results) {
  std::map<std::string, std::pair<double, std::optional<double>>> rows;
  double most = 0;
  for (const CaseResult& result : results) {
    const std::optional<double> cycles = NumberOf(result, "cycles");
    if (!cycles) continue;
    const std::optional<double> recorded = NumberOf(result, "baseline_cycles");
    // Of the many that only computed values, those that changed.
    const bool is_asked = result.check == "performance.cycles_repeatable";
    const bool is_changed = recorded && *recorded != *cycles;
    const std::string name = result.name.substr(0, result.name.rfind('/'));
    if (!is_asked && !is_changed && !rows.contains(name)) continue;
    auto& row = rows[name];
    row.first = *cycles;
    if (recorded) row.second = recorded;
    most = std::max({most, *cycles, recorded.value_or(0)});
  }
  if (rows.empty()) return {};
  std::string html =
      "<h2>Cycles</h2>\n<table id=cycles><tr><th>case<th>cycles<th>baseline<th>change<th></tr>\n";
  for (const auto& [name, row] : rows) {
    const auto& [cycles, recorded] = row;
    const bool worse = recorded && cycles > *recorded;
    html += fmt::format("<tr><td><code>{}</code><td>{:.0f}", MarkupText(name), cycles);
    html += recorded ? fmt::format("<td>{:.0f}<td class=\"{}\">{:+.2f} %", *recorded,
                                   worse ? "failed" : "passed", 100 * (cycles / *recorded - 1))
                     : "<td class=dim>none<td>";
    html += fmt::format(
        "<td><div class=track><div class=\"bar{}\" style=\"width:{:.2f}%\"></div></div></tr>\n",
        worse ? " over" : "", 100 * cycles / most);
  }
  return html + "</table>\n";
}

}  // namespace npukit::conformance

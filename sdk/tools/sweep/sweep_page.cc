// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/sweep/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sdk/markup/markup_text.h"
#include "sdk/tools/sweep/round_marks.h"

namespace npukit::tools {
namespace {

constexpr char kStyle[] = R"(
:root { color-scheme: light dark; --front: #cf222e; --point: #0969da; --line: #8884; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; overflow-wrap: normal; }
td, th { padding: .15rem .6rem; border: 1px solid var(--line); text-align: right; }
.front td { font-weight: 700; } .failed td { color: var(--front); text-align: left; }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; } svg text { fill: currentColor; }
.axis { stroke: currentColor; } .grid { stroke: var(--line); } .point { fill: var(--point); fill-opacity: .5; }
.best { fill: var(--front); } .joined { fill: none; stroke: var(--front); stroke-width: 1.5; }
)";

std::string PointText(const SweepGrid& grid, size_t point) {
  std::vector<std::string> settings;
  for (const auto& setting : grid.At(point))
    settings.push_back(fmt::format("{} {}", setting.key, setting.value));
  return fmt::format("point {}: {}", point, fmt::join(settings, ", "));
}

// A dimension of the chart, logarithmic where that shows more: all above 0 and far apart.
class Scale {
 public:
  Scale(double low, double high, double begin, double end)
      : is_log_(low > 0 && high > 8 * low), low_(low), high_(high), begin_(begin), end_(end) {
    if (high_ == low_) high_ = low_ + 1;
  }
  double operator()(double value) const {
    const double part =
        is_log_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
    return begin_ + part * (end_ - begin_);
  }
  // Round values from end to end.
  std::vector<double> Marks() const { return RoundMarks(low_, high_, is_log_); }

 private:
  bool is_log_;
  double low_;
  double high_;
  double begin_;
  double end_;
};

struct Dot {
  double cost;
  double cycles;
  size_t point;
};

std::string Axes(const Scale& x, const Scale& y, const std::string& cost) {
  std::string svg;
  for (const double mark : x.Marks()) {
    svg += fmt::format(
        "<line class=grid x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"20\" y2=\"330\"/>"
        "<text x=\"{0:.1f}\" y=\"348\" text-anchor=\"middle\">{1:.4g}</text>\n",
        x(mark), mark);
  }
  for (const double mark : y.Marks()) {
    svg += fmt::format(
        "<line class=grid x1=\"90\" x2=\"700\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/>"
        "<text x=\"84\" y=\"{2:.1f}\" text-anchor=\"end\">{1:.4g}</text>\n",
        y(mark), mark, y(mark) + 4);
  }
  return svg + fmt::format(
                   "<text x=\"395\" y=\"370\" text-anchor=\"middle\">{}</text>\n"
                   "<text x=\"16\" y=\"12\">cycles</text>\n",
                   MarkupText(cost));
}

// The dots that no other beats in both, by cost: with several costs the front of all has more.
std::vector<Dot> FrontOf(std::vector<Dot> dots) {
  std::ranges::sort(dots, {}, [](const Dot& dot) { return std::pair(dot.cost, dot.cycles); });
  std::vector<Dot> front;
  for (const Dot& dot : dots) {
    if (front.empty() || dot.cycles < front.back().cycles) front.push_back(dot);
  }
  return front;
}

std::string Chart(const SweepGrid& grid, const SweepRows& rows, const std::vector<size_t>& front,
                  size_t cost) {
  std::vector<Dot> dots;
  for (const auto& [point, row] : rows) {
    if (row.cycles) dots.push_back({grid.CostsAt(point)[cost], *row.cycles, point});
  }
  if (dots.empty()) return {};
  const auto [left, right] = std::ranges::minmax(dots, {}, &Dot::cost);
  const auto [fastest, slowest] = std::ranges::minmax(dots, {}, &Dot::cycles);
  const Scale x(left.cost, right.cost, 90, 700);
  const Scale y(fastest.cycles, slowest.cycles, 330, 20);
  const std::string& name = grid.cost_names()[cost];
  std::string svg = fmt::format(
      "<h2>Cycles against {0}</h2>\n<svg role=img aria-label=\"cycles against {0}\" "
      "viewBox=\"0 0 730 380\" width=\"730\">\n",
      MarkupText(name));
  svg += Axes(x, y, name);
  for (const Dot& dot : dots) {
    const bool on_front = std::ranges::find(front, dot.point) != front.end();
    svg += fmt::format(
        "<circle class={} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}: {:.0f} cycles, {} "
        "{:g}</title></circle>\n",
        on_front ? "best" : "point", x(dot.cost), y(dot.cycles), on_front ? 5 : 3,
        MarkupText(PointText(grid, dot.point)), dot.cycles, MarkupText(name), dot.cost);
  }
  std::string joined;
  for (const Dot& dot : FrontOf(dots))
    joined += fmt::format(" {:.1f},{:.1f}", x(dot.cost), y(dot.cycles));
  return svg + fmt::format("<polyline class=joined points=\"{}\"/></svg>\n", joined);
}

std::string TableRow(const SweepGrid& grid, const std::vector<SweepResult>& results, size_t point,
                     const SweepRow& row, bool on_front) {
  std::string html = fmt::format("<tr{}><td>{}", on_front ? " class=front" : "", point);
  for (const auto& setting : grid.At(point)) html += "<td>" + MarkupText(setting.value);
  for (const double cost : grid.CostsAt(point)) html += fmt::format("<td>{:g}", cost);
  for (const SweepResult& result : results) html += "<td>" + result.Text(row, "");
  html += fmt::format("<td>{}", row.cpu_ops);
  if (!row.error.empty())
    html += fmt::format("</tr>\n<tr class=failed><td><td colspan=99>{}", MarkupText(row.error));
  return html + "</tr>\n";
}

}  // namespace

std::string SweepPage(const SweepGrid& grid, const std::string& model, const SweepRows& rows) {
  const std::vector<size_t> front = ParetoFront(grid, rows);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
      "<meta name=viewport content=\"width=device-width\">\n<title>Sweep of {0}</title>\n"
      "<style>{1}</style></head><body>\n<h1>Sweep of {0}</h1>\n"
      "<p>Base {2}; {3} of {4} points, {5} on the Pareto front of cycles{6}{7}.</p>\n",
      MarkupText(model), kStyle, MarkupText(grid.base()), rows.size(), grid.size(), front.size(),
      grid.cost_names().empty() ? "" : " against ",
      MarkupText(fmt::format("{}", fmt::join(grid.cost_names(), ", "))));
  for (size_t cost = 0; cost < grid.cost_names().size(); ++cost)
    html += Chart(grid, rows, front, cost);
  html += "<h2>Points</h2>\n<div class=scroll><table id=points><tr><th>point";
  for (const std::string& key : grid.keys()) html += "<th>" + MarkupText(key);
  for (const std::string& name : grid.cost_names()) html += "<th>" + MarkupText(name);
  const std::vector<SweepResult> results = ShownResults(rows);
  for (const SweepResult& result : results) html += fmt::format("<th>{}", result.title);
  html += "<th>CPU ops</tr>\n";
  for (const size_t point : front) html += TableRow(grid, results, point, rows.at(point), true);
  for (const auto& [point, row] : rows) {
    if (std::ranges::find(front, point) == front.end())
      html += TableRow(grid, results, point, row, false);
  }
  return html + "</table></div>\n</body></html>\n";
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/sweep/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/command_line/text_table.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr SweepResult kResults[] = {
    {"cycles", "cycles", &SweepRow::cycles},
    {"roofline_cycles", "roofline", &SweepRow::roofline_cycles},
    {"microseconds", "us", &SweepRow::microseconds, 1, 1},
    {"tokens_per_second", "tokens/s", &SweepRow::tokens_per_second, 1, 1},
    {"utilisation", "util %", &SweepRow::utilisation, 100, 1},
    {"energy_pj", "energy nJ", &SweepRow::energy_pj, 1e-3, 1},
};
constexpr const char* kOtherNames[] = {"npu_ops", "cpu_ops", "error"};
constexpr size_t kResultColumns = std::size(kResults) + std::size(kOtherNames);

// The shortest text that reads as the same number.
std::string NumberText(std::optional<double> value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string Quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  // ParseSweepCsv() reads line by line: an end of a line within quotes would end the row.
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted + "\"";
}

std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

template <class T>
bool ReadNumber(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool ReadOptional(const std::string& text, std::optional<double>& value) {
  if (text.empty()) return true;
  return ReadNumber(text, value.emplace());
}

constexpr const char* kRunNames[] = {"model", "signature", "position"};
constexpr size_t kRunColumns = std::size(kRunNames);

// Their values.
std::vector<std::string> RunFields(const SweptRun& run) {
  return {run.model, run.signature, run.position ? fmt::format("{}", *run.position) : ""};
}

std::string Header(const SweepGrid& grid) {
  std::string line = fmt::format("{},point", fmt::join(kRunNames, ","));
  for (const std::string& key : grid.keys()) line += "," + Quoted(key);
  for (const SweepResult& result : kResults) line += fmt::format(",{}", result.name);
  return fmt::format("{},{}", line, fmt::join(kOtherNames, ","));
}

// The row of the fields from `at` on; false if one of them is no number.
bool ReadRow(const std::vector<std::string>& fields, size_t at, SweepRow& row) {
  for (const SweepResult& result : kResults) {
    if (!ReadOptional(fields[at++], row.*result.value)) return false;
  }
  row.error = fields[at + 2];
  return ReadNumber(fields[at], row.npu_ops) && ReadNumber(fields[at + 1], row.cpu_ops);
}

bool Dominates(const std::vector<double>& a, const std::vector<double>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
  }
  return true;
}

}  // namespace

std::string SweepResult::Text(const SweepRow& row, const char* missing) const {
  const std::optional<double>& found = row.*value;
  return found ? fmt::format("{:.{}f}", *found * factor, digits) : missing;
}

std::vector<SweepResult> ShownResults(const SweepRows& rows) {
  const bool has_tokens = std::ranges::any_of(
      rows, [](const auto& row) { return row.second.tokens_per_second.has_value(); });
  std::vector<SweepResult> shown(std::begin(kResults), std::end(kResults));
  if (!has_tokens)
    std::erase_if(shown, [](const SweepResult& result) {
      return result.value == &SweepRow::tokens_per_second;
    });
  return shown;
}

std::vector<size_t> ParetoFront(const SweepGrid& grid, const SweepRows& rows) {
  size_t least_cpu_ops = SIZE_MAX;
  for (const auto& [point, row] : rows) {
    if (row.cycles) least_cpu_ops = std::min(least_cpu_ops, row.cpu_ops);
  }
  // Sorted by cycles, then by the first cost and so on, no later one can beat an earlier one: at
  // the first place where they differ it is larger. Of equal ones the first point stays, and beats
  // the others.
  std::vector<std::pair<std::vector<double>, size_t>> candidates;
  for (const auto& [point, row] : rows) {
    if (!row.cycles || row.cpu_ops != least_cpu_ops) continue;
    std::vector<double> all = grid.CostsAt(point);
    all.insert(all.begin(), *row.cycles);
    candidates.emplace_back(std::move(all), point);
  }
  std::sort(candidates.begin(), candidates.end());
  std::vector<size_t> front;
  std::vector<const std::vector<double>*> kept;
  for (const auto& [all, point] : candidates) {
    const bool beaten = std::any_of(kept.begin(), kept.end(),
                                    [&all = all](const auto* one) { return Dominates(*one, all); });
    if (beaten) continue;
    front.push_back(point);
    kept.push_back(&all);
  }
  return front;
}

std::string SweepCsv(const SweepGrid& grid, const SweptRun& run, const SweepRows& rows,
                     bool header) {
  std::string text = header ? Header(grid) + "\n" : "";
  std::string run_fields;
  for (const std::string& field : RunFields(run)) run_fields += Quoted(field) + ",";
  for (const auto& [point, row] : rows) {
    text += fmt::format("{}{}", run_fields, point);
    for (const auto& setting : grid.At(point)) text += "," + Quoted(setting.value);
    for (const SweepResult& result : kResults) text += "," + NumberText(row.*result.value);
    text += fmt::format(",{},{},{}\n", row.npu_ops, row.cpu_ops, Quoted(row.error));
  }
  return text;
}

litert::Expected<SweepRows> ParseSweepCsv(const std::string& text, const std::string& name,
                                          const SweepGrid& grid, const SweptRun& run) {
  SweepRows rows;
  std::istringstream lines(text);
  const std::string header = Header(grid);
  const std::vector<std::string> asked = RunFields(run);
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line == header) continue;
    const auto wrong = [&](const std::string& what) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                fmt::format("{}:{}: {}", name, number, what));
    };
    const std::vector<std::string> fields = Fields(line);
    const size_t keys = grid.keys().size();
    const size_t first_key = kRunColumns + 1;
    if (fields.size() != first_key + keys + kResultColumns)
      return wrong("expected the columns " + header);
    for (size_t i = 0; i < kRunColumns; ++i) {
      if (fields[i] != asked[i])
        return wrong(fmt::format("is of the {} '{}', not '{}'", kRunNames[i], fields[i], asked[i]));
    }
    const std::string& point_text = fields[kRunColumns];
    size_t point = 0;
    if (!ReadNumber(point_text, point) || point >= grid.size())
      return wrong("'" + point_text + "' is no point of the grid");
    const std::vector<SweepGrid::Setting> settings = grid.At(point);
    for (size_t k = 0; k < keys; ++k) {
      if (fields[first_key + k] == settings[k].value) continue;
      return wrong(fmt::format("point {} has {} {} in the grid, {} here", point, settings[k].key,
                               settings[k].value, fields[first_key + k]));
    }
    SweepRow row;
    if (!ReadRow(fields, first_key + keys, row)) return wrong("a result is no number");
    const auto [old, inserted] = rows.emplace(point, row);
    if (!inserted && !(old->second == row))
      return wrong(fmt::format("point {} stands twice, with different results", point));
  }
  return rows;
}

namespace {

std::vector<std::string> TableNames(const SweepGrid& grid,
                                    const std::vector<SweepResult>& results) {
  std::vector<std::string> names = {"point"};
  names.insert(names.end(), grid.keys().begin(), grid.keys().end());
  for (const SweepResult& result : results) names.emplace_back(result.title);
  names.emplace_back("cpu ops");
  return names;
}

std::vector<std::string> TableLine(const SweepGrid& grid, const std::vector<SweepResult>& results,
                                   size_t point, const SweepRow& row) {
  std::vector<std::string> line = {fmt::format("{}", point)};
  for (const auto& setting : grid.At(point)) line.push_back(setting.value);
  for (const SweepResult& result : results) line.push_back(result.Text(row, "-"));
  line.push_back(fmt::format("{}", row.cpu_ops));
  return line;
}

}  // namespace

std::string SweepText(const SweepGrid& grid, const SweepRows& rows) {
  const std::vector<size_t> front = ParetoFront(grid, rows);
  const std::vector<SweepResult> results = ShownResults(rows);
  std::vector<std::string> names = TableNames(grid, results);
  TextTable best(std::string(names.size(), '>'));
  best.Add(names);
  names.emplace_back("front");
  TextTable all(std::string(names.size(), '>'));
  all.Add(std::move(names));
  std::string failures;
  for (const auto& [point, row] : rows) {
    std::vector<std::string> line = TableLine(grid, results, point, row);
    const bool on_front = std::find(front.begin(), front.end(), point) != front.end();
    line.emplace_back(on_front ? "*" : "");
    all.Add(std::move(line));
    if (!row.error.empty()) failures += fmt::format("point {}: {}\n", point, row.error);
  }
  const std::string costs = fmt::format("{}", fmt::join(grid.cost_names(), ", "));
  std::string text =
      all.Text() + failures +
      fmt::format("Pareto front of cycles{}{}: {} of {} points\n", costs.empty() ? "" : " against ",
                  costs, front.size(), rows.size());
  for (size_t point : front) best.Add(TableLine(grid, results, point, rows.at(point)));
  return text + best.Text();
}

void AddSweepJson(const SweepGrid& grid, const SweepRows& rows, Json& report) {
  const auto number = [](std::optional<double> value) {
    return value ? JsonNumber(*value) : Json();
  };
  const std::vector<size_t> front = ParetoFront(grid, rows);
  Json points = Json::array();
  size_t failed = 0;
  for (const auto& [point, row] : rows) {
    Json entry = {{"point", point}, {"values", Json::object()}};
    for (const auto& setting : grid.At(point)) entry["values"][setting.key] = setting.value;
    for (const SweepResult& result : kResults) entry[result.name] = number(row.*result.value);
    entry["npu_ops"] = row.npu_ops;
    entry["cpu_ops"] = row.cpu_ops;
    entry["front"] = std::find(front.begin(), front.end(), point) != front.end();
    entry["error"] = row.error;
    points.push_back(std::move(entry));
    failed += row.error.empty() ? 0 : 1;
  }
  report["points"] = std::move(points);
  report["cost"] = grid.cost_names();
  report["front"] = front;
  report["failed"] = failed;
}

}  // namespace npukit::tools

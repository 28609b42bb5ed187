// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a sweep found: a row a point, as text, JSON and CSV, and its Pareto front. Pure.

#ifndef NPUKIT_SDK_TOOLS_SWEEP_SWEEP_TABLE_H_
#define NPUKIT_SDK_TOOLS_SWEEP_SWEEP_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/tools/sweep/sweep_grid.h"

namespace npukit::tools {

struct SweepRow {
  std::optional<double> cycles;
  std::optional<double> roofline_cycles;
  std::optional<double> microseconds;       // at the chip's clock
  std::optional<double> tokens_per_second;  // of a language model's step
  std::optional<double> utilisation;
  std::optional<double> energy_pj;
  size_t npu_ops = 0;
  size_t cpu_ops = 0;
  std::string error;  // why the point was not timed; else empty
  bool operator==(const SweepRow&) const = default;
};

// One of a row's numbers that a point has not if it failed.
struct SweepResult {
  const char* name;   // in CSV and JSON
  const char* title;  // in tables
  std::optional<double> SweepRow::*value;
  double factor = 1;  // to what a table shows
  int digits = 0;     // behind the point
  std::string Text(const SweepRow& row, const char* missing) const;
};

// What is timed at each point: the first columns of a row.
struct SweptRun {
  std::string model;
  std::string signature;            // empty: the first
  std::optional<int32_t> position;  // of a language model's step, unless a file has it
};

// By point of the grid.
using SweepRows = std::map<size_t, SweepRow>;

// What tables show of the rows: tokens only where there are some.
std::vector<SweepResult> ShownResults(const SweepRows& rows);

// The points that no other beats: none has at most their cycles and at most each of their costs,
// and less of one. Of equal ones the first. Only points that leave the fewest ops to the CPU take
// part: the others' cycles are of less work. By cycles.
std::vector<size_t> ParetoFront(const SweepGrid& grid, const SweepRows& rows);

// One line a point; with a line of names first where `header`. Files of shards are merged by
// putting one after the other.
std::string SweepCsv(const SweepGrid& grid, const SweptRun& run, const SweepRows& rows,
                     bool header);
// Errors name file and line: a row that is not of this run and grid, a number that is none, a
// point that stands twice with different results. Lines of names may stand anywhere.
litert::Expected<SweepRows> ParseSweepCsv(const std::string& text, const std::string& name,
                                          const SweepGrid& grid, const SweptRun& run);

std::string SweepText(const SweepGrid& grid, const SweepRows& rows);
// {points[] {point, values{}, cycles, ..., front}, front[], cost[], failed}
void AddSweepJson(const SweepGrid& grid, const SweepRows& rows, nlohmann::ordered_json& report);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_SWEEP_SWEEP_TABLE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/sim_sweep.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "simulator/device/simulation.h"
#include "simulator/module/verify.h"
#include "simulator/tools/program_file.h"
#include "simulator/tools/sim_report.h"
#include "simulator/tools/sweep_grid.h"

namespace acme {
namespace {

struct SweepArguments {
  std::string program, soc_model, soc_file, entry, shard, csv;
  std::vector<std::string> vary;
  int module_index = -1;
  int jobs = 1;
  bool json = false;
};

struct Point {
  std::optional<Counters> counters;
  std::string error;
  int64_t bound_cycles = 0;
};

// One line on a terminal, nothing elsewhere.
class ProgressBar {
 public:
  explicit ProgressBar(size_t total) : total_(total), visible_(isatty(STDERR_FILENO) != 0) {}
  ~ProgressBar() {
    if (visible_) fmt::print(stderr, "\r\033[K");
  }
  void Step() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++done_;
    const size_t percent = done_ * 100 / total_;
    if (!visible_ || percent == shown_) return;
    shown_ = percent;
    fmt::print(stderr, "\r[{:<40}] {:>3}% {}/{}", std::string(percent * 40 / 100, '#'), percent,
               done_, total_);
  }

 private:
  std::mutex mutex_;
  size_t total_;
  size_t done_ = 0;
  size_t shown_ = 101;
  bool visible_;
};

Point RunPoint(const Program& program, const Hardware& hardware) {
  Point point;
  RunOptions options;
  options.mode = RunMode::kTimeOnly;
  Expected<RunResult> result = RunProgram(program, hardware, nullptr, options);
  if (!result) {
    point.error = result.Error().Message();
    return point;
  }
  point.counters = result->counters;
  point.bound_cycles = ProgramBoundCycles(*result, hardware);
  return point;
}

std::vector<Point> RunAll(const Program& program, const SweepGrid& grid, int jobs) {
  std::vector<Point> points(grid.size());
  std::atomic<size_t> next = 0;
  ProgressBar progress(std::max<size_t>(1, grid.size()));
  auto work = [&] {
    for (size_t i = next++; i < points.size(); i = next++) {
      points[i] = RunPoint(program, grid.HardwareAt(i));
      progress.Step();
    }
  };
  std::vector<std::thread> threads;
  for (int j = 1; j < jobs; ++j) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return points;
}

std::string PointsCsv(const SweepGrid& grid, const std::vector<Point>& points,
                      const ModuleEntry& entry) {
  std::string text = "point";
  for (const std::string& name : grid.names()) text += "," + name;
  text +=
      ",cycles,bound_cycles,utilisation,dram_bytes,energy_pj,load_busy,matrix_busy,vector_busy,"
      "store_busy,error\n";
  for (size_t i = 0; i < points.size(); ++i) {
    text += std::to_string(grid.IndexOf(i));
    for (const std::string& value : grid.ValuesAt(i)) text += "," + value;
    if (!points[i].counters) {
      std::string error = points[i].error;
      std::replace(error.begin(), error.end(), '"', '\'');
      text += fmt::format(",,,,,,,,,,\"{}\"\n", error);
      continue;
    }
    const Counters& c = *points[i].counters;
    const double macs =
        static_cast<double>(entry.macs != 0 ? entry.macs : static_cast<uint64_t>(c.macs));
    const double peak =
        static_cast<double>(c.cycles) * static_cast<double>(grid.HardwareAt(i).PeakMacsPerCycle());
    text += fmt::format(",{},{},{:.4f},{},{:.1f},{},{},{},{},\n", c.cycles, points[i].bound_cycles,
                        macs / peak, c.dram_read_bytes + c.dram_write_bytes, c.energy_pj,
                        c.busy_cycles[1], c.busy_cycles[2], c.busy_cycles[3], c.busy_cycles[4]);
  }
  return text;
}

nlohmann::json PointsJson(const SweepGrid& grid, const std::vector<Point>& points) {
  nlohmann::json out = nlohmann::json::array();
  for (size_t i = 0; i < points.size(); ++i) {
    nlohmann::json row = {{"point", grid.IndexOf(i)}};
    const std::vector<std::string> values = grid.ValuesAt(i);
    for (size_t d = 0; d < values.size(); ++d) row["values"][grid.names()[d]] = values[d];
    if (points[i].counters) {
      row["cycles"] = points[i].counters->cycles;
      row["energy_pj"] = points[i].counters->energy_pj;
      row["bound_cycles"] = points[i].bound_cycles;
    } else {
      row["error"] = points[i].error;
    }
    out.push_back(row);
  }
  return {{"points", out}};
}

Expected<const ModuleEntry*> FindEntry(const Module& module, const std::string& name) {
  const ModuleEntry* entry =
      name.empty() && module.entries.size() == 1 ? &module.entries[0] : module.FindEntry(name);
  if (entry == nullptr)
    return Error(ErrorCode::kInvalidArgument, "pick an entry point with --entry");
  return entry;
}

// Runs that failed stay in the table; the command fails with the first of them.
Expected<void> FirstFailure(const SweepGrid& grid, const std::vector<Point>& points) {
  for (size_t i = 0; i < points.size(); ++i) {
    if (!points[i].error.empty())
      return Error(ErrorCode::kDeadlock,
                   "point " + std::to_string(grid.IndexOf(i)) + ": " + points[i].error);
  }
  return {};
}

Expected<void> Sweep(const SweepArguments& args) {
  ACME_ASSIGN_OR_RETURN(const Module module, LoadProgram(args.program, args.soc_model,
                                                         args.soc_file, args.module_index));
  ACME_ASSIGN_OR_RETURN(const Hardware hardware,
                        ChooseHardware(args.soc_model, args.soc_file, module.soc_model));
  ACME_RETURN_IF_ERROR(VerifyModule(module, hardware));
  ACME_ASSIGN_OR_RETURN(const ModuleEntry* entry, FindEntry(module, args.entry));
  ACME_ASSIGN_OR_RETURN(SweepGrid grid, SweepGrid::Parse(args.vary, hardware));
  ACME_RETURN_IF_ERROR(grid.SelectShard(args.shard));
  ACME_ASSIGN_OR_RETURN(const Program program, Program::Decode(entry->code));
  const std::vector<Point> points = RunAll(program, grid, args.jobs);
  const std::string csv = PointsCsv(grid, points, *entry);
  if (!args.csv.empty()) ACME_RETURN_IF_ERROR(WriteBytes(args.csv, csv.data(), csv.size()));
  if (args.json) {
    fmt::print("{}\n", PointsJson(grid, points).dump());
  } else if (args.csv.empty()) {
    fmt::print("{}", csv);
  }
  return FirstFailure(grid, points);
}

}  // namespace

void AddSweepCommand(CLI::App& app, int* exit_code) {
  CLI::App* sweep = app.add_subcommand(
      "sweep", "Times a program over a grid of hardware parameters, without values");
  auto args = std::make_shared<SweepArguments>();
  sweep
      ->add_option("PROGRAM", args->program,
                   "program file: .acm text, a module, or a compiled model")
      ->required();
  sweep->add_option("--vary", args->vary, "NAME=VALUE,VALUE,...; repeat for a grid")
      ->required()
      ->take_all();
  sweep->add_option("--soc", args->soc_model, "SoC model to start from");
  sweep->add_option("--soc-file", args->soc_file, "hardware YAML to start from");
  sweep->add_option("--entry", args->entry, "entry point of a module with several");
  sweep->add_option("--module", args->module_index, "which module of a file with several");
  sweep->add_option("--jobs", args->jobs, "threads")->check(CLI::Range(1, 1024));
  sweep->add_option("--shard", args->shard, "I/N: only every N-th point, beginning with point I");
  sweep->add_option("--csv", args->csv, "file to write; otherwise standard output");
  sweep->add_flag("--json", args->json, "JSON on standard output");
  sweep->callback([args, exit_code] {
    Expected<void> status = Sweep(*args);
    if (status) return;
    fmt::print(stderr, "npukit-sim: {}\n", status.Error().Message());
    const ErrorCode code = status.Error().Code();
    *exit_code = code == ErrorCode::kDeadlock ? 1 : code == ErrorCode::kInvalidArgument ? 2 : 3;
    if (args->json && *exit_code != 1)
      fmt::print("{}\n", nlohmann::json{{"error", status.Error().Message()}}.dump());
  });
}

}  // namespace acme

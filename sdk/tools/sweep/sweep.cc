// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "npukit/metrics.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/progress.h"
#include "sdk/tools/command_line/scratch_folder.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/flags/shard.h"
#include "sdk/tools/reports/bench_report.h"
#include "sdk/tools/sweep/sweep_page.h"
#include "sdk/tools/sweep/sweep_table.h"

namespace npukit::tools {
namespace {

// While it lives, the first Ctrl-C (or SIGTERM) is remembered and a second one ends the program.
class Interruption {
 public:
  Interruption() {
    struct sigaction action = {};
    action.sa_handler = [](int) { asked_ = true; };
    // The first signal takes the handler away: the second one does what it always does.
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption() {
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  static bool IsAsked() { return asked_; }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  static inline std::atomic<bool> asked_ = false;  // lock-free, as a handler needs it
  struct sigaction before_[std::size(kSignals)];
};

class Sweeper {
 public:
  Sweeper(const SessionFlags& flags, const StepFlags& step, SessionOptions options,
          const SweepGrid& grid, std::string folder)
      : flags_(flags),
        step_(step),
        options_(std::move(options)),
        grid_(grid),
        folder_(std::move(folder)) {
    options_.jit = true;
  }

  // Every setting by itself, so that what the vendor has against it is told at its place in the
  // grid.
  litert::Expected<void> CheckSettings() const {
    LITERT_RETURN_IF_ERROR(CheckSoc({}, flags_.model + ": base '" + grid_.base() + "'"));
    for (const SweepGrid::Setting& setting : grid_.Settings()) {
      LITERT_RETURN_IF_ERROR(
          CheckSoc({setting}, setting.where + ": " + setting.key + ": " + setting.value));
    }
    return {};
  }

  // Fewer rows than points if it was interrupted.
  SweepRows Run(const std::vector<size_t>& points, int jobs) const {
    const Interruption interruption;
    std::vector<std::optional<SweepRow>> found(points.size());
    std::atomic<size_t> next = 0;
    Progress progress;
    std::atomic<size_t> done = 0;
    const auto work = [&] {
      // Points under way are finished. Which thread takes which point is left to chance, and the
      // result does not show it: rows are by point.
      for (size_t i = next++; i < points.size() && !Interruption::IsAsked(); i = next++) {
        found[i] = RunPoint(points[i]);
        progress.ShowCount(++done, points.size(), "points");
      }
    };
    std::vector<std::thread> threads;
    const size_t useful = std::min(static_cast<size_t>(jobs), points.size());
    for (size_t j = 1; j < useful; ++j) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    SweepRows rows;
    for (size_t i = 0; i < points.size(); ++i) {
      if (found[i]) rows[points[i]] = std::move(*found[i]);
    }
    return rows;
  }

 private:
  // The options with a SoC file of these settings.
  litert::Expected<SessionOptions> WithSoc(const std::vector<SweepGrid::Setting>& settings,
                                           const std::string& name,
                                           const std::string& where) const {
    const std::string path = folder_ + "/" + name + ".yaml";
    const std::string text = grid_.SocText(settings, name);
    LITERT_RETURN_IF_ERROR(
        WriteWholeFile(path, {reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
    SessionOptions options = options_;
    options.placement.specs.push_back(
        {.spec = {.key = NPUKIT_SPEC_SOC_FILE, .bytes = {path.begin(), path.end()}},
         .where = where});
    return options;
  }

  litert::Expected<void> CheckSoc(const std::vector<SweepGrid::Setting>& settings,
                                  const std::string& where) const {
    LITERT_ASSIGN_OR_RETURN(const SessionOptions options, WithSoc(settings, "setting", where));
    return CheckSpecs(options.plugin_dir, options.plugins, options.placement, options.soc);
  }

  SweepRow RunPoint(size_t point) const {
    auto row = TimePoint(point);
    if (row) return std::move(*row);
    SweepRow failed;
    failed.error = row.Error().Message().empty() ? row.Error().ToString() : row.Error().Message();
    return failed;
  }

  litert::Expected<SweepRow> TimePoint(size_t point) const {
    const std::string name = fmt::format("point_{}", point);
    LITERT_ASSIGN_OR_RETURN(SessionOptions options, WithSoc(grid_.At(point), name, name));
    LITERT_ASSIGN_OR_RETURN(auto session, Session::Open(flags_.model, std::move(options)));
    SweepRow row;
    row.npu_ops = session->placement().npu_ops;
    row.cpu_ops = session->placement().cpu_ops;
    row.error = session->placement().fallback_reason;
    if (!row.error.empty()) return row;
    if (auto met = CheckRequirement(flags_, *session); !met) {
      row.error = met.Error().Message();
      return row;
    }
    LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner(flags_.signature));
    LITERT_RETURN_IF_ERROR(step_.FillInputs(flags_, session->model(), *runner));
    runner->EnableStepTimes(true);
    LITERT_RETURN_IF_ERROR(runner->StartMetrics(NPUKIT_METRICS_DETAIL_PER_OP));
    LITERT_RETURN_IF_ERROR(runner->Run());
    LITERT_ASSIGN_OR_RETURN(const auto metrics, runner->StopMetrics());
    const BenchReport bench = MakeBenchReport(runner->steps(), runner->step_times(), metrics, {0});
    LITERT_RETURN_IF_ERROR(session->Close());
    row.cycles = bench.cycles;
    row.roofline_cycles = bench.roofline_cycles;
    if (bench.cycles && bench.clock_mhz) row.microseconds = *bench.cycles / *bench.clock_mhz;
    if (row.microseconds && *row.microseconds > 0 && step_.step() &&
        !step_.step()->signature.is_split())
      row.tokens_per_second = 1e6 * step_.step()->signature.tokens / *row.microseconds;
    row.utilisation = bench.utilisation;
    row.energy_pj = bench.energy_pj;
    return row;
  }

  const SessionFlags& flags_;
  const StepFlags& step_;
  SessionOptions options_;
  const SweepGrid& grid_;
  std::string folder_;
};

// What the CSV file has already.
litert::Expected<SweepRows> RowsBefore(const SweepFlags& sweep, const SweptRun& run,
                                       const SweepGrid& grid) {
  std::error_code error;
  if (!sweep.resume || !std::filesystem::exists(sweep.csv, error)) return SweepRows();
  LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, ReadWholeFile(sweep.csv));
  return ParseSweepCsv({bytes.begin(), bytes.end()}, sweep.csv, grid, run);
}

// The whole, unless a part is asked for.
litert::Expected<Shard> ShardOf(const SweepFlags& sweep) {
  if (sweep.shard.empty()) return Shard();
  return ParseShard(sweep.shard);
}

litert::Expected<void> WriteText(const std::string& path, const std::string& text) {
  return WriteWholeFile(path, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

int Report(const SessionFlags& flags, const SweepFlags& sweep, const Shard& shard,
           const SweptRun& run, const SweepGrid& grid, const SweepRows& rows) {
  if (!sweep.csv.empty()) {
    // Only the first shard's file has the names of the columns.
    const auto written =
        WriteText(sweep.csv, SweepCsv(grid, run, rows, /*header=*/shard.index == 0));
    if (!written) return Fail(kFailed, written.Error());
  }
  if (!sweep.html.empty()) {
    const auto written = WriteText(sweep.html, SweepPage(grid, flags.model, rows));
    if (!written) return Fail(kFailed, written.Error());
  }
  if (flags.json) {
    nlohmann::ordered_json report = {
        {"model", flags.model}, {"grid", sweep.grid}, {"base", grid.base()}};
    AddSweepJson(grid, rows, report);
    PrintJson(report);
  } else if (!rows.empty()) {
    fmt::print("{}", SweepText(grid, rows));
  }
  const bool failed = std::any_of(rows.begin(), rows.end(),
                                  [](const auto& row) { return !row.second.error.empty(); });
  return failed ? kFailed : kDone;
}

}  // namespace

void SweepFlags::AddTo(CommandLine& line) {
  const Argument sweep =
      line.Add("--sweep", grid,
               "YAML grid of SoCs: compile and time the model for each point (docs/performance.md)")
          .Excludes("--soc")
          .Excludes("--soc-file")
          .Excludes("--runs");
  line.Add("--jobs", jobs, "points of a sweep to run at a time")
      .ShowDefault()
      .Between(1, 1024)
      .Needs(sweep);
  line.Add("--shard", shard, "I/N: every N-th point of a sweep, beginning with point I")
      .Needs(sweep);
  const Argument file = line.Add("--csv", csv, "file for the rows of a sweep").Needs(sweep);
  line.Add("--html", html,
           "file for a page: where a run's time went and what would help; of a sweep, its points "
           "and their Pareto front");
  line.AddFlag("--resume", resume, "skip points that the CSV file already has").Needs(file);
}

int RunSweep(SessionFlags& flags, StepFlags& step, const SweepFlags& sweep) {
  if (auto read = flags.require_npu.Read(); !read) return Fail(kWrongUsage, read.Error());
  if (flags.plugin_dir.empty()) return Fail(kWrongUsage, "--sweep needs --plugin-dir");
  if (auto there = flags.CheckPluginDir(); !there) return Fail(kNotLoaded, there.Error());
  const auto grid = SweepGrid::Read(sweep.grid);
  if (!grid) return Fail(kWrongUsage, grid.Error());
  const auto shard = ShardOf(sweep);
  if (!shard) return Fail(kWrongUsage, shard.Error());
  const auto model = LoadModel(flags.model);
  if (!model) return Fail(kNotLoaded, model.Error());
  if (HasDispatchOps(**model))
    return Fail(kWrongUsage, flags.model + ": is compiled; a sweep compiles a plain model anew");
  if (auto read = step.Read(**model, flags); !read) return Fail(kWrongUsage, read.Error());
  const SweptRun run = {flags.model, flags.signature, step.Position(flags)};
  auto rows = RowsBefore(sweep, run, *grid);
  if (!rows) return Fail(kWrongUsage, rows.Error());
  auto options = flags.Options();
  if (!options) return Fail(kWrongUsage, options.Error());
  const auto folder = ScratchFolder::Create();
  if (!folder) return Fail(kFailed, folder.Error());
  const Sweeper sweeper(flags, step, std::move(*options), *grid, folder->path());
  if (auto checked = sweeper.CheckSettings(); !checked) return Fail(kWrongUsage, checked.Error());
  std::vector<size_t> points;
  for (auto point = static_cast<size_t>(shard->index); point < grid->size();
       point += static_cast<size_t>(shard->count)) {
    // What failed is tried again.
    const auto before = rows->find(point);
    if (before == rows->end() || !before->second.error.empty()) points.push_back(point);
  }
  SweepRows found = sweeper.Run(points, sweep.jobs);
  const bool is_whole = found.size() == points.size();
  const auto done = std::count_if(rows->begin(), rows->end(),
                                  [](const auto& row) { return row.second.error.empty(); }) +
                    std::ssize(found);
  // A row of before that was not run again, as it is another shard's or the sweep was interrupted,
  // stays what it was.
  found.merge(*rows);
  const int exit_code = Report(flags, sweep, *shard, run, *grid, found);
  if (is_whole) return exit_code;
  return Fail(kFailed, fmt::format("interrupted: {} of {} points are done{}", done, grid->size(),
                                   sweep.csv.empty() ? "" : "; --resume goes on from here"));
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit bench: host time over several runs and, from the dispatch libraries' metrics, the NPU's
// cycles; with --html where they went. With --sweep the cycles of a model on many SoCs (sweep.h).

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "npukit/metrics.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/progress.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/flags/session_flags.h"
#include "sdk/tools/flags/step_flags.h"
#include "sdk/tools/language/token_cost.h"
#include "sdk/tools/language/token_place.h"
#include "sdk/tools/reports/bench_report.h"
#include "sdk/tools/reports/session_report.h"
#include "sdk/tools/sweep/sweep.h"
#include "sdk/tools/time_page/doubled_runs.h"
#include "sdk/tools/time_page/time_page.h"

namespace npukit::tools {
namespace {

// Milliseconds of each run, after one that warms the caches.
litert::Expected<std::vector<double>> TimeRuns(SignatureRunner& runner, int runs) {
  Progress progress;
  progress.Show("the first run");
  LITERT_RETURN_IF_ERROR(runner.Run());
  std::vector<double> run_ms;
  for (int i = 0; i < runs; ++i) {
    progress.ShowCount(static_cast<size_t>(i), static_cast<size_t>(runs), "runs");
    const auto begin = std::chrono::steady_clock::now();
    LITERT_RETURN_IF_ERROR(runner.Run());
    run_ms.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  return run_ms;
}

litert::Expected<BenchReport> Measure(SignatureRunner& runner, int runs) {
  LITERT_ASSIGN_OR_RETURN(std::vector<double> run_ms, TimeRuns(runner, runs));
  // One more run with step times and metrics, so that taking them does not show in the host's time.
  // A library without metrics leaves its fields empty.
  std::vector<DispatchMetrics> metrics(runner.steps().size());
  runner.EnableStepTimes(true);
  const bool has_metrics = runner.StartMetrics(NPUKIT_METRICS_DETAIL_PER_OP).HasValue();
  LITERT_RETURN_IF_ERROR(runner.Run());
  if (has_metrics) {
    LITERT_ASSIGN_OR_RETURN(metrics, runner.StopMetrics());
  }
  return MakeBenchReport(runner.steps(), runner.step_times(), metrics, std::move(run_ms));
}

// One more run with all that the dispatch libraries tell, and what became of it as a page.
litert::Expected<void> WriteTimePage(const std::string& path, const SessionFlags& flags,
                                     const Session& session, SignatureRunner& runner) {
  std::vector<DispatchMetrics> metrics(runner.steps().size());
  const bool has_metrics = runner.StartMetrics(NPUKIT_METRICS_DETAIL_TRACE).HasValue();
  LITERT_RETURN_IF_ERROR(runner.Run());
  if (has_metrics) {
    LITERT_ASSIGN_OR_RETURN(metrics, runner.StopMetrics());
  }
  const DoubledRuns doubled = RunDoubled(flags, session, runner.steps(), metrics);
  const TimedModel run{.model = flags.model,
                       .steps = runner.steps(),
                       .times = runner.step_times(),
                       .metrics = metrics};
  const std::string page = TimePage(TimePageData(run, doubled.runs, doubled.not_measured));
  return WriteWholeFile(path, {reinterpret_cast<const uint8_t*>(page.data()), page.size()});
}

// What is measured, beside the session.
struct BenchFlags {
  int runs = 10;
  StepFlags step;
  std::string page;  // file for where the time went; empty: none
};

// Null unless it is a step of a language model.
nlohmann::ordered_json TokenJson(const Model& model, const TokenStep& step,
                                 const BenchReport& bench, SignatureRunner& runner) {
  const int32_t position = PositionOf(step, runner);
  const auto bytes = CountTokenBytes(model, step.signature.key, position);
  if (!bytes) return {};
  nlohmann::ordered_json token = TokenCostJson(*bytes, bench);
  token["position"] = position;
  return token;
}

// Everything after the arguments are read.
int BenchModel(SessionFlags& flags, BenchFlags& wishes) {
  int exit_code = kDone;
  // A file that can't be read is the session's to report.
  const auto model = LoadModel(flags.model);
  if (model) {
    if (auto read = wishes.step.Read(**model, flags); !read) return Fail(kWrongUsage, read.Error());
  }
  const std::unique_ptr<Session> session = OpenSession(flags, exit_code);
  if (session == nullptr) return exit_code;
  auto runner = session->Runner(flags.signature);
  if (!runner) return Fail(kWrongUsage, runner.Error());
  if (auto filled = wishes.step.FillInputs(flags, session->model(), **runner); !filled)
    return Fail(kWrongUsage, filled.Error());
  auto bench = Measure(**runner, wishes.runs);
  if (!bench) return Fail(kFailed, bench.Error());
  if (bench->soc.empty()) bench->soc = flags.soc;
  if (!wishes.page.empty()) {
    if (auto written = WriteTimePage(wishes.page, flags, *session, **runner); !written)
      return Fail(kFailed, written.Error());
  }

  // What a token costs is a question of language models only.
  nlohmann::ordered_json token;
  if (const std::optional<TokenStep>& step = wishes.step.step())
    token = TokenJson(**model, *step, *bench, **runner);
  const MemoryReport memory = (*runner)->memory();
  if (flags.json) {
    nlohmann::ordered_json report = {{"model", flags.model}};
    AddBenchJson(*bench, report);
    if (!token.is_null()) report["token"] = token;
    report["runs"] = wishes.runs;
    report["threads"] = flags.threads;
    report["memory"] = {{"arena_bytes", memory.arena_bytes},
                        {"ideal_arena_bytes", memory.ideal_arena_bytes},
                        {"packed_bytes", memory.packed_bytes},
                        {"folded_bytes", memory.folded_bytes},
                        {"staging_bytes", memory.staging_bytes}};
    report["placement"] = PlacementJson(session->placement());
    PrintJson(report);
  } else {
    fmt::print("{}{}{}memory: arena {} bytes (ideal {}), packed weights {} bytes\n",
               BenchText(*bench), token.is_null() ? std::string() : TokenCostText(token),
               PlacementText(session->placement(), flags.jit || !flags.plugin_dir.empty()),
               memory.arena_bytes, memory.ideal_arena_bytes, memory.packed_bytes);
  }
  if (auto closed = session->Close(); !closed) return Fail(kFailed, closed.Error());
  return kDone;
}

}  // namespace

int Bench(CommandLine& line, int argc, char** argv) {
  SessionFlags flags;
  BenchFlags bench;
  flags.AddTo(line);
  flags.AddJit(line);
  line.Add("--runs", bench.runs, "timed runs").ShowDefault().Between(1, 1000000);
  bench.step.AddTo(line);
  SweepFlags sweep;
  sweep.AddTo(line);
  if (std::optional<int> ended = line.Parse(argc, argv)) return *ended;
  if (!sweep.grid.empty()) {
    if (flags.device.is_asked())
      return Fail(kWrongUsage, "--sweep and --device exclude each other");
    return RunSweep(flags, bench.step, sweep);
  }
  bench.page = sweep.html;
  return OnDevice(flags, [&] { return BenchModel(flags, bench); });
}

}  // namespace npukit::tools

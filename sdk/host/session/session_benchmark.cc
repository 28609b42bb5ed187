// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <random>
#include <string>

#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/runtime/memory/arena_planner.h"
#include "sdk/host/session/session.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

std::string ModelPath(const std::string& name) {
  return (std::filesystem::path(SharedDir()) / "models" / (name + ".tflite")).string();
}

void RunModel(benchmark::State& state, const std::string& name, int threads) {
  auto session = Session::Open(ModelPath(name), {.threads = threads});
  if (!session) {
    state.SkipWithError(session.Error().Message().c_str());
    return;
  }
  SignatureRunner& runner = (*session)->default_runner();
  FillRandomInputs(runner, 1);
  for (auto _ : state) {
    if (!runner.Run()) state.SkipWithError("the run failed");
  }
  uint64_t macs = 0;
  for (const StepInfo& step : runner.steps()) macs += step.macs;
  state.counters["macs/s"] =
      benchmark::Counter(static_cast<double>(macs), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["arena_bytes"] = static_cast<double>(runner.memory().arena_bytes);
  state.counters["arena/ideal"] =
      static_cast<double>(runner.memory().arena_bytes) /
      static_cast<double>(std::max<uint64_t>(1, runner.memory().ideal_arena_bytes));
}

void PrepareModel(benchmark::State& state, const std::string& name) {
  for (auto _ : state) {
    auto session = Session::Open(ModelPath(name), {});
    if (!session) {
      state.SkipWithError(session.Error().Message().c_str());
      return;
    }
    benchmark::DoNotOptimize(session);
  }
}

void BM_PlanArena(benchmark::State& state) {
  std::mt19937 random(1);
  std::vector<ArenaBlock> blocks;
  for (int i = 0; i < state.range(0); ++i) {
    blocks.push_back({.size_bytes = 1 + random() % 100000,
                      .first_step = i,
                      .last_step = i + 1 + int(random() % 4)});
  }
  for (auto _ : state) benchmark::DoNotOptimize(PlanArena(blocks));
}
BENCHMARK(BM_PlanArena)->Arg(64)->Arg(512)->Arg(4096)->Unit(benchmark::kMicrosecond);

constexpr const char* kModels[] = {"ad01_int8",
                                   "kws_ref_int8",
                                   "resnet8_int8",
                                   "vww_96_int8",
                                   "ad01_fp32",
                                   "kws_ref_fp32",
                                   "resnet8_fp32",
                                   "vww_96_float",
                                   "mobilenet_v1_0.5_160_quant",
                                   "tf2_mobilenet_v2_1.0_224_ptq"};

const bool kRegistered = [] {
  for (const char* name : kModels) {
    for (int threads : {1, 2}) {
      benchmark::RegisterBenchmark(fmt::format("BM_Run/{}/threads:{}", name, threads).c_str(),
                                   RunModel, name, threads)
          ->Unit(benchmark::kMicrosecond)
          ->UseRealTime();
    }
    benchmark::RegisterBenchmark(fmt::format("BM_Prepare/{}", name).c_str(), PrepareModel, name)
        ->Unit(benchmark::kMicrosecond);
  }
  return true;
}();

}  // namespace
}  // namespace npukit

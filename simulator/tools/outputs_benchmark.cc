// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the outputs cost: runs with values and time, with and without profile, JSON, CSV and a trace
// written to a file, in turn, so that both see the same machine. overhead_percent compares the
// processor time of the two.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <random>

#include "simulator/device/simulation.h"
#include "simulator/device/testing/sample_programs.h"
#include "simulator/isa/footprint.h"
#include "simulator/tools/program_file.h"
#include "simulator/tools/sim_report.h"
#include "simulator/trace/chrome_trace.h"

namespace acme {
namespace {

double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Work {
  Hardware hardware;
  std::vector<Word> code;
  std::vector<int64_t> buffer_bytes;  // constants, workspace, input, output
};

Work Conv() {
  const ConvSize size{56, 56, 128, 128, 3};
  const Hardware hw = *BuiltinHardware("acme_a1");
  return {hw,
          ConvProgram(hw, size),
          {9 * 128 * 128 + 128 * kIntegerRecordBytes, 0, 56 * 56 * 128, 56 * 56 * 128}};
}

Work Gemm() {
  const GemmSize size{1024, 1024, 1024};
  Hardware hw = *BuiltinHardware("acme_a1");
  hw.scratchpad_bytes = 4 << 20;
  return {hw,
          GemmProgram(hw, size),
          {size.k * size.n + size.n * kIntegerRecordBytes, 0, size.m * size.k, size.m * size.n}};
}

void WriteAll(const std::filesystem::path& folder, const RunResult& result, const Module& module,
              const Hardware& hw) {
  const std::string csv = ReportCsv(result, module);
  const std::string json = ReportJson(result, module, module.entries[0], hw);
  (void)WriteBytes((folder / "run.csv").string(), csv.data(), csv.size());
  (void)WriteBytes((folder / "run.json").string(), json.data(), json.size());
  (void)WriteChromeTrace(
      (folder / "trace.json").string(), result.trace,
      {hw.name, hw.clock_mhz, result.counters.cycles, result.scratchpad_levels, {}});
}

void BM_AllOutputs(benchmark::State& state, Work (*make)()) {
  const Work work = make();
  Module module;
  module.entries.push_back({"main", {}, 0, work.code, {}, 0});
  const Program program = *Program::Decode(work.code);
  Units units(work.hardware);
  std::vector<std::vector<uint8_t>> buffers;
  std::mt19937 random(1);
  for (int64_t bytes : work.buffer_bytes) {
    buffers.emplace_back(bytes);
    for (uint8_t& byte : buffers.back()) byte = static_cast<uint8_t>(random());
  }
  for (auto& buffer : buffers) units.memory().buffers.push_back(buffer.data());
  std::string name = (std::filesystem::temp_directory_path() / "acme_outputs_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    state.SkipWithError("no temporary folder");
    return;
  }
  double plain = 0, full = 0;
  size_t slices = 0;
  for (auto _ : state) {
    const double begin = ProcessorSeconds();
    benchmark::DoNotOptimize(RunProgram(program, work.hardware, &units, {}));
    const double middle = ProcessorSeconds();
    const RunResult result =
        *RunProgram(program, work.hardware, &units, {.profile = true, .trace = true});
    WriteAll(name, result, module, work.hardware);
    full += ProcessorSeconds() - middle;
    plain += middle - begin;
    slices = result.trace.size();
  }
  std::error_code ignored;
  state.counters["trace_bytes"] =
      static_cast<double>(std::filesystem::file_size(std::filesystem::path(name) / "trace.json"));
  std::filesystem::remove_all(name, ignored);
  state.counters["slices"] = static_cast<double>(slices);
  state.counters["plain_ms"] = plain * 1e3 / static_cast<double>(state.iterations());
  state.counters["overhead_percent"] = 100 * (full - plain) / plain;
}
BENCHMARK_CAPTURE(BM_AllOutputs, conv_3x3x128x128_56x56, Conv)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_AllOutputs, gemm_1024, Gemm)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How fast the simulator is: a convolution of 3x3x128x128 on 56x56, with values under each set of
// kernels, and in time only; a large product; the smallest instructions there are; MobileNet v1 as
// SCALE-Sim models it. The cost of outputs: simulator/tools/outputs_benchmark.cc.

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <random>

#include "simulator/device/simulation.h"
#include "simulator/device/testing/sample_programs.h"
#include "simulator/isa/footprint.h"
#include "simulator/isa/program_builder.h"
#include "simulator/units/microkernels/microkernels.h"

namespace acme {
namespace {

constexpr ConvSize kConv{56, 56, 128, 128, 3};

struct Setup {
  Setup()
      : hardware(*BuiltinHardware("acme_a1")),
        program(*Program::Decode(ConvProgram(hardware, kConv))),
        units(hardware) {
    const int64_t weight_bytes = 9 * kConv.in_channels * kConv.out_channels;
    buffers = {std::vector<uint8_t>(weight_bytes + kConv.out_channels * kIntegerRecordBytes),
               {},
               std::vector<uint8_t>(kConv.height * kConv.width * kConv.in_channels),
               std::vector<uint8_t>(kConv.height * kConv.width * kConv.out_channels)};
    std::mt19937 random(1);
    for (auto& buffer : buffers) {
      for (uint8_t& byte : buffer) byte = static_cast<uint8_t>(random());
      units.memory().buffers.push_back(buffer.data());
    }
  }
  Hardware hardware;
  Program program;
  Units units;
  std::vector<std::vector<uint8_t>> buffers;
};

void Run(benchmark::State& state, const RunOptions& options) {
  Setup setup;
  int64_t cycles = 0;
  for (auto _ : state) {
    Expected<RunResult> result = RunProgram(setup.program, setup.hardware, &setup.units, options);
    if (!result) {
      state.SkipWithError(result.Error().Message().c_str());
      return;
    }
    cycles = result->counters.cycles;
  }
  using benchmark::Counter;
  if (options.mode != RunMode::kTimeOnly) {
    state.counters["MAC/s"] =
        Counter(static_cast<double>(kConv.Macs()), Counter::kIsIterationInvariantRate);
  }
  if (options.mode != RunMode::kFunctionOnly) {
    state.counters["cycles"] = static_cast<double>(cycles);
    state.counters["cycles/s"] =
        Counter(static_cast<double>(cycles), Counter::kIsIterationInvariantRate);
  }
}

void BM_FunctionAndTime(benchmark::State& state, const Microkernels* kernels) {
  SelectMicrokernels(kernels->name);
  Run(state, {});
  SelectMicrokernels("best");
}
void BM_TimeOnly(benchmark::State& state) { Run(state, {.mode = RunMode::kTimeOnly}); }
void BM_FunctionOnly(benchmark::State& state) { Run(state, {.mode = RunMode::kFunctionOnly}); }

void TimeOnly(benchmark::State& state, const Hardware& hw, const Program& program) {
  int64_t cycles = 0;
  int64_t instructions = 0;
  for (auto _ : state) {
    const RunResult result = *RunProgram(program, hw, nullptr, {.mode = RunMode::kTimeOnly});
    cycles = result.counters.cycles;
    instructions = result.counters.instructions;
  }
  using benchmark::Counter;
  state.counters["cycles"] = static_cast<double>(cycles);
  state.counters["cycles/s"] =
      Counter(static_cast<double>(cycles), Counter::kIsIterationInvariantRate);
  state.counters["instructions/s"] =
      Counter(static_cast<double>(instructions), Counter::kIsIterationInvariantRate);
}

void BM_TimeOnlyGemm1024(benchmark::State& state) {
  Hardware hw = *BuiltinHardware("acme_a1");
  hw.scratchpad_bytes = 4 << 20;
  TimeOnly(state, hw, *Program::Decode(GemmProgram(hw, {1024, 1024, 1024})));
}

// What is worst for a simulator that jumps from event to event: additions of 64 elements, each
// waiting for the other engine.
void BM_TimeOnlySmallInstructions(benchmark::State& state) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  ProgramBuilder b;
  b.Emit(isa::VShape{64, 1, 1, 1});
  for (View view : {View::kDst, View::kA, View::kB}) b.Emit(isa::VView{view, 1, 64, 64, 64});
  b.BeginLoop(10000);
  b.Emit(isa::VBinary{.op = BinaryOp::kMax, .dtype = Dtype::kI8, .dst = 0, .a = 64, .b = 128},
         Post(1));
  b.Emit(isa::StCopy{.binding = 1, .spm = 0, .bytes = 64}, Wait(1) & Post(2));
  b.Emit(isa::VNop{}, Wait(2));
  b.EndLoop();
  b.Halt();
  TimeOnly(state, hw, *Program::Decode(*b.Finish()));
}

// What takes SCALE-Sim v3 106 s and 532 MB: MobileNet v1 on a 32x32 array. peak_rss_MB is that of
// the process: run this one alone (--benchmark_filter=LikeScaleSim).
void BM_MobileNetV1LikeScaleSim(benchmark::State& state) {
  const Hardware hw = ScaleSimHardware(32);
  std::vector<Program> layers;
  for (const GemmSize& layer : MobileNetV1Layers())
    layers.push_back(*Program::Decode(FoldsProgram(hw, layer)));
  int64_t cycles = 0;
  for (auto _ : state) {
    cycles = 0;
    for (const Program& layer : layers) {
      cycles += RunProgram(layer, hw, nullptr, {.mode = RunMode::kTimeOnly})->counters.cycles;
    }
  }
  state.counters["cycles"] = static_cast<double>(cycles);
  state.counters["cycles/s"] = benchmark::Counter(static_cast<double>(cycles),
                                                  benchmark::Counter::kIsIterationInvariantRate);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_rss_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}
BENCHMARK(BM_MobileNetV1LikeScaleSim)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TimeOnly)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FunctionOnly)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TimeOnlyGemm1024)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TimeOnlySmallInstructions)->Unit(benchmark::kMillisecond);

const bool kRegistered = [] {
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    benchmark::RegisterBenchmark(("BM_FunctionAndTime/" + std::string(kernels->name)).c_str(),
                                 BM_FunctionAndTime, kernels)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Products of matrices and vectors, rounding to 8 bits and functions of rows, on the best instruction set
// of the machine or that of NPUKIT_CPU_ISA: NAME/ELEMENTS, with elements per second.

#include <benchmark/benchmark.h>

#include <vector>

#include "sdk/host/kernels/fixed_point/dynamic_quantization.h"
#include "sdk/host/kernels/microkernels/microkernels.h"

namespace npukit::kernels {
namespace {

std::vector<float> Ramp(int64_t count) {
  std::vector<float> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 97) / 16 - 3;
  return values;
}

void CountElems(benchmark::State& state, int64_t elems) {
  state.counters["elems/s"] =
      benchmark::Counter(static_cast<double>(elems), benchmark::Counter::kIsIterationInvariantRate);
}

// A square matrix by a vector.
void DotInt8(benchmark::State& state) {
  const int64_t side = state.range(0);
  const std::vector<int8_t> weights(static_cast<size_t>(side * side), 3);
  const std::vector<int8_t> vector(static_cast<size_t>(side), -7);
  std::vector<int32_t> sums(static_cast<size_t>(side));
  for (auto _ : state) {
    MicrokernelsFor(DetectCpuIsa())
        .dot_int8(weights.data(), side, side, vector.data(), 5, sums.data());
    benchmark::DoNotOptimize(sums.data());
  }
  CountElems(state, side * side);
}
BENCHMARK(DotInt8)->Arg(20)->Arg(128)->Arg(1024);

void DotFloat(benchmark::State& state) {
  const int64_t side = state.range(0);
  const std::vector<float> weights = Ramp(side * side);
  const std::vector<float> vector = Ramp(side);
  std::vector<float> sums(static_cast<size_t>(side));
  for (auto _ : state) {
    MicrokernelsFor(DetectCpuIsa())
        .dot_float(weights.data(), side, side, vector.data(), sums.data());
    benchmark::DoNotOptimize(sums.data());
  }
  CountElems(state, side * side);
}
BENCHMARK(DotFloat)->Arg(20)->Arg(128)->Arg(1024);

void RoundRow(benchmark::State& state) {
  const std::vector<float> row = Ramp(state.range(0));
  std::vector<int8_t> stored(row.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(QuantizeDynamically(row, /*asymmetric=*/true, stored.data(),
                                                 &MicrokernelsFor(DetectCpuIsa())));
  }
  CountElems(state, state.range(0));
}
BENCHMARK(RoundRow)->Arg(64)->Arg(8192);

void RunRow(benchmark::State& state, void (*row)(const float*, int64_t, float*)) {
  const std::vector<float> in = Ramp(state.range(0));
  std::vector<float> out(in.size());
  for (auto _ : state) {
    row(in.data(), state.range(0), out.data());
    benchmark::DoNotOptimize(out.data());
  }
  CountElems(state, state.range(0));
}
BENCHMARK_CAPTURE(RunRow, exp, MicrokernelsFor(DetectCpuIsa()).exp)->Arg(4096);
BENCHMARK_CAPTURE(RunRow, logistic, MicrokernelsFor(DetectCpuIsa()).logistic)->Arg(4096);
BENCHMARK_CAPTURE(RunRow, tanh, MicrokernelsFor(DetectCpuIsa()).tanh)->Arg(4096);

}  // namespace
}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

const std::string kMobileNet = SharedDir() + "/models/tf2_mobilenet_v2_1.0_224_ptq.tflite";

void LoadMobileNet(benchmark::State& state) {
  for (auto _ : state) {
    auto model = LoadModel(kMobileNet);
    if (!model) return state.SkipWithError(model.Error().Message().c_str());
    benchmark::DoNotOptimize(*model);
  }
}
BENCHMARK(LoadMobileNet)->Unit(benchmark::kMicrosecond);

void SaveMobileNet(benchmark::State& state) {
  auto model = LoadModel(kMobileNet);
  if (!model) return state.SkipWithError(model.Error().Message().c_str());
  for (auto _ : state) {
    auto saved = SerializeModel(**model);
    if (!saved) return state.SkipWithError(saved.Error().Message().c_str());
    benchmark::DoNotOptimize(*saved);
  }
}
BENCHMARK(SaveMobileNet)->Unit(benchmark::kMicrosecond);

// A chain of ops: time per op must not grow with their number.
std::unique_ptr<Model> Chain(int64_t num_ops) {
  ModelBuilder builder;
  Tensor* last = builder.Input("x", kLiteRtElementTypeFloat32, {1, 64});
  for (int64_t i = 0; i < num_ops; ++i) {
    Tensor* next = builder.Value(fmt::format("v{}", i), kLiteRtElementTypeFloat32, {1, 64});
    builder.AddOp(kLiteRtOpCodeTflMul, {last, last}, {next});
    last = next;
  }
  builder.Output(last);
  return builder.BuildUnchecked();
}

void ParseChain(benchmark::State& state) {
  const auto model = Chain(state.range(0));
  auto bytes = SerializeModel(*model);
  const SharedBytes file = SharedBytes::Take(std::move(*bytes));
  for (auto _ : state) {
    auto parsed = ParseModel(file);
    benchmark::DoNotOptimize(*parsed);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(ParseChain)->Range(64, 32768)->Unit(benchmark::kMicrosecond);

void SerializeChain(benchmark::State& state) {
  const auto model = Chain(state.range(0));
  for (auto _ : state) {
    auto bytes = SerializeModel(*model);
    benchmark::DoNotOptimize(*bytes);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(SerializeChain)->Range(64, 32768)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace npukit

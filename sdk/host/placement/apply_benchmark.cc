// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The host's part of compiling ahead of time: load, partition, outline, save, with a plugin that
// selects everything and compiles nothing. Must be linear in ops, and below 50 ms for MobileNet v2.

#include <benchmark/benchmark.h>

#include <filesystem>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/placement/partition_by_selector.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

void ApplyToMobileNet(benchmark::State& state) {
  const std::string path = SharedDir() + "/models/tf2_mobilenet_v2_1.0_224_ptq.tflite";
  if (!std::filesystem::exists(path)) {
    state.SkipWithError("the model is not there");
    return;
  }
  const auto plugin = LoadedPlugin::Load(
      NPUKIT_BUILD_DIR "/test_plugins/selects_all/libLiteRtCompilerPlugin_selects_all.so");
  if (!plugin) {
    state.SkipWithError(plugin.Error().Message().c_str());
    return;
  }
  const LoadedPlugin* const plugins[] = {&*plugin};
  const std::string output =
      (std::filesystem::temp_directory_path() / "npukit_apply.tflite").string();
  for (auto _ : state) {
    auto model = LoadModel(path);
    auto result = ApplyPlugins(**model, plugins);
    auto saved = SaveModel(*result->model, output);
    if (!saved) state.SkipWithError(saved.Error().Message().c_str());
  }
  std::filesystem::remove(output);
}
BENCHMARK(ApplyToMobileNet)->Unit(benchmark::kMillisecond);

// Diamonds of four ops; a selector leaves out one op of each.
std::unique_ptr<Model> Diamonds(int64_t op_count) {
  ModelBuilder b;
  Tensor* value = b.Input("x", kLiteRtElementTypeFloat32, {4});
  const auto add = [&](LiteRtOpCode code, Tensor* left, Tensor* right) {
    Tensor* out = b.Value("v", kLiteRtElementTypeFloat32, {4});
    b.AddOp(code, {left, right}, {out});
    return out;
  };
  for (int64_t i = 0; i < op_count; i += 4) {
    Tensor* top = add(kLiteRtOpCodeTflMul, value, value);
    Tensor* left = add(kLiteRtOpCodeTflMul, top, top);
    Tensor* right = add(kLiteRtOpCodeTflAdd, top, top);
    value = add(kLiteRtOpCodeTflMul, left, right);
  }
  b.Output(value);
  return b.BuildUnchecked();
}

void PartitionDiamonds(benchmark::State& state) {
  const auto model = Diamonds(state.range(0));
  const Selector selector = [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    SelectorAnswer answer;
    for (const auto& op : subgraph.ops()) {
      if (op->code == kLiteRtOpCodeTflMul) answer.selection.push_back({op.get(), 0});
    }
    return answer;
  };
  for (auto _ : state) {
    auto result = PartitionBySelector(*model, selector);
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * state.range(0));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(PartitionDiamonds)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

}  // namespace
}  // namespace npukit

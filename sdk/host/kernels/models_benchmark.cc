// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whole models, kernels only: every op after the other on memory of its own. Arguments: threads.
// One op alone: --benchmark_filter=Model/NAME/1, with NPUKIT_CPU_ISA to lower the instruction set.

#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sdk/host/kernels/testing/graph_executor.h"
#include "sdk/host/kernels/thread_pool.h"
#include "sdk/host/model/model_reader.h"

namespace npukit::kernels {
namespace {

void RunModel(benchmark::State& state, const std::string& name) {
  const std::string path = std::string(NPUKIT_SHARED_DIR) + "/models/" + name + ".tflite";
  auto model = LoadModel(path);
  if (!model) {
    state.SkipWithError("the shared models are not there");
    return;
  }
  const Subgraph& subgraph = (*model)->main_subgraph();
  const int threads = static_cast<int>(state.range(0));
  testing::GraphExecutor executor(subgraph, {.num_threads = threads});
  std::vector<std::vector<uint8_t>> inputs;
  for (const Tensor* input : subgraph.inputs) {
    inputs.emplace_back(DenseBytes(input->element_type, input->shape).value_or(0));
  }
  const std::unique_ptr<ThreadPool> pool = ThreadPool::Create(threads);
  if (auto done = executor.Run(inputs, pool.get()); !done) {
    state.SkipWithError(done.Error().Message().c_str());
    return;
  }
  for (auto _ : state) {
    auto done = executor.Rerun(pool.get());
    benchmark::DoNotOptimize(done);
  }
}

int RegisterAll() {
  for (const char* name : {"ad01_int8", "kws_ref_int8", "resnet8_int8", "vww_96_int8",
                           "mobilenet_v1_0.5_160_quant", "tf2_mobilenet_v2_1.0_224_ptq",
                           "ad01_fp32", "kws_ref_fp32", "resnet8_fp32", "vww_96_float"}) {
    benchmark::RegisterBenchmark((std::string("Model/") + name).c_str(), RunModel,
                                 std::string(name))
        ->Arg(1)
        ->Arg(2)
        ->Unit(benchmark::kMicrosecond)
        ->UseRealTime();
  }
  return 0;
}

const int kRegistered = RegisterAll();

}  // namespace
}  // namespace npukit::kernels

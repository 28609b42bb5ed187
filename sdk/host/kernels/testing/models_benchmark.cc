// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whole models, kernels only: every op after the other on memory of its own; argument: threads.
//   Model/NAME/THREADS, Ops/NAME: each op alone, single thread, as counters in microseconds by
//   operator.
// NPUKIT_CPU_ISA lowers the instruction set.

#include <benchmark/benchmark.h>

#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sdk/host/kernels/testing/graph_executor.h"
#include "sdk/host/kernels/thread_pool.h"
#include "sdk/host/model/reading/model_reader.h"
#include "tests/support/shared_dir.h"

namespace npukit::kernels {
namespace {

// A model and its executor after one run on zeros.
struct Loaded {
  std::unique_ptr<Model> model;
  std::unique_ptr<testing::GraphExecutor> executor;
};

std::string Load(const std::string& name, int threads, ThreadPool* pool, Loaded& loaded) {
  auto model = LoadModel(SharedDir() + "/models/" + name + ".tflite");
  if (!model) model = LoadModel(SharedDir() + "/models2/" + name + ".tflite");
  if (!model) return "the shared models are not there";
  loaded.model = std::move(*model);
  const Subgraph& subgraph = loaded.model->main_subgraph();
  loaded.executor =
      std::make_unique<testing::GraphExecutor>(subgraph, PrepareOptions{.num_threads = threads});
  std::vector<std::vector<uint8_t>> inputs;
  for (const Tensor* input : subgraph.inputs) {
    inputs.emplace_back(DenseBytes(input->element_type, input->shape).value_or(0));
  }
  auto done = loaded.executor->Run(inputs, pool);
  return done ? "" : done.Error().Message();
}

void RunModel(benchmark::State& state, const std::string& name) {
  const int threads = static_cast<int>(state.range(0));
  const std::unique_ptr<ThreadPool> pool = ThreadPool::Create(threads);
  Loaded loaded;
  if (std::string error = Load(name, threads, pool.get(), loaded); !error.empty()) {
    state.SkipWithError(error.c_str());
    return;
  }
  for (auto _ : state) {
    auto done = loaded.executor->Rerun(pool.get());
    benchmark::DoNotOptimize(done);
  }
}

void RunOps(benchmark::State& state, const std::string& name) {
  Loaded loaded;
  if (std::string error = Load(name, 1, nullptr, loaded); !error.empty()) {
    state.SkipWithError(error.c_str());
    return;
  }
  std::map<std::string, double> microseconds;
  constexpr int kRepeats = 50;
  for (auto _ : state) {
    for (size_t i = 0; i < loaded.executor->steps(); ++i) {
      const std::clock_t start = std::clock();
      for (int r = 0; r < kRepeats; ++r) {
        auto done = loaded.executor->RerunStep(i);
        benchmark::DoNotOptimize(done);
      }
      microseconds[OpName(loaded.executor->op_of(i))] +=
          static_cast<double>(std::clock() - start) * 1e6 / CLOCKS_PER_SEC / kRepeats;
    }
  }
  for (const auto& [op, total] : microseconds) {
    state.counters[op] = total / static_cast<double>(state.iterations());
  }
}

int RegisterAll() {
  // Those that take some 0.1 ms or more, and two that are small.
  for (const char* name : {"ad01_int8",
                           "ad01_fp32",
                           "attn_vec_einsum",
                           "kws_ref_int8",
                           "kws_ref_fp32",
                           "mobilenet_v1_0.25_128_quant",
                           "mobilenet_v1_0.5_160_quant",
                           "norm",
                           "resnet8_int8",
                           "resnet8_fp32",
                           "rope",
                           "simple_quantized_ops",
                           "tf2_mobilenet_v2_1.0_224_ptq",
                           "vww_96_int8",
                           "vww_96_float",
                           "FaceAntiSpoofing",
                           "MNIST_model_quantized",
                           "cifar10",
                           "cnn_s_quantized",
                           "dbface_keras_256x256_integer_quant_nhwc",
                           "deeplabv3_257_mv_gpu",
                           "deeplabv3_mnv2_pascal_quant",
                           "face_detection_front",
                           "micro_kws_m_quantized",
                           "mobilenet_v2_1.0_224_inat_bird_quant",
                           "object_detection_3d_chair_640x480_integer_quant",
                           "palm_detection_builtin_256_integer_quant",
                           "pnet",
                           "pose_detection",
                           "qwen_fc_blockwise_quantized",
                           "ssd",
                           "ssd_slim_120x160x1_v1_int8",
                           "style_transfer_quantized_384",
                           "toy_model_with_kv_cache_multi_signature",
                           "trained_lstm_int8",
                           "umatest"}) {
    benchmark::RegisterBenchmark((std::string("Model/") + name).c_str(), RunModel,
                                 std::string(name))
        ->Arg(1)
        ->Arg(2)
        ->Unit(benchmark::kMicrosecond)
        ->UseRealTime();
    benchmark::RegisterBenchmark((std::string("Ops/") + name).c_str(), RunOps, std::string(name))
        ->Unit(benchmark::kMicrosecond);
  }
  return 0;
}

const int kRegistered = RegisterAll();

}  // namespace
}  // namespace npukit::kernels

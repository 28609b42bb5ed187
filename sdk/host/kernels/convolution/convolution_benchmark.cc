// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Single convolutions of the sizes that networks have: Conv/LAYER/TYPE/THREADS, with products per
// second. A second thread should give 1.6 times as many.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "sdk/host/kernels/testing/graph_executor.h"
#include "sdk/host/kernels/thread_pool.h"
#include "sdk/host/model/graph/model_builder.h"

namespace npukit::kernels {
namespace {

struct Layer {
  const char* name;
  bool depthwise;
  int32_t size;  // rows and columns
  int32_t channels;
  int32_t filters;
  int32_t filter_size;

  int64_t macs() const {
    const int64_t terms = int64_t{filter_size} * filter_size * (depthwise ? 1 : channels);
    return int64_t{size} * size * filters * terms;
  }
};

constexpr Layer kLayers[] = {
    {"3x3_56x56x64", false, 56, 64, 64, 3},         {"3x3_14x14x256", false, 14, 256, 256, 3},
    {"1x1_56x56x64", false, 56, 64, 128, 1},        {"1x1_14x14x576", false, 14, 576, 96, 1},
    {"depthwise_112x112x96", true, 112, 96, 96, 3}, {"depthwise_14x14x576", true, 14, 576, 576, 3},
};

// kHybrid: float activations, int8 weights.
enum class Numbers { kInt8, kFloat32, kHybrid };

constexpr const char* NameOf(Numbers numbers) {
  return numbers == Numbers::kInt8 ? "int8" : numbers == Numbers::kFloat32 ? "float32" : "hybrid";
}

std::unique_ptr<Model> MakeModel(const Layer& layer, Numbers numbers) {
  const bool is_float = numbers != Numbers::kInt8;
  const LiteRtElementType type = is_float ? kLiteRtElementTypeFloat32 : kLiteRtElementTypeInt8;
  const LiteRtElementType weight_type =
      numbers == Numbers::kFloat32 ? kLiteRtElementTypeFloat32 : kLiteRtElementTypeInt8;
  const Quantization quantization = is_float ? Quantization{} : PerTensor(0.02f, 3);
  const Quantization weight_quantization =
      numbers == Numbers::kFloat32 ? Quantization{} : PerTensor(0.01f);
  const std::vector<int32_t> weight_shape =
      layer.depthwise ? std::vector<int32_t>{1, layer.filter_size, layer.filter_size, layer.filters}
                      : std::vector<int32_t>{layer.filters, layer.filter_size, layer.filter_size,
                                             layer.channels};
  ModelBuilder b;
  Tensor* x = b.Input("x", type, {1, layer.size, layer.size, layer.channels}, quantization);
  const std::vector<uint8_t> zeros(DenseBytes(weight_type, weight_shape).value_or(0));
  Tensor* w = b.Constant("w", weight_type, weight_shape, zeros, weight_quantization);
  const std::vector<uint8_t> bias(static_cast<size_t>(layer.filters) * 4);
  Tensor* c = b.Constant("bias", is_float ? type : kLiteRtElementTypeInt32, {layer.filters}, bias,
                         is_float ? Quantization{} : PerTensor(0.0002f));
  Tensor* y = b.Value("y", type, {1, layer.size, layer.size, layer.filters}, quantization);
  if (layer.depthwise) {
    b.AddOp(kLiteRtOpCodeTflDepthwiseConv2d,
            DepthwiseConv2DOptions{.stride_w = 1, .stride_h = 1, .depth_multiplier = 1}, {x, w, c},
            {y});
  } else {
    b.AddOp(kLiteRtOpCodeTflConv2d, Conv2DOptions{.stride_w = 1, .stride_h = 1}, {x, w, c}, {y});
  }
  b.Output(y);
  return b.BuildUnchecked();
}

void RunLayer(benchmark::State& state, const Layer& layer, Numbers numbers) {
  const int threads = static_cast<int>(state.range(0));
  const std::unique_ptr<Model> model = MakeModel(layer, numbers);
  const std::unique_ptr<ThreadPool> pool = ThreadPool::Create(threads);
  testing::GraphExecutor executor(model->main_subgraph(), PrepareOptions{.num_threads = threads});
  const Tensor& input = *model->main_subgraph().inputs[0];
  // As floats: 2^-63.
  const std::vector<uint8_t> bytes(DenseBytes(input.element_type, input.shape).value_or(0), 0x20);
  if (auto done = executor.Run({bytes}, pool.get()); !done) {
    state.SkipWithError(done.Error().Message().c_str());
    return;
  }
  for (auto _ : state) {
    auto done = executor.Rerun(pool.get());
    benchmark::DoNotOptimize(done);
  }
  state.counters["macs/s"] = benchmark::Counter(static_cast<double>(layer.macs()),
                                                benchmark::Counter::kIsIterationInvariantRate);
}

const bool kRegistered = [] {
  for (const Layer& layer : kLayers) {
    for (Numbers numbers : {Numbers::kInt8, Numbers::kFloat32, Numbers::kHybrid}) {
      const std::string name = std::string("Conv/") + layer.name + "/" + NameOf(numbers);
      benchmark::RegisterBenchmark(name.c_str(), RunLayer, layer, numbers)
          ->Arg(1)
          ->Arg(2)
          ->Unit(benchmark::kMicrosecond)
          ->UseRealTime();
    }
  }
  return true;
}();

}  // namespace
}  // namespace npukit::kernels

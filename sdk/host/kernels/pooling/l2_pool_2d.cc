// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/fixed_point/fused_activation.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/pooling/pooling.h"
#include "sdk/host/kernels/thread_pool.h"

namespace npukit::kernels {
namespace {

class L2PoolKernel final : public Kernel {
 public:
  L2PoolKernel(const Pooling& pooling, FloatRange range) : pooling_(pooling), clamp_(range) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    const int64_t channels = pooling_.channels;
    ParallelFor(context.pool, pooling_.out_pixels(), /*grain=*/64,
                [&](size_t begin, size_t end, int /*worker*/) {
                  for (size_t pixel = begin; pixel < end; ++pixel) {
                    float* sums = out + static_cast<int64_t>(pixel) * channels;
                    std::fill_n(sums, channels, 0.0f);
                    const int32_t count =
                        pooling_.ForEachPixel(static_cast<int64_t>(pixel), [&](int64_t from) {
                          for (int64_t c = 0; c < channels; ++c)
                            sums[c] += in[from + c] * in[from + c];
                        });
                    for (int64_t c = 0; c < channels; ++c)
                      sums[c] = clamp_(std::sqrt(sums[c] / static_cast<float>(count)));
                  }
                });
    return {};
  }

 private:
  Pooling pooling_;
  PlainRange<float> clamp_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Pooling pooling, PoolingOf(node));
  const FloatRange range = FloatActivationRange(pooling.activation);
  return std::unique_ptr<Kernel>(std::make_unique<L2PoolKernel>(pooling, range));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Pooling pooling, PoolingOf(node));
  const FloatRange range = FloatActivationRange(pooling.activation);
  for (int64_t pixel = 0; pixel < pooling.out_pixels(); ++pixel) {
    for (int64_t c = 0; c < pooling.channels; ++c) {
      BoundedSum sum;
      const int32_t count = pooling.ForEachPixel(pixel, [&](int64_t from) {
        const Bounded x = At(*inputs[0], from + c);
        sum.Add(ExactProduct(x, x));
      });
      const Bounded mean = Div(sum.Result(1), {static_cast<double>(count), 0});
      const Bounded root =
          Monotone([](double x) { return std::sqrt(std::max(x, 0.0)); }, mean, FunctionUlps::kSqrt);
      Put(outputs[0], pixel * pooling.channels + c, ClampTo(range, root));
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(L2Pool2d) = {
    .doc = {.formula =
                "activation(sqrt(mean of the squares of the window's elements that lie inside))",
            .source = "TFLite L2_POOL_2D, reference kernels"},
    .signature = "float32 -> float32",
    .infer = InferPooling,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

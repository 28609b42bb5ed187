// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <limits>

#include "sdk/host/kernels/fixed_point/fused_activation.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/pooling/pooling.h"
#include "sdk/host/kernels/thread_pool.h"

namespace npukit::kernels {
namespace {

template <typename T>
class MaxPoolKernel final : public Kernel {
 public:
  MaxPoolKernel(const Pooling& pooling, T min, T max) : pooling_(pooling), min_(min), max_(max) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    const int64_t channels = pooling_.channels;
    ParallelFor(context.pool, pooling_.out_pixels(), /*grain=*/64,
                [&](size_t begin, size_t end, int /*worker*/) {
                  for (size_t pixel = begin; pixel < end; ++pixel) {
                    T* to = out + static_cast<int64_t>(pixel) * channels;
                    std::fill_n(to, channels, std::numeric_limits<T>::lowest());
                    pooling_.ForEachPixel(static_cast<int64_t>(pixel), [&](int64_t from) {
                      for (int64_t c = 0; c < channels; ++c) to[c] = std::max(to[c], in[from + c]);
                    });
                    for (int64_t c = 0; c < channels; ++c)
                      to[c] = std::min(std::max(to[c], min_), max_);
                  }
                });
    return {};
  }

 private:
  Pooling pooling_;
  T min_;
  T max_;
};

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, const Pooling& pooling) {
  T min, max;
  if constexpr (std::is_floating_point_v<T>) {
    const FloatRange range = FloatActivationRange(pooling.activation);
    min = range.min;
    max = range.max;
  } else {
    LITERT_ASSIGN_OR_RETURN(const IntegerRange range,
                            ActivationRange(node, pooling.activation, *node.outputs[0]));
    min = static_cast<T>(range.min);
    max = static_cast<T>(range.max);
  }
  return std::unique_ptr<Kernel>(std::make_unique<MaxPoolKernel<T>>(pooling, min, max));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Pooling pooling, PoolingOf(node));
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return Make<int8_t>(node, pooling);
    case kLiteRtElementTypeUInt8:
      return Make<uint8_t>(node, pooling);
    case kLiteRtElementTypeInt16:
      return Make<int16_t>(node, pooling);
    default:
      return Make<float>(node, pooling);
  }
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const Pooling pooling, PoolingOf(node));
  const FloatRange range = FloatActivationRange(pooling.activation);
  for (int64_t pixel = 0; pixel < pooling.out_pixels(); ++pixel) {
    for (int64_t c = 0; c < pooling.channels; ++c) {
      Bounded best{std::numeric_limits<float>::lowest(), 0};
      pooling.ForEachPixel(pixel,
                           [&](int64_t from) { best = Max(best, At(*inputs[0], from + c)); });
      Put(outputs[0], pixel * pooling.channels + c, ClampTo(range, best));
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(MaxPool2d) = {
    .doc = {.formula = "activation(largest of the window's elements that lie inside)",
            .source = "TFLite MAX_POOL_2D, reference kernels"},
    .signature = "T -> T; T = float32|int8|uint8|int16",
    .infer = InferPooling,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

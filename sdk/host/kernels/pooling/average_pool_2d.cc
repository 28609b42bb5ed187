// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/fixed_point/fixed_point.h"
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

// Nearest integer, ties away from zero.
int32_t DivideRounded(int32_t sum, int32_t count) {
  return sum > 0 ? WrappingAdd(sum, count / 2) / count : WrappingSub(sum, count / 2) / count;
}

int32_t Plus(int32_t a, int32_t b) { return WrappingAdd(a, b); }
float Plus(float a, float b) { return a + b; }

// Sums of one output pixel's channels, one row of accumulators per worker in scratch.
template <typename T, typename Sum, typename Clamp>
class AveragePoolKernel final : public Kernel {
 public:
  AveragePoolKernel(const Pooling& pooling, Clamp clamp, int num_threads)
      : pooling_(pooling), clamp_(clamp) {
    scratch_bytes_ = static_cast<size_t>(num_threads) * pooling.channels * sizeof(Sum);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    Sum* all_sums = DataOf<Sum>(context.scratch);
    const int64_t channels = pooling_.channels;
    ParallelFor(context.pool, pooling_.out_pixels(), /*grain=*/64,
                [&](size_t begin, size_t end, int worker) {
                  Sum* sums = all_sums + worker * channels;
                  for (size_t pixel = begin; pixel < end; ++pixel) {
                    std::fill_n(sums, channels, Sum{0});
                    const int32_t count =
                        pooling_.ForEachPixel(static_cast<int64_t>(pixel), [&](int64_t from) {
                          for (int64_t c = 0; c < channels; ++c)
                            sums[c] = Plus(sums[c], static_cast<Sum>(in[from + c]));
                        });
                    T* to = out + static_cast<int64_t>(pixel) * channels;
                    for (int64_t c = 0; c < channels; ++c) to[c] = clamp_(sums[c], count);
                  }
                });
    return {};
  }

 private:
  Pooling pooling_;
  Clamp clamp_;
};

template <typename T, typename Sum, typename Clamp>
litert::Expected<std::unique_ptr<Kernel>> Make(const Pooling& pooling,
                                               const PrepareOptions& options, Clamp clamp) {
  return std::unique_ptr<Kernel>(
      std::make_unique<AveragePoolKernel<T, Sum, Clamp>>(pooling, clamp, options.num_threads));
}

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakeInteger(const Node& node, const Pooling& pooling,
                                                      const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const IntegerRange range,
                          ActivationRange(node, pooling.activation, *node.outputs[0]));
  return Make<T, int32_t>(pooling, options, [range](int32_t sum, int32_t count) {
    return static_cast<T>(std::clamp(DivideRounded(sum, count), range.min, range.max));
  });
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const Pooling pooling, PoolingOf(node));
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return MakeInteger<int8_t>(node, pooling, options);
    case kLiteRtElementTypeUInt8:
      return MakeInteger<uint8_t>(node, pooling, options);
    case kLiteRtElementTypeInt16:
      return MakeInteger<int16_t>(node, pooling, options);
    default:
      break;
  }
  const FloatRange range = FloatActivationRange(pooling.activation);
  return Make<float, float>(pooling, options,
                            [clamp = PlainRange<float>(range)](float sum, int32_t count) {
                              return clamp(sum / static_cast<float>(count));
                            });
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const Pooling pooling, PoolingOf(node));
  const FloatRange range = FloatActivationRange(pooling.activation);
  for (int64_t pixel = 0; pixel < pooling.out_pixels(); ++pixel) {
    for (int64_t c = 0; c < pooling.channels; ++c) {
      BoundedSum sum;
      const int32_t count =
          pooling.ForEachPixel(pixel, [&](int64_t from) { sum.Add(At(*inputs[0], from + c)); });
      const Bounded mean = Div(sum.Result(0), {static_cast<double>(count), 0});
      Put(outputs[0], pixel * pooling.channels + c, ClampTo(range, mean));
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(AveragePool2d) = {
    .doc = {.formula = "activation(sum of the window's elements that lie inside / their number); "
                       "integers: stored values, rounded to nearest, ties away from zero",
            .source = "TFLite AVERAGE_POOL_2D, reference kernels"},
    .signature = "T -> T; T = float32|int8|uint8|int16",
    .infer = InferPooling,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

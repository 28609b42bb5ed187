// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  const auto* options = node.op->OptionsAs<LocalResponseNormalizationOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  if (options->radius < 0) return InvalidNode(node, "has a negative radius");
  const Operand& in = *node.inputs[0];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  return Inferred{.shapes = {in.shape}};
}

// The channels from begin up to end that are summed for a channel. (TFLite's reference kernel leaves
// out the last one; its optimised kernel, and the definition, do not.)
struct Span {
  int64_t begin;
  int64_t end;
};
Span SpanAt(int64_t channel, int64_t channels, int64_t radius) {
  return {std::max<int64_t>(0, channel - radius), std::min(channels, channel + radius + 1)};
}

class LrnKernel final : public Kernel {
 public:
  explicit LrnKernel(const Node& node)
      : options_(*node.op->OptionsAs<LocalResponseNormalizationOptions>()),
        pixels_(ElemsOf(node.inputs[0]->shape, 0, 3)),
        channels_(node.inputs[0]->shape[3]) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    for (int64_t p = 0; p < pixels_; ++p, in += channels_, out += channels_) {
      for (int64_t c = 0; c < channels_; ++c) {
        const Span span = SpanAt(c, channels_, options_.radius);
        float sum = 0;
        for (int64_t k = span.begin; k < span.end; ++k) sum += in[k] * in[k] * options_.alpha;
        out[c] = in[c] * Power(options_.bias + sum);
      }
    }
    return {};
  }

 private:
  float Power(float base) const {
    if (options_.beta == 1) return 1.0f / base;
    if (options_.beta == 0.5f) return 1.0f / std::sqrt(base);
    return std::pow(base, -options_.beta);
  }

  LocalResponseNormalizationOptions options_;
  int64_t pixels_;
  int64_t channels_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return std::unique_ptr<Kernel>(std::make_unique<LrnKernel>(node));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  const auto& options = *node.op->OptionsAs<LocalResponseNormalizationOptions>();
  const int64_t channels = node.inputs[0]->shape[3];
  const double beta = options.beta;
  const Bounded alpha{options.alpha, 0};
  for (int64_t i = 0; i < outputs[0].elems(); ++i) {
    const int64_t pixel = i / channels * channels;
    const Span span = SpanAt(i - pixel, channels, options.radius);
    BoundedSum sum;
    for (int64_t k = pixel + span.begin; k < pixel + span.end; ++k) {
      const Bounded x = At(*inputs[0], k);
      sum.Add(ExactProduct(ExactProduct(x, x), alpha));
    }
    // An implementation may keep a running sum over all channels.
    Bounded window = sum.Result(3);
    window.bound += 2 * static_cast<double>(channels) * kRoundingUnit * window.reach();
    const Bounded base = Add({options.bias, 0}, window);
    const Bounded power =
        Monotone([&](double v) { return std::pow(v, -beta); }, base, FunctionUlps::kPow);
    Put(outputs[0], i, Mul(At(*inputs[0], i), power));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(LocalResponseNormalization) = {
    .doc = {.formula = "x / (bias + alpha * sum of x^2 over radius channels on either side)^beta",
            .source = "TFLite LOCAL_RESPONSE_NORMALIZATION, optimised kernel"},
    .signature = "float32 -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

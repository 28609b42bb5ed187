// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <utility>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/convolution/convolution_reference.h"
#include "sdk/host/kernels/convolution/fast_convolution.h"
#include "sdk/host/kernels/fixed_point/fused_activation.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/rounded_activations.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/packed_integers.h"

namespace npukit::kernels {
namespace {

// Plain loops over weights that need not be constant.
template <typename In, typename Weight, typename Out = In>
class DirectIntegerKernel final : public Kernel {
 public:
  DirectIntegerKernel(Convolution convolution, ConvQuantization quantization,
                      std::vector<Weight> weights, LiteRtElementType bias_type)
      : convolution_(convolution),
        quantization_(std::move(quantization)),
        weights_(std::move(weights)),
        bias_type_(bias_type) {
    packed_bytes_ = weights_.size() * sizeof(Weight);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const In* in = DataOf<In>(context.inputs[0]);
    const Weight* weights = weights_.empty() ? DataOf<Weight>(context.inputs[1]) : weights_.data();
    const bool has_bias = context.inputs.size() > 2 && !context.inputs[2].empty();
    Out* out = DataOf<Out>(context.outputs[0]);
    AccumulateIntegers(
        convolution_.geometry, in, quantization_.in_zero_point, weights,
        quantization_.weight_zero_point, [&](int64_t index, int64_t channel, int64_t sum) {
          if (has_bias) sum += BiasAt(context.inputs[2], channel);
          out[index] = static_cast<Out>(quantization_.requantizer.Apply(sum, channel));
        });
    return {};
  }

 private:
  int64_t BiasAt(std::span<const uint8_t> bias, int64_t channel) const {
    if (bias_type_ == kLiteRtElementTypeInt64) return DataOf<int64_t>(bias)[channel];
    return DataOf<int32_t>(bias)[channel];
  }

  Convolution convolution_;
  ConvQuantization quantization_;
  std::vector<Weight> weights_;  // unpacked int4; empty: the input's own
  LiteRtElementType bias_type_;
};

class DirectFloatKernel final : public Kernel {
 public:
  DirectFloatKernel(Convolution convolution, FloatRange range, std::vector<float> weights)
      : convolution_(convolution), clamp_(range), weights_(std::move(weights)) {
    packed_bytes_ = weights_.size() * sizeof(float);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const ConvGeometry& geometry = convolution_.geometry;
    const float* in = DataOf<float>(context.inputs[0]);
    const float* weights = weights_.empty() ? DataOf<float>(context.inputs[1]) : weights_.data();
    const bool has_bias = context.inputs.size() > 2 && !context.inputs[2].empty();
    const float* bias = has_bias ? DataOf<float>(context.inputs[2]) : nullptr;
    float* out = DataOf<float>(context.outputs[0]);
    ForEachOutput(geometry, [&](int64_t b, int64_t y, int64_t x, int64_t o, int64_t index) {
      float sum = 0;
      geometry.ForEachRun(b, y, x, o, [&](int64_t from, int64_t weight, int64_t count) {
        for (int64_t c = 0; c < count; ++c)
          sum += in[from + c] * weights[weight + c * geometry.weight_stride.c];
      });
      out[index] = clamp_(bias == nullptr ? sum : sum + bias[o]);
    });
    return {};
  }

 private:
  Convolution convolution_;
  PlainRange<float> clamp_;
  std::vector<float> weights_;  // dequantised; empty: the input's own
};

// Makes quantised weights real before each run; scratch holds them.
class ScaledWeightsKernel final : public Kernel {
 public:
  // `inner` needs no scratch.
  ScaledWeightsKernel(std::unique_ptr<Kernel> inner, WeightScaling scaling, size_t weights)
      : inner_(std::move(inner)), scaling_(std::move(scaling)), weights_(weights) {
    scratch_bytes_ = weights_ * sizeof(float);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const std::span<float> real(reinterpret_cast<float*>(context.scratch.data()), weights_);
    scaling_.Apply(context.inputs[1], real);
    std::array<std::span<const uint8_t>, 3> inputs;
    std::copy(context.inputs.begin(), context.inputs.end(), inputs.begin());
    inputs[1] = context.scratch.first(scratch_bytes_);
    RunContext inner = context;
    inner.inputs = std::span<const std::span<const uint8_t>>(inputs).first(context.inputs.size());
    return inner_->Run(inner);
  }

 private:
  std::unique_ptr<Kernel> inner_;
  WeightScaling scaling_;
  size_t weights_;
};

constexpr int64_t kMostFilters = int64_t{1} << 24;  // each has a multiplier and a bias in memory

// The microkernels copy the input with all its padding. Where a window reaches far beyond the
// input, as a dilation can say at will, that would be mostly padding.
bool ReachesNear(const ConvGeometry& geometry) {
  auto near = [](const Window& window) {
    return (window.filter - 1) * window.dilation <= 2 * window.in + 64;
  };
  return near(geometry.height) && near(geometry.width);
}

template <typename In, typename Weight>
litert::Expected<std::unique_ptr<Kernel>> MakeInteger(const Node& node,
                                                      const Convolution& convolution,
                                                      const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(ConvQuantization quantization, QuantizationOf(node, convolution));
  if (ReachesNear(convolution.geometry)) {
    // From the fastest to the most general: each maker refuses with null what its loops can't
    // compute exactly, and plain loops take the rest.
    if (auto kernel = MakeFastIntegerDepthwise(node, convolution, quantization, options))
      return kernel;
    if (auto kernel = MakeInPhases(convolution, options,
                                   [&](const Convolution& plain, const PrepareOptions& with) {
                                     return MakeFastIntegerConv(node, plain, quantization, with);
                                   })) {
      return kernel;
    }
  }
  const Operand& weights = *node.inputs[1];
  std::vector<Weight> unpacked;
  if constexpr (std::is_same_v<Weight, int8_t>) {
    if (IsPacked(weights.type()))
      unpacked = UnpackIntegers(weights.type(), weights.constant, weights.elems());
  }
  const LiteRtElementType bias_type =
      node.input(2) == nullptr ? kLiteRtElementTypeInt32 : node.input(2)->type();
  return std::unique_ptr<Kernel>(std::make_unique<DirectIntegerKernel<In, Weight>>(
      convolution, std::move(quantization), std::move(unpacked), bias_type));
}

// FULLY_CONNECTED of uint8 with an int16 output: rare, and plain.
litert::Expected<std::unique_ptr<Kernel>> MakeWideOutput(const Node& node,
                                                         const Convolution& convolution) {
  LITERT_ASSIGN_OR_RETURN(ConvQuantization quantization, QuantizationOf(node, convolution));
  if (quantization.requantizer.zero_point != 0)
    return InvalidNode(node, node.outputs[0], "must have the zero point 0");
  return std::unique_ptr<Kernel>(std::make_unique<DirectIntegerKernel<uint8_t, uint8_t, int16_t>>(
      convolution, std::move(quantization), std::vector<uint8_t>(), kLiteRtElementTypeInt32));
}

// The rows of activations that TFLite's hybrid kernel rounds together: images, or rows of
// FULLY_CONNECTED.
ActivationRows RowsOf(const Convolution& convolution) {
  const ConvGeometry& geometry = convolution.geometry;
  return ActivationRows::Dense(geometry.batches,
                               geometry.height.in * geometry.width.in * geometry.in_channels,
                               convolution.rounds_asymmetrically);
}

litert::Expected<std::unique_ptr<Kernel>> MakeDequantized(const Node& node,
                                                          const Convolution& convolution,
                                                          const PrepareOptions& options) {
  const FloatRange range = FloatActivationRange(convolution.activation);
  const Operand& weights = *node.inputs[1];
  if (!weights.has_constant()) {
    std::unique_ptr<Kernel> direct =
        std::make_unique<DirectFloatKernel>(convolution, range, std::vector<float>());
    if (weights.type() == kLiteRtElementTypeFloat32) return direct;
    LITERT_ASSIGN_OR_RETURN(WeightScaling scaling, WeightScaling::Of(node, convolution));
    return std::unique_ptr<Kernel>(std::make_unique<ScaledWeightsKernel>(
        std::move(direct), std::move(scaling), static_cast<size_t>(weights.elems())));
  }
  // Float weights are read where they lie, others dequantised.
  std::vector<float> dequantized;
  const auto* real = reinterpret_cast<const float*>(weights.constant.data());
  if (weights.type() != kLiteRtElementTypeFloat32) {
    LITERT_ASSIGN_OR_RETURN(dequantized, RealWeights(node, convolution, weights.constant));
    real = dequantized.data();
  }
  if (ReachesNear(convolution.geometry)) {
    if (auto kernel = MakeFastFloatDepthwise(node, convolution, range, real, options))
      return kernel;
    if (auto kernel = MakeInPhases(convolution, options,
                                   [&](const Convolution& plain, const PrepareOptions& with) {
                                     return MakeFastFloatConv(node, plain, range, real, with);
                                   })) {
      return kernel;
    }
  }
  return std::unique_ptr<Kernel>(
      std::make_unique<DirectFloatKernel>(convolution, range, std::move(dequantized)));
}

litert::Expected<std::unique_ptr<Kernel>> MakeFloat(const Node& node,
                                                    const Convolution& convolution,
                                                    const PrepareOptions& options) {
  const bool is_hybrid = node.inputs[1]->type() != kLiteRtElementTypeFloat32;
  const bool rounds = is_hybrid && options.hybrid == HybridMode::kAsTflite;
  if (rounds && ReachesNear(convolution.geometry)) {
    LITERT_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> hybrid,
                            MakeHybridConv(node, convolution, options));
    if (hybrid != nullptr) return hybrid;
  }
  LITERT_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> kernel,
                          MakeDequantized(node, convolution, options));
  if (!rounds) return kernel;
  return WithRoundedActivations(std::move(kernel), RowsOf(convolution));
}

}  // namespace

litert::Expected<std::unique_ptr<Kernel>> PrepareConvolution(const Node& node,
                                                             const Convolution& convolution,
                                                             const PrepareOptions& options) {
  if (convolution.geometry.out_channels > kMostFilters)
    return InvalidNode(node, node.inputs[1], "has too many filters");
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeFloat32:
      return MakeFloat(node, convolution, options);
    case kLiteRtElementTypeInt8:
      return MakeInteger<int8_t, int8_t>(node, convolution, options);
    case kLiteRtElementTypeUInt8:
      return MakeInteger<uint8_t, uint8_t>(node, convolution, options);
    default:
      if (node.inputs[1]->type() == kLiteRtElementTypeUInt8)
        return MakeWideOutput(node, convolution);
      if (node.inputs[1]->type() == kLiteRtElementTypeInt16) {
        return MakeInteger<int16_t, int16_t>(node, convolution, options);
      }
      return MakeInteger<int16_t, int8_t>(node, convolution, options);
  }
}

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Float activations with weights of 8 bits or less, as TFLite's hybrid kernels compute them: the
// activations of a batch are rounded to 8 bits, the integer loops run, and their sums become real.

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "sdk/host/kernels/convolution/fast_convolution.h"
#include "sdk/host/kernels/fixed_point/dynamic_quantization.h"
#include "sdk/host/kernels/microkernels/microkernels.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {
namespace {

// Scratch: the inner kernel's, the rounded activations, and a scale and a zero point per batch.
class HybridConvKernel final : public Kernel {
 public:
  // `inner` takes RoundedInputs of `batches` times `elems`.
  HybridConvKernel(std::unique_ptr<Kernel> inner, int64_t batches, int64_t elems, bool asymmetric,
                   const Microkernels& microkernels)
      : inner_(std::move(inner)),
        batches_(static_cast<size_t>(batches)),
        elems_(static_cast<size_t>(elems)),
        asymmetric_(asymmetric),
        microkernels_(microkernels) {
    scratch_bytes_ = AlignedTo64(inner_->scratch_bytes()) + AlignedTo64(batches_ * elems_) +
                     batches_ * (sizeof(float) + sizeof(int32_t));
    packed_bytes_ = inner_->packed_bytes();
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    uint8_t* stored = context.scratch.data() + AlignedTo64(inner_->scratch_bytes());
    uint8_t* scale_bytes = stored + AlignedTo64(batches_ * elems_);
    auto* scales = reinterpret_cast<float*>(scale_bytes);
    auto* zero_points = reinterpret_cast<int32_t*>(scales + batches_);
    const float* in = DataOf<float>(context.inputs[0]);
    for (size_t b = 0; b < batches_; ++b) {
      const DynamicScale scale =
          QuantizeDynamically({in + b * elems_, elems_}, asymmetric_,
                              reinterpret_cast<int8_t*>(stored) + b * elems_, &microkernels_);
      scales[b] = scale.scale;
      zero_points[b] = scale.zero_point;
    }
    const std::array<std::span<const uint8_t>, 3> inputs = {
        std::span<const uint8_t>(stored, batches_ * elems_),
        {scale_bytes, batches_ * sizeof(float)},
        {reinterpret_cast<const uint8_t*>(zero_points), batches_ * sizeof(int32_t)}};
    RunContext inner = context;
    inner.inputs = inputs;
    inner.scratch = context.scratch.first(inner_->scratch_bytes());
    return inner_->Run(inner);
  }

 private:
  std::unique_ptr<Kernel> inner_;
  size_t batches_;
  size_t elems_;
  bool asymmetric_;
  const Microkernels& microkernels_;
};

std::vector<float> BiasOf(const Operand& bias) {
  std::vector<float> values(static_cast<size_t>(bias.elems()));
  if (!values.empty())
    std::memcpy(values.data(), bias.constant.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace

litert::Expected<std::unique_ptr<Kernel>> MakeHybridConv(const Node& node,
                                                         const Convolution& convolution,
                                                         const PrepareOptions& options) {
  const ConvGeometry& geometry = convolution.geometry;
  const int64_t elems = geometry.height.in * geometry.width.in * geometry.in_channels;
  if (!HasConstants(node) || geometry.batches * elems == 0) return std::unique_ptr<Kernel>();
  LITERT_ASSIGN_OR_RETURN(WeightScaling scaling, WeightScaling::Of(node, convolution));
  // Scales of blocks change within a sum, which integers can't then add up.
  if (static_cast<int64_t>(scaling.scales.size()) != geometry.out_channels)
    return std::unique_ptr<Kernel>();
  RoundedWeights weights{.stored = NarrowWeightsOf(node, scaling.zero_point),
                         .scales = std::move(scaling.scales)};
  if (weights.stored.empty()) return std::unique_ptr<Kernel>();
  if (const Operand* bias = node.input(2); bias != nullptr) weights.bias = BiasOf(*bias);
  std::unique_ptr<Kernel> inner = MakeFastRoundedDepthwise(convolution, weights, options);
  if (inner == nullptr) {
    inner = MakeInPhases(convolution, options, [&](const Convolution& plain, const auto& with) {
      return MakeFastRoundedConv(node, plain, weights, with);
    });
  }
  if (inner == nullptr) return std::unique_ptr<Kernel>();
  return std::unique_ptr<Kernel>(std::make_unique<HybridConvKernel>(
      std::move(inner), geometry.batches, elems, convolution.rounds_asymmetrically,
      MicrokernelsFor(options.isa)));
}

}  // namespace npukit::kernels

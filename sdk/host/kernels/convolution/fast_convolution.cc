// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/convolution/fast_convolution.h"

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/packed_integers.h"

namespace npukit::kernels {
namespace {

// A transposed convolution as plain ones that write into one output.
class PhasesKernel final : public Kernel {
 public:
  explicit PhasesKernel(std::vector<std::unique_ptr<Kernel>> phases) : phases_(std::move(phases)) {
    for (const auto& phase : phases_) {
      scratch_bytes_ = std::max(scratch_bytes_, phase->scratch_bytes());
      packed_bytes_ += phase->packed_bytes();
    }
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    for (const auto& phase : phases_) LITERT_RETURN_IF_ERROR(phase->Run(context));
    return {};
  }

 private:
  std::vector<std::unique_ptr<Kernel>> phases_;
};

}  // namespace

bool HasConstants(const Node& node) {
  const Operand* bias = node.input(2);
  return node.inputs[1]->has_constant() && (bias == nullptr || bias->has_constant());
}

std::vector<int64_t> ConstantBias(const Node& node) {
  const Operand* bias = node.input(2);
  return bias == nullptr ? std::vector<int64_t>() : WidenBias(bias->type(), bias->constant);
}

NarrowWeights NarrowWeightsOf(const Node& node, int32_t weight_zero_point) {
  const Operand& weights = *node.inputs[1];
  NarrowWeights narrow{.zero_point = weight_zero_point};
  if (!weights.has_constant()) return narrow;
  const std::span<const uint8_t> bytes = weights.constant;
  if (IsPacked(weights.type())) {
    narrow.unpacked = UnpackIntegers(weights.type(), bytes, weights.elems());
    narrow.bytes = {reinterpret_cast<const uint8_t*>(narrow.unpacked.data()),
                    narrow.unpacked.size()};
  } else if (weights.type() == kLiteRtElementTypeInt8 || AreSignedBytes(node)) {
    narrow.bytes = bytes;
  } else if (weights.type() == kLiteRtElementTypeUInt8) {
    narrow.bytes = bytes;
    narrow.flipped_bits = 0x80;
    narrow.zero_point -= 128;
  }
  return narrow;
}

std::unique_ptr<Kernel> MakeInPhases(const Convolution& convolution, const PrepareOptions& options,
                                     const PlainConvMaker& make) {
  if (!convolution.geometry.transposed) return make(convolution, options);
  PrepareOptions of_phase = options;
  of_phase.spent = {};  // every phase reads the weights
  std::vector<std::unique_ptr<Kernel>> phases;
  for (const ConvGeometry& geometry : PhasesOf(convolution.geometry)) {
    Convolution phase = convolution;
    phase.geometry = geometry;
    std::unique_ptr<Kernel> kernel = make(phase, of_phase);
    if (kernel == nullptr) return nullptr;
    phases.push_back(std::move(kernel));
  }
  if (phases.empty()) return nullptr;
  return std::make_unique<PhasesKernel>(std::move(phases));
}

}  // namespace npukit::kernels

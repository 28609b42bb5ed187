// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/convolution/fast_convolution.h"

#include "sdk/host/kernels/packed_integers.h"

namespace npukit::kernels {

bool HasConstants(const Node& node) {
  const Operand* bias = node.input(2);
  return node.inputs[1]->has_constant() && (bias == nullptr || bias->has_constant());
}

std::vector<int64_t> ConstantBias(const Node& node) {
  const Operand* bias = node.input(2);
  return bias == nullptr ? std::vector<int64_t>() : WidenBias(bias->type(), bias->constant);
}

NarrowWeights NarrowWeightsOf(const Node& node, const ConvQuantization& quantization) {
  const Operand& weights = *node.inputs[1];
  NarrowWeights narrow{.zero_point = quantization.weight_zero_point};
  if (!weights.has_constant()) return narrow;
  const std::span<const uint8_t> bytes = weights.constant;
  if (IsPacked(weights.type())) {
    narrow.unpacked = UnpackIntegers(weights.type(), bytes, weights.elems());
    narrow.bytes = {reinterpret_cast<const uint8_t*>(narrow.unpacked.data()),
                    narrow.unpacked.size()};
  } else if (weights.type() == kLiteRtElementTypeInt8) {
    narrow.bytes = bytes;
  } else if (weights.type() == kLiteRtElementTypeUInt8) {
    narrow.bytes = bytes;
    narrow.flipped_bits = 0x80;
    narrow.zero_point -= 128;
  }
  return narrow;
}

}  // namespace npukit::kernels

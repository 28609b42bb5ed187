// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Fast kernels for convolutions whose weights and bias are constant. Each maker gives null where
// its loops cannot compute the node's exact result; plain loops (convolution_kernel.cc) then take
// over.

#ifndef NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_FAST_CONVOLUTION_H_
#define NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_FAST_CONVOLUTION_H_

#include <memory>
#include <span>
#include <vector>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

// Constant weights as int8, read where they lie (int4: unpacked): uint8 weights count as their
// value less 128. Empty if they are not constant or int16.
struct NarrowWeights {
  std::span<const uint8_t> bytes;
  std::vector<int8_t> unpacked;  // what `bytes` lie in, for int4
  uint8_t flipped_bits = 0;
  int32_t zero_point = 0;  // of the int8 values

  bool empty() const { return bytes.empty(); }
  int8_t operator[](int64_t index) const {
    return static_cast<int8_t>(bytes[static_cast<size_t>(index)] ^ flipped_bits);
  }
};
NarrowWeights NarrowWeightsOf(const Node& node, const ConvQuantization& quantization);

// Whether weights and bias are known; the bias widened, empty where there is none.
bool HasConstants(const Node& node);
std::vector<int64_t> ConstantBias(const Node& node);

// Every output channel reads one input channel, and few read the same one: better one channel a
// lane than one panel a group.
inline bool IsDepthwise(const ConvGeometry& geometry) {
  return !geometry.transposed && geometry.channels_per_filter == 1 && geometry.in_channels > 1 &&
         geometry.filters_per_group <= 8;
}

std::unique_ptr<Kernel> MakeFastIntegerConv(const Node& node, const Convolution& convolution,
                                            const ConvQuantization& quantization,
                                            const PrepareOptions& options);
std::unique_ptr<Kernel> MakeFastIntegerDepthwise(const Node& node, const Convolution& convolution,
                                                 const ConvQuantization& quantization,
                                                 const PrepareOptions& options);
// `weights` are real values in the node's layout.
std::unique_ptr<Kernel> MakeFastFloatConv(const Node& node, const Convolution& convolution,
                                          FloatRange range, const float* weights,
                                          const PrepareOptions& options);
std::unique_ptr<Kernel> MakeFastFloatDepthwise(const Node& node, const Convolution& convolution,
                                               FloatRange range, const float* weights,
                                               const PrepareOptions& options);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_FAST_CONVOLUTION_H_

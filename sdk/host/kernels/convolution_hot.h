// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Fast kernels for convolutions whose weights and bias are constant. Each maker gives null where
// its loops cannot compute the node's exact result; plain loops (convolution_kernel.cc) then take
// over.

#ifndef NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_HOT_H_
#define NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_HOT_H_

#include <memory>
#include <vector>

#include "sdk/host/kernels/convolution.h"

namespace npukit::kernels {

// Constant weights as int8 and what was taken off them: uint8 weights are stored minus 128. Empty
// if they are not constant or int16.
struct NarrowWeights {
  std::vector<int8_t> values;
  int32_t zero_point = 0;  // of `values`
};
NarrowWeights NarrowWeightsOf(const Node& node, const ConvQuantization& quantization);

// Every output channel reads one input channel, and few read the same one: better one channel a
// lane than one panel a group.
inline bool IsDepthwise(const ConvGeometry& geometry) {
  return !geometry.transposed && geometry.channels_per_filter == 1 && geometry.in_channels > 1 &&
         geometry.filters_per_group <= 8;
}

std::unique_ptr<Kernel> MakeHotIntegerConv(const Node& node, const Convolution& convolution,
                                           const ConvQuantization& quantization,
                                           const PrepareOptions& options);
std::unique_ptr<Kernel> MakeHotIntegerDepthwise(const Node& node, const Convolution& convolution,
                                                const ConvQuantization& quantization,
                                                const PrepareOptions& options);
// `weights` are real values in the node's layout.
std::unique_ptr<Kernel> MakeHotFloatConv(const Node& node, const Convolution& convolution,
                                         FloatRange range, const float* weights,
                                         const PrepareOptions& options);
std::unique_ptr<Kernel> MakeHotFloatDepthwise(const Node& node, const Convolution& convolution,
                                              FloatRange range, const float* weights,
                                              const PrepareOptions& options);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_HOT_H_

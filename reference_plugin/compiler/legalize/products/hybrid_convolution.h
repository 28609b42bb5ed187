// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CONV_2D and DEPTHWISE_CONV_2D of float32 by int8 weights: as TFLite's hybrid kernels, each image is
// rounded to int8 by a scale of its own (rounded_activations.h), symmetrically where all filters have
// one scale, else with a zero point.
//
//   CONV_2D: x -> rounded: i8 -> [zero points around it] -> Conv, whose drain makes float32 of its sums
//   of several images, each with a zero point of its own:
//     x -> zeros around it -> rounded: i8 -> Conv -> - zero point x sum of the weights -> x scale -> + bias
//   DEPTHWISE_CONV_2D: x -> rounded: i8 -> [zero points around it] -> Depthwise, which makes float32 of its sums
//   several groups, and DEPTHWISE_CONV_2D of several images: x -> rounded: i8 -> real: f32 -> convolution by real weights

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_HYBRID_CONVOLUTION_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_HYBRID_CONVOLUTION_H_

#include "reference_plugin/compiler/legalize/products/convolution.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"

namespace acme::compiler {

inline bool IsHybrid(const ConvolutionOperands& operands) {
  return operands.dtype() == Dtype::kF32 && operands.w.value.dtype == Dtype::kI8;
}

// Of hybrid operands: one scale, or one an output channel; zero points of 0.
Expected<void> CheckHybrid(const ConvolutionOperands& operands, int32_t channel_dimension);

// CONV_2D of one group; `whole` says all but its operands.
Expected<void> AddHybridConvolution(const litert::Op& op, const ConvolutionOperands& operands,
                                    const Conv& whole, const Hardware& hardware,
                                    NetworkBuilder& builder);

// Whether DEPTHWISE_CONV_2D of so many images and channels has room for what follows.
bool RoundsDepthwise(const Depthwise& whole, const Hardware& hardware);
// The operation that takes rounded activations in the place of the real ones; `whole` says all but
// its operands.
Expected<Depthwise> AddRoundedDepthwise(const litert::Op& op, const ConvolutionOperands& operands,
                                        const Depthwise& whole, NetworkBuilder& builder);

// The activations as float32 after rounding, and the weights as float32.
struct RealOperands {
  ValueId x = kNoValue;
  ValueId w = kNoValue;
};
Expected<RealOperands> AddRealOperands(const litert::Op& op, const ConvolutionOperands& operands,
                                       int32_t channel_dimension, NetworkBuilder& builder);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_HYBRID_CONVOLUTION_H_

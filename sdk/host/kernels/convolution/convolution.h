// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV and FULLY_CONNECTED share: quantisation, the plain
// loops that define their results, and the choice of a fast kernel.
//
// Inputs: 0 activations, 1 weights, 2 bias (optional); TRANSPOSE_CONV brings its own into this order.
//   activations   weights
//   float32       float32; or int8, uint8, int4 ("hybrid"), which count as their real values, but for
//                 AreSignedBytes
//   int8          int8 or int4, per channel or per tensor, symmetric; int32 bias
//   uint8         uint8, per tensor with zero point; int32 bias
//   int16         (zero point 0) int8 or int4, symmetric; int32 or int64 bias

#ifndef NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONVOLUTION_H_
#define NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONVOLUTION_H_

#include <memory>
#include <span>
#include <vector>

#include "sdk/host/kernels/convolution/conv_geometry.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

// A node seen as sums of products.
struct Convolution {
  ConvGeometry geometry;
  ActivationFunctionType activation = ActivationFunctionType::kNone;
  Requantizer::Kind requantizer = Requantizer::Kind::kFixed32;
  int32_t channel_dimension = 0;       // of the weights: where per-channel scales apply
  bool asymmetric_hybrid = false;      // hybrid kernels may quantise activations with a zero point
  bool rounds_asymmetrically = false;  // and TFLite's does
};

// int4 and int2 weights must be constant, since they are unpacked beforehand.
litert::Expected<void> CheckWeights(const Node& node);
// uint8 weights of float activations without a zero point are signed bytes: converters before int8 was a
// type for weights wrote them so, and TFLite reads them so.
bool AreSignedBytes(const Node& node);
// Of input 2, if there is one.
litert::Expected<void> CheckBias(const Node& node, int64_t channels);

// Integer parameters of a quantised node.
struct ConvQuantization {
  int32_t in_zero_point = 0;
  int32_t weight_zero_point = 0;
  Requantizer requantizer;
};
litert::Expected<ConvQuantization> QuantizationOf(const Node& node, const Convolution& convolution);

// A bias as int64: of type int64, or else of int32. The bytes need not be aligned.
std::vector<int64_t> WidenBias(LiteRtElementType type, std::span<const uint8_t> bytes);

// How quantised weights become real: element i has scale i / elems_per_scale, from the first again
// after the last.
struct WeightScaling {
  LiteRtElementType type;
  std::vector<float> scales;
  int64_t elems_per_scale = 1;
  int32_t zero_point = 0;

  static litert::Expected<WeightScaling> Of(const Node& node, const Convolution& convolution);
  // The first real.size() weights.
  void Apply(std::span<const uint8_t> bytes, std::span<float> real) const;
};

// The real values of float or quantised weights.
litert::Expected<std::vector<float>> RealWeights(const Node& node, const Convolution& convolution,
                                                 std::span<const uint8_t> bytes);

// OperatorParts::oracle and prepare for a node seen as `convolution`.
litert::Expected<void> ConvolutionOracle(const Node& node, const Convolution& convolution,
                                         std::span<const OracleTensor* const> inputs,
                                         std::span<OracleTensor> outputs);
litert::Expected<std::unique_ptr<Kernel>> PrepareConvolution(const Node& node,
                                                             const Convolution& convolution,
                                                             const PrepareOptions& options);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONVOLUTION_H_

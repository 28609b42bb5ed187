// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/convolution/convolution_reference.h"
#include "sdk/host/kernels/fixed_point/fused_activation.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/packed_integers.h"

namespace npukit::kernels {
namespace {

template <typename In, typename Out = In, typename Weight>
void IntegerOracle(const Convolution& convolution, const ConvQuantization& quantization,
                   const uint8_t* in, const Weight* weights, const std::vector<int64_t>& bias,
                   uint8_t* out) {
  AccumulateIntegers(convolution.geometry, reinterpret_cast<const In*>(in),
                     quantization.in_zero_point, weights, quantization.weight_zero_point,
                     [&](int64_t index, int64_t channel, int64_t sum) {
                       if (!bias.empty()) sum += bias[channel];
                       reinterpret_cast<Out*>(out)[index] =
                           static_cast<Out>(quantization.requantizer.Apply(sum, channel));
                     });
}

litert::Expected<void> QuantizedOracle(const Node& node, const Convolution& convolution,
                                       std::span<const OracleTensor* const> inputs,
                                       OracleTensor& output) {
  LITERT_ASSIGN_OR_RETURN(const ConvQuantization quantization, QuantizationOf(node, convolution));
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != nullptr && inputs[i]->is_uncertain()) {
      return UnsupportedNode(node, node.inputs[i],
                             "is uncertain, and bounds do not pass through integer sums");
    }
  }
  const OracleTensor* bias_tensor = inputs.size() > 2 ? inputs[2] : nullptr;
  std::vector<int64_t> bias;
  if (bias_tensor != nullptr) bias = WidenBias(bias_tensor->type, bias_tensor->bytes);
  const uint8_t* in = inputs[0]->bytes.data();
  const uint8_t* weights = inputs[1]->bytes.data();
  uint8_t* out = output.bytes.data();
  std::vector<int8_t> unpacked;
  if (IsPacked(inputs[1]->type))
    unpacked = UnpackIntegers(inputs[1]->type, inputs[1]->bytes, inputs[1]->elems());
  const int8_t* narrow =
      unpacked.empty() ? reinterpret_cast<const int8_t*>(weights) : unpacked.data();
  if (output.type == kLiteRtElementTypeUInt8) {
    IntegerOracle<uint8_t>(convolution, quantization, in, weights, bias, out);
  } else if (output.type == kLiteRtElementTypeInt8) {
    IntegerOracle<int8_t>(convolution, quantization, in, narrow, bias, out);
  } else if (inputs[1]->type == kLiteRtElementTypeUInt8) {
    IntegerOracle<uint8_t, int16_t>(convolution, quantization, in, weights, bias, out);
  } else if (inputs[1]->type == kLiteRtElementTypeInt16) {
    IntegerOracle<int16_t>(convolution, quantization, in, reinterpret_cast<const int16_t*>(weights),
                           bias, out);
  } else {
    IntegerOracle<int16_t>(convolution, quantization, in, narrow, bias, out);
  }
  return {};
}

// Weights as intervals: dequantised ones are one rounding away from the product of their integer
// and scale.
litert::Expected<OracleTensor> BoundedWeights(const Node& node, const Convolution& convolution,
                                              const OracleTensor& weights) {
  if (weights.is_float()) return weights;
  LITERT_ASSIGN_OR_RETURN(const std::vector<float> real,
                          RealWeights(node, convolution, weights.bytes));
  OracleTensor bounded{.type = kLiteRtElementTypeFloat32, .shape = weights.shape};
  bounded.values.assign(real.begin(), real.end());
  for (double value : bounded.values) bounded.bounds.push_back(kRoundingUnit * std::fabs(value));
  return bounded;
}

// How far a hybrid kernel may move each activation: TFLite rounds them to 8 bits, by the largest
// magnitude of a batch (to 127 steps, half a step of error) or by its range including 0 (255 steps,
// half a step and half a step of zero point).
double HybridStep(const OracleTensor& in, int64_t batch, int64_t batch_elems, bool asymmetric) {
  double low = 0;
  double high = 0;
  for (int64_t i = batch * batch_elems; i < (batch + 1) * batch_elems; ++i) {
    low = std::min(low, in.values[i] - in.bounds[i]);
    high = std::max(high, in.values[i] + in.bounds[i]);
  }
  const double symmetric_error = std::max(-low, high) / 127 / 2;
  const double asymmetric_error = (high - low) / 255;
  return (asymmetric ? std::max(symmetric_error, asymmetric_error) : symmetric_error) *
         (1 + 0x1p-20);
}

litert::Expected<void> FloatOracle(const Node& node, const Convolution& convolution,
                                   std::span<const OracleTensor* const> inputs,
                                   OracleTensor& output) {
  const OracleTensor& in = *inputs[0];
  const OracleTensor* bias = inputs.size() > 2 ? inputs[2] : nullptr;
  const ConvGeometry& geometry = convolution.geometry;
  LITERT_ASSIGN_OR_RETURN(const OracleTensor weights,
                          BoundedWeights(node, convolution, *inputs[1]));
  const FloatRange range = FloatActivationRange(convolution.activation);
  const bool hybrid = !inputs[1]->is_float();
  std::vector<double> moved(geometry.batches, 0.0);
  const int64_t batch_elems = geometry.height.in * geometry.width.in * geometry.in_channels;
  for (int64_t b = 0; hybrid && b < geometry.batches; ++b) {
    moved[b] = HybridStep(in, b, batch_elems, convolution.asymmetric_hybrid);
  }
  ForEachOutput(geometry, [&](int64_t b, int64_t y, int64_t x, int64_t o, int64_t index) {
    BoundedSum sum;
    geometry.ForEachRun(b, y, x, o, [&](int64_t from, int64_t weight, int64_t count) {
      for (int64_t c = 0; c < count; ++c) {
        const int64_t w = weight + c * geometry.weight_stride.c;
        Bounded value = At(in, from + c);
        value.bound += moved[b];
        sum.Add(ExactProduct(value, At(weights, w)));
      }
    });
    if (bias != nullptr) sum.Add(At(*bias, o));
    // Hybrid kernels scale the integer sum afterwards: two more roundings.
    Put(output, index, ClampTo(range, sum.Result(hybrid ? 3 : 1)));
  });
  return {};
}

}  // namespace

litert::Expected<void> ConvolutionOracle(const Node& node, const Convolution& convolution,
                                         std::span<const OracleTensor* const> inputs,
                                         std::span<OracleTensor> outputs) {
  if (outputs[0].is_float()) return FloatOracle(node, convolution, inputs, outputs[0]);
  return QuantizedOracle(node, convolution, inputs, outputs[0]);
}

}  // namespace npukit::kernels

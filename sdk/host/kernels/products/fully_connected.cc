// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels::op_fully_connected {
namespace {

// Activations of any shape, taken as [rows, depth]; weights [units, depth], bias [units]: a
// convolution of single pixels.
litert::Expected<Convolution> See(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& weights = *node.inputs[1];
  if (weights.shape.size() != 2) return InvalidNode(node, &weights, "must have 2 dimensions");
  const int64_t depth = weights.shape[1];
  if (depth < 1 || in.elems() % depth != 0) {
    return InvalidNode(node, &in,
                       "must have a multiple of the weights' depth, " + std::to_string(depth));
  }
  const auto* options = node.op->OptionsAs<FullyConnectedOptions>();
  static const FullyConnectedOptions kDefaults;
  if (options == nullptr) options = &kDefaults;
  if (options->weights_format != FullyConnectedOptionsWeightsFormat::kDefault) {
    return UnsupportedNode(
        node, "weights format " + EnumName(options->weights_format) + " is not supported");
  }
  if (weights.tensor->sparsity.has_value()) return UnsupportedNode(node, &weights, "is sparse");
  Convolution convolution{.activation = options->fused_activation_function,
                          .requantizer = Requantizer::Kind::kReal,
                          .asymmetric_hybrid = options->asymmetric_quantize_inputs};
  ConvGeometry& geometry = convolution.geometry;
  geometry.batches = in.elems() / depth;
  geometry.in_channels = depth;
  geometry.out_channels = weights.shape[0];
  geometry.channels_per_filter = depth;
  geometry.filters_per_group = weights.shape[0];
  geometry.weight_stride = {.o = depth, .y = depth, .x = depth, .c = 1};
  return convolution;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 2, .max_inputs = 3}));
  LITERT_RETURN_IF_ERROR(CheckConvolutionTypes(node, /*wide_weights=*/true));
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, See(node));
  const ConvGeometry& geometry = convolution.geometry;
  const Operand* bias = node.input(2);
  if (bias != nullptr && bias->elems() != geometry.out_channels) {
    return InvalidNode(node, bias,
                       "must have one element per unit: " + std::to_string(geometry.out_channels));
  }
  const auto* options = node.op->OptionsAs<FullyConnectedOptions>();
  const Operand& in = *node.inputs[0];
  const auto units = static_cast<int32_t>(geometry.out_channels);
  if (options == nullptr || !options->keep_num_dims) {
    LITERT_ASSIGN_OR_RETURN(Shape shape,
                            NarrowShape(node, std::vector<int64_t>{geometry.batches, units}));
    return Inferred{.shapes = {std::move(shape)}};
  }
  if (in.shape.empty() || in.shape.back() != geometry.in_channels) {
    return InvalidNode(node, &in,
                       "must end with the weights' depth, " + std::to_string(geometry.in_channels));
  }
  Shape shape = in.shape;
  shape.back() = units;
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, See(node));
  return PrepareConvolution(node, convolution, options);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, See(node));
  return ConvolutionOracle(node, convolution, inputs, outputs);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "out[r,o] = activation(bias[o] + sum over c of in[r,c] w[o,c]); int8, "
                       "uint8: accumulated in int32, "
                       "times s_in s_w[o] / s_out in float64, rounded half away from zero",
            .source = "TFLite FULLY_CONNECTED, reference kernels",
            .types = "float32; int8 with int8 or int4 weights; int16 with int8, int4 or int16 "
                     "weights; uint8; float32 with "
                     "int8, uint8 or int4 weights"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_fully_connected

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/recurrent/lstm_layer.h"

namespace npukit::kernels {
namespace {

constexpr size_t kAux = 39;
constexpr size_t kForwardAuxWeights = 40;
constexpr size_t kBackwardAuxWeights = 44;

// An auxiliary input with weights of its own is added to both layers; one without is what the second
// layer reads.
litert::Expected<std::vector<LstmLayer>> LayersOf(const Node& node) {
  const auto* options = node.op->OptionsAs<BidirectionalSequenceLSTMOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  const LstmOptions common{.activation = options->fused_activation_function,
                           .cell_clip = options->cell_clip,
                           .projection_clip = options->proj_clip,
                           .time_major = options->time_major,
                           .asymmetric = options->asymmetric_quantize_inputs};
  LstmPorts forward{.output_state = 35, .cell_state = 36};
  LstmPorts backward{.input_weights = 18,
                     .recurrent_weights = 22,
                     .peepholes = 26,
                     .biases = 29,
                     .projection = 33,
                     .projection_bias = 34,
                     .output_state = 37,
                     .cell_state = 38};
  const bool has_aux = node.input(kAux) != nullptr;
  if (has_aux && node.input(kForwardAuxWeights + kForgetGate) != nullptr) {
    forward.aux = backward.aux = kAux;
    forward.aux_weights = kForwardAuxWeights;
    backward.aux_weights = kBackwardAuxWeights;
  } else if (has_aux) {
    backward.input = kAux;
  }
  LITERT_ASSIGN_OR_RETURN(LstmLayer first, LstmLayerOf(node, forward, common));
  LITERT_ASSIGN_OR_RETURN(LstmLayer second, LstmLayerOf(node, backward, common));
  if (first.layout.batches != second.layout.batches || first.layout.steps != second.layout.steps)
    return InvalidNode(node, node.inputs[kAux], "must have the input's batches and steps");
  second.backwards = true;
  if (options->merge_outputs) {
    first.row_width = second.row_width = first.shape.outputs + second.shape.outputs;
    second.row_offset = first.shape.outputs;
  } else {
    second.output = 1;
  }
  return std::vector<LstmLayer>{first, second};
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<LstmLayer> layers, LayersOf(node));
  Inferred inferred;
  for (size_t output = 0; output <= layers.back().output; ++output) {
    Shape shape = node.inputs[0]->shape;
    shape.back() = static_cast<int32_t>(layers[output].row_width);
    inferred.shapes.push_back(std::move(shape));
  }
  return inferred;
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(std::vector<LstmLayer> layers, LayersOf(node));
  return PrepareFloatLstm(node, std::move(layers));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<LstmLayer> layers, LayersOf(node));
  return FloatLstmOracle(node, layers, inputs, outputs);
}

}  // namespace

// Inputs of the second clause: see LayersOf.
NPUKIT_DEFINE_OPERATOR(BidirectionalSequenceLstm) = {
    .doc = {.formula =
                "two LSTM layers, the second from the last step to the first; outputs apart, "
                "or in one row",
            .source = "TFLite BIDIRECTIONAL_SEQUENCE_LSTM"},
    .signature =
        "float32, float32?{47} -> float32, float32?; "
        "float32, "
        "int8?, int8, int8, int8, int8?, int8, int8, int8, int8?, int8?, int8?, "
        "float32?, float32, float32, float32, int8?, float32?, "
        "int8?, int8, int8, int8, int8?, int8, int8, int8, int8?, int8?, int8?, "
        "float32?, float32, float32, float32, int8?, float32?, "
        "float32, float32, float32, float32, float32?, int8?{8} -> float32, float32?",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

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
  const auto common = LstmOptions::Of(*options, options->time_major);
  LstmPorts forward{.output_state = 35, .cell_state = 36};
  LstmPorts backward{.input_weights = 18,
                     .recurrent_weights = 22,
                     .peepholes = 26,
                     .biases = 29,
                     .projection = 33,
                     .projection_bias = 34,
                     .output_state = 37,
                     .cell_state = 38};
  ReadAux(node, kAux, kForwardAuxWeights, kBackwardAuxWeights, kForwardAuxWeights + kForgetGate,
          forward, backward);
  LITERT_ASSIGN_OR_RETURN(LstmLayer first, LstmLayerOf(node, forward, common));
  LITERT_ASSIGN_OR_RETURN(LstmLayer second, LstmLayerOf(node, backward, common));
  LITERT_RETURN_IF_ERROR(
      JoinDirections(node, node.input(kAux), options->merge_outputs, first, second));
  return std::vector<LstmLayer>{first, second};
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<LstmLayer> layers, LayersOf(node));
  return InferLayers(node, layers);
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(std::vector<LstmLayer> layers, LayersOf(node));
  return PrepareFloatLstm(node, std::move(layers), options);
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
        "T?, T, T, T, T?, T, T, T, T?, T?, T?, "
        "float32?, float32, float32, float32, T?, float32?, "
        "T?, T, T, T, T?, T, T, T, T?, T?, T?, "
        "float32?, float32, float32, float32, T?, float32?, "
        "float32, float32, float32, float32, float32?, T?{8} -> float32, float32?; "
        "T = int8|uint8",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

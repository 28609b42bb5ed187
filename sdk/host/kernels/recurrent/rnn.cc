// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// RNN and the SEQUENCE_RNN operators.

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/recurrent/rnn_layer.h"

namespace npukit::kernels {
namespace {

struct Single {
  static litert::Expected<std::vector<RnnLayer>> LayersOf(const Node& node) {
    const auto* options = node.op->OptionsAs<RNNOptions>();
    if (options == nullptr) return InvalidNode(node, "has no options");
    if (node.inputs[0]->shape.size() != 2)
      return InvalidNode(node, node.inputs[0], "must have 2 dimensions");
    LITERT_ASSIGN_OR_RETURN(const RnnLayer layer,
                            RnnLayerOf(node, {},
                                       {.activation = options->fused_activation_function,
                                        .asymmetric = options->asymmetric_quantize_inputs}));
    return std::vector<RnnLayer>{layer};
  }
};

struct Sequence {
  static litert::Expected<std::vector<RnnLayer>> LayersOf(const Node& node) {
    const auto* options = node.op->OptionsAs<SequenceRNNOptions>();
    if (options == nullptr) return InvalidNode(node, "has no options");
    if (node.inputs[0]->shape.size() != 3)
      return InvalidNode(node, node.inputs[0], "must have 3 dimensions");
    LITERT_ASSIGN_OR_RETURN(const RnnLayer layer,
                            RnnLayerOf(node, {},
                                       {.activation = options->fused_activation_function,
                                        .time_major = options->time_major,
                                        .asymmetric = options->asymmetric_quantize_inputs}));
    return std::vector<RnnLayer>{layer};
  }
};

// Inputs: input; weights, recurrent weights, bias, state of the first layer, then of the second;
// auxiliary input, its weights of the first, of the second. An auxiliary input without weights is what
// the second layer reads.
struct Bidirectional {
  static litert::Expected<std::vector<RnnLayer>> LayersOf(const Node& node) {
    const auto* options = node.op->OptionsAs<BidirectionalSequenceRNNOptions>();
    if (options == nullptr) return InvalidNode(node, "has no options");
    if (node.inputs[0]->shape.size() != 3)
      return InvalidNode(node, node.inputs[0], "must have 3 dimensions");
    const RnnOptions common{.activation = options->fused_activation_function,
                            .time_major = options->time_major,
                            .asymmetric = options->asymmetric_quantize_inputs};
    constexpr size_t kAux = 9;
    RnnPorts forward;
    RnnPorts backward{.weights = 5, .recurrent = 6, .bias = 7, .state = 8};
    ReadAux(node, kAux, kAux + 1, kAux + 2, kAux + 1, forward, backward);
    LITERT_ASSIGN_OR_RETURN(RnnLayer first, RnnLayerOf(node, forward, common));
    LITERT_ASSIGN_OR_RETURN(RnnLayer second, RnnLayerOf(node, backward, common));
    LITERT_RETURN_IF_ERROR(
        JoinDirections(node, node.input(kAux), options->merge_outputs, first, second));
    return std::vector<RnnLayer>{first, second};
  }
};

template <typename Kind>
litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<RnnLayer> layers, Kind::LayersOf(node));
  return InferLayers(node, layers);
}

template <typename Kind>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(std::vector<RnnLayer> layers, Kind::LayersOf(node));
  return PrepareRnn(node, std::move(layers), options);
}

template <typename Kind>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<RnnLayer> layers, Kind::LayersOf(node));
  return RnnOracle(node, layers, inputs, outputs);
}

template <typename Kind>
constexpr OperatorParts RnnOperator(const Documentation& doc, std::string_view signature) {
  return {.doc = doc,
          .signature = signature,
          .infer = Infer<Kind>,
          .prepare = Prepare<Kind>,
          .oracle = Oracle<Kind>,
          .tolerance = kRoundedFloats};
}

constexpr std::string_view kOneLayer =
    "float32, float32, float32, float32, float32 -> float32; "
    "float32, T, T, float32, float32 -> float32; T = int8|uint8";

}  // namespace

NPUKIT_DEFINE_OPERATOR(Rnn) = RnnOperator<Single>(
    {.formula = "h = a(W in + R h + b); 8-bit weights: in and h rounded to 8 bits",
     .source = "TFLite RNN"},
    kOneLayer);

NPUKIT_DEFINE_OPERATOR(UnidirectionalSequenceRnn) = RnnOperator<Sequence>(
    {.formula = "for each step h = a(W in + R h + b); 8-bit weights: in and h rounded to 8 bits",
     .source = "TFLite UNIDIRECTIONAL_SEQUENCE_RNN"},
    kOneLayer);

NPUKIT_DEFINE_OPERATOR(BidirectionalSequenceRnn) = RnnOperator<Bidirectional>(
    {.formula =
         "two recurrent layers, the second from the last step to the first; outputs apart, or "
         "in one row",
     .source = "TFLite BIDIRECTIONAL_SEQUENCE_RNN"},
    "float32, float32, float32, float32, float32, float32, float32, float32, float32, float32?, "
    "float32?, float32? -> float32, float32?; "
    "float32, T, T, float32, float32, T, T, float32, float32, float32?, "
    "T?, T? -> float32, float32?; T = int8|uint8");

}  // namespace npukit::kernels

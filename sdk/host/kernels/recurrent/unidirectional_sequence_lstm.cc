// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/recurrent/integer_lstm.h"
#include "sdk/host/kernels/recurrent/lstm_layer.h"

namespace npukit::kernels {
namespace {

litert::Expected<LstmLayer> LayerOf(const Node& node) {
  const auto* options = node.op->OptionsAs<UnidirectionalSequenceLSTMOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  return LstmLayerOf(node, {.norms = 20},
                     {.activation = options->fused_activation_function,
                      .cell_clip = options->cell_clip,
                      .projection_clip = options->proj_clip,
                      .time_major = options->time_major,
                      .asymmetric = options->asymmetric_quantize_inputs});
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const LstmLayer layer, LayerOf(node));
  Shape shape = node.inputs[0]->shape;
  shape.back() = static_cast<int32_t>(layer.shape.outputs);
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const LstmLayer layer, LayerOf(node));
  if (node.inputs[0]->type() == kLiteRtElementTypeInt8)
    return PrepareIntegerLstm(node, layer, options);
  return PrepareFloatLstm(node, {layer}, options);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const LstmLayer layer, LayerOf(node));
  return FloatLstmOracle(node, {&layer, 1}, inputs, outputs);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(UnidirectionalSequenceLstm) = {
    .doc = {.formula = "for each step: c = clip(f c + i g), h = o a(c), projected and clipped if "
                       "asked for; see lstm.h. int8: gates and cell in int16, see integer_lstm.h",
            .source = "TFLite UNIDIRECTIONAL_SEQUENCE_LSTM, reference kernels"},
    // input; 4 input weights; 4 recurrent weights; 3 peepholes; 4 biases; projection and its bias;
    // output state, cell state; 4 norms
    .signature =
        "float32, float32?{23} -> float32; "
        "float32, T?, T, T, T, T?, T, T, T, T?, T?, T?, "
        "float32?, float32, float32, float32, T?, float32?, float32, float32, "
        "float32?{4} -> float32; "
        "int8, int8?, int8, int8, int8, int8?, int8, int8, int8, int16?, int16?, int16?, "
        "int32?, int32, int32, int32, int8?, int32?, int8, int16, int16?{4} -> int8; "
        "T = int8|uint8",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

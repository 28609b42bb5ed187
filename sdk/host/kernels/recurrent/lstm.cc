// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/recurrent/basic_lstm.h"
#include "sdk/host/kernels/recurrent/byte_sum_lstm.h"
#include "sdk/host/kernels/recurrent/integer_lstm.h"
#include "sdk/host/kernels/recurrent/lstm_layer.h"

namespace npukit::kernels {
namespace {

bool IsBasic(const Node& node) {
  const auto* options = node.op->OptionsAs<LSTMOptions>();
  return options != nullptr && options->kernel_type == LSTMKernelType::kBasic;
}

litert::Expected<LstmLayer> LayerOf(const Node& node) {
  const auto* options = node.op->OptionsAs<LSTMOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  if (node.outputs.size() != 1) return InvalidNode(node, "needs one output for the full kernel");
  // Where the input has steps they stand first.
  return LstmLayerOf(node, {.norms = 20},
                     {.activation = options->fused_activation_function,
                      .cell_clip = options->cell_clip,
                      .projection_clip = options->proj_clip,
                      .time_major = true,
                      .asymmetric = options->asymmetric_quantize_inputs});
}

litert::Expected<Inferred> Infer(const Node& node) {
  if (IsBasic(node)) return InferBasicLstm(node);
  LITERT_ASSIGN_OR_RETURN(const LstmLayer layer, LayerOf(node));
  Shape shape = node.inputs[0]->shape;
  shape.back() = static_cast<int32_t>(layer.shape.outputs);
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  if (IsBasic(node)) return PrepareBasicLstm(node);
  LITERT_ASSIGN_OR_RETURN(const LstmLayer layer, LayerOf(node));
  if (node.inputs[0]->type() == kLiteRtElementTypeInt8) {
    return node.op->intermediates.size() == kByteSumIntermediates
               ? PrepareByteSumLstm(node, layer)
               : PrepareIntegerLstm(node, layer, options);
  }
  return PrepareFloatLstm(node, {layer}, options);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (IsBasic(node)) return BasicLstmOracle(node, inputs, outputs);
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const LstmLayer layer, LayerOf(node));
  return FloatLstmOracle(node, {&layer, 1}, inputs, outputs);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Lstm) = {
    .doc = {.formula =
                "full: as UNIDIRECTIONAL_SEQUENCE_LSTM, steps first; basic: one matrix for "
                "all gates, the state in and out as tensors; see basic_lstm.h; of int8 with twelve "
                "intermediate tensors see byte_sum_lstm.h",
            .source = "TFLite LSTM"},
    .signature =
        "float32, float32, float32, float32, float32 -> float32, float32, float32, float32; "
        "uint8, uint8, uint8, int32, int16 -> uint8, int16, uint8, int16; "
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

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// LSTM layers of an op: where their tensors stand among its inputs, checked, and the float and hybrid
// kernel and oracle. UNIDIRECTIONAL_SEQUENCE_LSTM and LSTM have one layer, BIDIRECTIONAL_SEQUENCE_LSTM
// has two.

#ifndef NPUKIT_SDK_HOST_KERNELS_RECURRENT_LSTM_LAYER_H_
#define NPUKIT_SDK_HOST_KERNELS_RECURRENT_LSTM_LAYER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/recurrent/lstm.h"
#include "sdk/host/kernels/recurrent/sequence_layer.h"

namespace npukit::kernels {

// Places of a layer's inputs; four gates stand one after the other: input, forget, cell, output.
struct LstmPorts {
  size_t input = 0;
  size_t input_weights = 1;
  size_t recurrent_weights = 5;
  size_t peepholes = 9;  // input, forget, output
  size_t biases = 12;
  size_t projection = 16;
  size_t projection_bias = 17;
  size_t output_state = 18;
  size_t cell_state = 19;
  size_t norms = kNoInput;
  size_t aux = kNoInput;
  size_t aux_weights = kNoInput;
};

struct LstmLayer : SequenceLayer {
  LstmPorts ports;
  LstmShape shape;
  bool asymmetric = false;  // hybrid: how vectors are rounded
};

// What options of all LSTM operators have.
struct LstmOptions {
  ActivationFunctionType activation = ActivationFunctionType::kTanh;
  float cell_clip = 0;
  float projection_clip = 0;
  bool time_major = false;
  bool asymmetric = false;

  // Of an operator's option struct; LSTM's has no time_major.
  template <typename Options>
  static LstmOptions Of(const Options& options, bool time_major) {
    return {.activation = options.fused_activation_function,
            .cell_clip = options.cell_clip,
            .projection_clip = options.proj_clip,
            .time_major = time_major,
            .asymmetric = options.asymmetric_quantize_inputs};
  }
};

// The layer with shapes checked; row_width and row_offset are those of a layer alone.
litert::Expected<LstmLayer> LstmLayerOf(const Node& node, const LstmPorts& ports,
                                        const LstmOptions& options);

// For the integer kernels: a clip in steps of `scale`, of which `largest` are the most; 0: none.
inline int32_t ClipInSteps(float clip, float scale, float largest) {
  return clip > 0 ? static_cast<int32_t>(std::min(clip / scale, largest)) : 0;
}
inline int32_t ClampMagnitude(int32_t x, int32_t limit) {
  return limit > 0 ? std::clamp(x, -limit, limit) : x;
}

// float32 activations, with float32 or int8 weights.
litert::Expected<std::unique_ptr<Kernel>> PrepareFloatLstm(const Node& node,
                                                           std::vector<LstmLayer> layers,
                                                           const PrepareOptions& options);
litert::Expected<void> FloatLstmOracle(const Node& node, std::span<const LstmLayer> layers,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RECURRENT_LSTM_LAYER_H_

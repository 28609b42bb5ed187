// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Layers of plain recurrent cells, h' = a(W in + A aux + R h + b): what RNN and
// UNIDIRECTIONAL_SEQUENCE_RNN have one of, BIDIRECTIONAL_SEQUENCE_RNN two. float32 activations; weights
// float32, or int8 with activations rounded to 8 bits.

#ifndef NPUKIT_SDK_HOST_KERNELS_RECURRENT_RNN_LAYER_H_
#define NPUKIT_SDK_HOST_KERNELS_RECURRENT_RNN_LAYER_H_

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/recurrent/sequence_layer.h"

namespace npukit::kernels {

struct RnnPorts {
  size_t input = 0;
  size_t weights = 1;
  size_t recurrent = 2;
  size_t bias = 3;
  size_t state = 4;
  size_t aux = kNoInput;
  size_t aux_weights = kNoInput;
};

struct RnnOptions {
  ActivationFunctionType activation = ActivationFunctionType::kNone;
  bool time_major = false;
  bool asymmetric = false;
};

struct RnnLayer : SequenceLayer {
  RnnPorts ports;
  RnnOptions options;
  int64_t inputs = 0;
  int64_t aux_inputs = 0;
  int64_t units = 0;
};

// The layer with shapes checked; row_width and row_offset are those of a layer alone.
litert::Expected<RnnLayer> RnnLayerOf(const Node& node, const RnnPorts& ports,
                                      const RnnOptions& options);

litert::Expected<std::unique_ptr<Kernel>> PrepareRnn(const Node& node, std::vector<RnnLayer> layers,
                                                     const PrepareOptions& options);
litert::Expected<void> RnnOracle(const Node& node, std::span<const RnnLayer> layers,
                                 std::span<const OracleTensor* const> inputs,
                                 std::span<OracleTensor> outputs);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RECURRENT_RNN_LAYER_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// LSTM's basic kernel: one matrix for all gates, and the state goes in and out as tensors.
//   in, previous output, weights [4 cells, inputs + cells], bias, previous state
//   -> output, state, the concatenated inputs, the gates before their activation
// float32, or uint8 with an int16 state, as TFLite has it: gates are Q3, the state is Q4.

#ifndef NPUKIT_SDK_HOST_KERNELS_RECURRENT_BASIC_LSTM_H_
#define NPUKIT_SDK_HOST_KERNELS_RECURRENT_BASIC_LSTM_H_

#include <memory>
#include <span>

#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

litert::Expected<Inferred> InferBasicLstm(const Node& node);
litert::Expected<std::unique_ptr<Kernel>> PrepareBasicLstm(const Node& node);
litert::Expected<void> BasicLstmOracle(const Node& node,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RECURRENT_BASIC_LSTM_H_

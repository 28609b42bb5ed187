// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The LSTM of int8 activations with an int16 cell, bit for bit as TFLite has it. Gates are Q3 (or have
// the scale of the op's intermediate tensors, where there is layer normalisation), what comes out of
// logistic and tanh is Q0; the cell's scale is a power of two; the hidden vector before a projection
// has the scale of the fifth intermediate tensor.

#ifndef NPUKIT_SDK_HOST_KERNELS_RECURRENT_INTEGER_LSTM_H_
#define NPUKIT_SDK_HOST_KERNELS_RECURRENT_INTEGER_LSTM_H_

#include <memory>

#include "sdk/host/kernels/recurrent/lstm_layer.h"

namespace npukit::kernels {

litert::Expected<std::unique_ptr<Kernel>> PrepareIntegerLstm(const Node& node,
                                                             const LstmLayer& layer,
                                                             const PrepareOptions& options);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RECURRENT_INTEGER_LSTM_H_

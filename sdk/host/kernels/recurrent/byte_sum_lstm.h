// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The LSTM of int8 whose gates' sums are int8 too: that of an LSTM op with twelve intermediate tensors,
// which hold the scales and zero points of the sums. Bit for bit as TFLite has it, and with its faults:
// the input gate is 1 less the forget gate, whatever weights it has; peepholes are passed over; the
// output gate does not see the state, since TFLite's multiplier for it is never set.

#ifndef NPUKIT_SDK_HOST_KERNELS_RECURRENT_BYTE_SUM_LSTM_H_
#define NPUKIT_SDK_HOST_KERNELS_RECURRENT_BYTE_SUM_LSTM_H_

#include <cstddef>
#include <memory>

#include "sdk/host/kernels/recurrent/lstm_layer.h"

namespace npukit::kernels {

inline constexpr size_t kByteSumIntermediates = 12;

litert::Expected<std::unique_ptr<Kernel>> PrepareByteSumLstm(const Node& node,
                                                             const LstmLayer& layer);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_RECURRENT_BYTE_SUM_LSTM_H_

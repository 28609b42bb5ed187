// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_MESSAGE_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_MESSAGE_H_

#include <sstream>
#include <string>

#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit {

// The arguments printed one after the other, for error messages.
template <typename... Parts>
std::string Message(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

// "op 3 (CONV_2D)" and "tensor 5 ('x')", as errors call them.
inline std::string Describe(const LiteRtOpT& op) {
  return Message("op ", op.index, " (", OpName(op), ")");
}
inline std::string Describe(const LiteRtTensorT& tensor) {
  return Message("tensor ", tensor.index, " ('", tensor.name, "')");
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_MESSAGE_H_

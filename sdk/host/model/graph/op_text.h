// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How messages and reports call an op.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_OP_TEXT_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_OP_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "sdk/host/model/graph/op.h"

namespace npukit {

struct OpLabel {
  uint32_t index = 0;          // position in its subgraph
  uint32_t subgraph = 0;       // said unless it is the main one
  std::string_view op;         // "CONV_2D"
  std::string_view composite;  // that it is or comes from; else empty
  std::string_view name;       // of its first output; may be empty
};

// "op 3 STABLEHLO_COMPOSITE [odml.rms_norm] (norm/out)", "op 3 of subgraph 1 MUL (y)".
std::string OpText(const OpLabel& label);
std::string OpText(const Op& op);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_OP_TEXT_H_

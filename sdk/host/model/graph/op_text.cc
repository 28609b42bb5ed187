// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/op_text.h"

#include <fmt/format.h>

#include "sdk/host/model/graph/tensor.h"

namespace npukit {

std::string OpText(const OpLabel& label) {
  std::string text = fmt::format("op {}", label.index);
  if (label.subgraph != 0) text += fmt::format(" of subgraph {}", label.subgraph);
  if (!label.op.empty()) text += fmt::format(" {}", label.op);
  if (!label.composite.empty()) text += fmt::format(" [{}]", label.composite);
  if (!label.name.empty()) text += fmt::format(" ({})", label.name);
  return text;
}

std::string OpText(const Op& op) {
  const std::string name = OpName(op);
  OpLabel label{.index = op.index, .op = name};
  if (const auto* composite = op.OptionsAs<StableHLOCompositeOptions>()) {
    label.composite = composite->name;
  }
  if (!op.outputs.empty() && op.outputs.front() != nullptr) label.name = op.outputs.front()->name;
  return OpText(label);
}

}  // namespace npukit

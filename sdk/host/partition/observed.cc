// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/observed.h"

#include "sdk/host/partition/grouping/op_dag.h"

namespace npukit {

std::vector<bool> TensorsOfSignatures(const Model& model, const Subgraph& subgraph) {
  std::vector<bool> named(subgraph.tensors().size());
  for (const auto& signature : model.signatures) {
    if (signature->subgraph != &subgraph) continue;
    for (const auto* ports : {&signature->inputs, &signature->outputs}) {
      for (const Signature::NamedTensor& port : *ports) {
        if (port.tensor != nullptr) named[port.tensor->index] = true;
      }
    }
  }
  return named;
}

std::vector<bool> FindDeadOps(const Subgraph& subgraph, const std::vector<bool>& observed) {
  std::vector<bool> live(subgraph.ops().size());
  std::vector<const Op*> to_follow;
  const auto keep = [&](const Op* op) {
    if (op == nullptr || live[op->index]) return;
    live[op->index] = true;
    to_follow.push_back(op);
  };
  for (const Tensor* output : subgraph.outputs) keep(output->defining_op);
  for (const auto& tensor : subgraph.tensors()) {
    if (observed[tensor->index]) keep(tensor->defining_op);
  }
  for (const auto& op : subgraph.ops()) {
    if (HasSideEffects(*op)) keep(op.get());
  }
  while (!to_follow.empty()) {
    const Op* op = to_follow.back();
    to_follow.pop_back();
    for (const Tensor* input : op->inputs) {
      if (input != nullptr) keep(input->defining_op);
    }
  }
  live.flip();
  return live;
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/plain_view.h"

#include "sdk/host/partition/copy.h"

namespace npukit {

PlainView ViewWithout(const Subgraph& source, const std::vector<bool>& hidden) {
  PlainView view;
  view.subgraph = std::make_unique<Subgraph>(source.buffer_store());
  CopySubgraphFields(source, *view.subgraph);
  SubgraphCopier copier(source, *view.subgraph);
  for (const auto& op : source.ops()) {
    if (hidden[op->index]) continue;
    copier.CopyOp(*op);
    view.original.push_back(op->index);
  }
  auto& inputs = view.subgraph->inputs;
  auto& outputs = view.subgraph->outputs;
  for (const Tensor* input : source.inputs) inputs.push_back(copier.Get(input));
  for (const Tensor* output : source.outputs) {
    outputs.push_back(copier.Get(output));
  }
  std::vector<bool> listed(source.tensors().size());
  for (const Tensor* output : source.outputs) listed[output->index] = true;
  for (const auto& op : source.ops()) {
    if (!hidden[op->index]) continue;
    for (const Tensor* made : op->outputs) inputs.push_back(copier.Get(made));
    for (const Tensor* read : op->inputs) {
      if (read == nullptr || read->defining_op == nullptr || hidden[read->defining_op->index] ||
          listed[read->index]) {
        continue;
      }
      listed[read->index] = true;
      outputs.push_back(copier.Get(read));
    }
  }
  return view;
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/compiler/sent_graph.h"

#include <algorithm>
#include <memory>

#include "sdk/host/model/options/subgraph_references.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/partition/copy.h"

namespace npukit::remote {
namespace {

// Of a model with so many subgraphs none is read; an op that names a later one is a strange one.
constexpr int32_t kMaxSubgraphs = 1 << 16;

// As many as the numbers in the ops' options need.
int32_t NumSubgraphsBefore(const Subgraph& subgraph) {
  int32_t count = 0;
  for (const auto& op : subgraph.ops()) {
    for (const int32_t index : SubgraphReferences(op->options))
      count = std::max(count, std::min(index, kMaxSubgraphs - 1) + 1);
  }
  return count;
}

}  // namespace

litert::Expected<std::vector<uint8_t>> SerializeSubgraph(const Subgraph& subgraph) {
  // The buffers are the application's model's, which is there for as long as the subgraph is.
  Model model(std::shared_ptr<BufferStore>(std::shared_ptr<void>(), subgraph.buffer_store()));
  // Ops such as WHILE name subgraphs by their numbers in the application's model, which must be
  // there to be named. What is in them no plugin is told.
  for (int32_t i = NumSubgraphsBefore(subgraph); i > 0; --i) model.AddSubgraph();
  Subgraph& copy = model.AddSubgraph();
  CopySubgraphFields(subgraph, copy);
  CopyWholeSubgraph(subgraph, copy);
  // Bytes of other files, which no plugin sees.
  for (const auto& tensor : copy.tensors()) tensor->external_buffer = 0;
  UpdateOperatorCodes(model);
  return SerializeModel(model);
}

}  // namespace npukit::remote

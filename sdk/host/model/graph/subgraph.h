// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A subgraph owns its tensors and ops, in topological order, and keeps the
// links between them true.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_SUBGRAPH_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_SUBGRAPH_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/tensor.h"

struct LiteRtSubgraphT {
 public:
  std::string name;
  int32_t debug_metadata_index = -1;
  npukit::EmptyFields empty_fields = 0;  // of the schema's SubGraph
  std::vector<LiteRtTensorT*> inputs;
  std::vector<LiteRtTensorT*> outputs;

  explicit LiteRtSubgraphT(npukit::BufferStore* store) : store_(store) {}
  LiteRtSubgraphT(const LiteRtSubgraphT&) = delete;
  LiteRtSubgraphT& operator=(const LiteRtSubgraphT&) = delete;

  std::span<const std::unique_ptr<LiteRtTensorT>> tensors() const { return tensors_; }
  std::span<const std::unique_ptr<LiteRtOpT>> ops() const { return ops_; }
  LiteRtTensorT& tensor(size_t index) const { return *tensors_[index]; }
  LiteRtOpT& op(size_t index) const { return *ops_[index]; }
  npukit::BufferStore* buffer_store() const { return store_; }

  // Adds at the end. References stay valid until the thing is erased.
  LiteRtTensorT& AddTensor();
  LiteRtOpT& AddOp();
  // Adds before the op that now stands at `position`.
  LiteRtOpT& InsertOp(size_t position);

  // Links. A null tensor is an omitted optional input.
  static void AddInput(LiteRtOpT& op, LiteRtTensorT* tensor);
  static void AddOutput(LiteRtOpT& op, LiteRtTensorT& tensor);
  static void ReplaceInput(LiteRtOpT& op, size_t input_index, LiteRtTensorT* tensor);
  // Makes every reader of `from`, and the subgraph's outputs, read `to`.
  void ReplaceAllUses(LiteRtTensorT& from, LiteRtTensorT& to);
  // Cuts all of the op's links, on both sides.
  static void Disconnect(LiteRtOpT& op);

  // Erases what the predicate names. Ops are disconnected first. A tensor stays
  // if anything refers to it: a user or defining op, an op's intermediates, the
  // subgraph's inputs or outputs, the quantisation of a tensor that stays.
  // Indices are renumbered, also those in quantisations.
  void EraseOpsIf(const std::function<bool(const LiteRtOpT&)>& predicate);
  void EraseTensorsIf(const std::function<bool(const LiteRtTensorT&)>& predicate);
  // Erases every tensor that nothing refers to.
  void EraseUnusedTensors();

  // Orders ops so that each stands after the producers of its inputs; ops keep
  // their relative order where free (stable Kahn). An error names one op of a
  // cycle; the order is then unchanged.
  litert::Expected<void> SortTopologically();

  bool IsInput(const LiteRtTensorT& tensor) const;
  bool IsOutput(const LiteRtTensorT& tensor) const;

 private:
  void Renumber();

  npukit::BufferStore* store_;
  std::vector<std::unique_ptr<LiteRtTensorT>> tensors_;
  std::vector<std::unique_ptr<LiteRtOpT>> ops_;
};

namespace npukit {
using Subgraph = ::LiteRtSubgraphT;
}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_SUBGRAPH_H_

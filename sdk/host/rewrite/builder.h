// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Graph rewriting: what a pattern builds and erases is collected here and
// changes the graph in one step, or not at all.

#ifndef NPUKIT_SDK_HOST_REWRITE_BUILDER_H_
#define NPUKIT_SDK_HOST_REWRITE_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "litert/c/litert_block_wise_quantization.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/buffer_store.h"
#include "sdk/host/model/graph/subgraph.h"

// For one call of one pattern on one subgraph, which must not change otherwise
// in between. Not thread-safe.
class LiteRtBuilderT {
 public:
  // has_block_wise_argument: the pattern is of a plugin of LiteRT v2.2.0, whose
  // LiteRtBuilderBuildTensor takes one argument more.
  explicit LiteRtBuilderT(LiteRtSubgraphT& target, bool has_block_wise_argument = false);
  LiteRtBuilderT(const LiteRtBuilderT&) = delete;
  LiteRtBuilderT& operator=(const LiteRtBuilderT&) = delete;

  // -- What a pattern does. Built things stay until the builder goes; Apply
  // copies them to the subgraph. False and null: an argument belongs neither to
  // the subgraph nor to this builder.

  // A tensor like `value`, but for weights.
  LiteRtTensorT& BuildTensor(const LiteRtTensorT& value);
  // `tensor` is of this builder.
  bool SetBlockWise(LiteRtTensorT& tensor, const LiteRtQuantizationBlockWise& block_wise);
  // Gives a tensor of this builder a copy of the bytes.
  bool BuildWeights(LiteRtTensorT& tensor, std::span<const uint8_t> bytes);
  LiteRtOpT* BuildOp(LiteRtOpCode code, std::span<LiteRtTensorT* const> inputs,
                     std::span<LiteRtTensorT* const> outputs);
  bool Erase(LiteRtOpT& op);

  // Whether this builder made it.
  bool Owns(const LiteRtOpT* op) const;
  bool Owns(const LiteRtTensorT* tensor) const;

  // -- What the host does when the pattern has matched.

  // Erases and inserts; new ops stand where the first erased op stood. Errors
  // (GraphModification), with the subgraph unchanged: a tensor that is still
  // needed would lose its producer, or get two; the graph would get a cycle.
  litert::Expected<void> Apply();

  // After Apply, for each op that is new in the graph: the erased ones that it stands for
  // (replaced_ops.h), in the graph's order. Those are gone; their addresses only tell them apart.
  struct Replacement {
    const LiteRtOpT* op = nullptr;
    std::vector<const LiteRtOpT*> replaced;
  };
  const std::vector<Replacement>& replacements() const { return replacements_; }
  // True if there is nothing to apply.
  bool empty() const;

  bool has_block_wise_argument() const { return has_block_wise_argument_; }

 private:
  bool Knows(const LiteRtTensorT* tensor) const;
  bool Erases(const LiteRtOpT* op) const { return erased_.contains(const_cast<LiteRtOpT*>(op)); }
  litert::Expected<void> CheckProducers() const;
  litert::Expected<void> CheckAcyclic() const;
  std::vector<std::vector<const LiteRtOpT*>> FindReplaced() const;
  // By tensor of scratch_: its copy in the target.
  using TensorMap = std::unordered_map<const LiteRtTensorT*, LiteRtTensorT*>;
  LiteRtTensorT* InTarget(LiteRtTensorT* tensor, TensorMap& moved);

  LiteRtSubgraphT& target_;
  const bool has_block_wise_argument_;
  npukit::BufferStore store_;              // of weights built here
  LiteRtSubgraphT scratch_;                // what was built, in order
  std::unordered_set<LiteRtOpT*> erased_;  // of the target and of scratch_
  // What tensors of scratch_ are quantised by.
  std::unordered_map<const LiteRtTensorT*, LiteRtQuantizationBlockWise> block_wise_;
  std::vector<Replacement> replacements_;
};

namespace npukit {
using RewriteBuilder = ::LiteRtBuilderT;
}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_REWRITE_BUILDER_H_

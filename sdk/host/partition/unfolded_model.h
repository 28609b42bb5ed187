// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A model in which some composites are replaced by the ops of their decompositions, and where each
// of its ops comes from.

#ifndef NPUKIT_SDK_HOST_PARTITION_UNFOLDED_MODEL_H_
#define NPUKIT_SDK_HOST_PARTITION_UNFOLDED_MODEL_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/op_id.h"

namespace npukit {

struct UnfoldedOp {
  OpId id;
  uint32_t subgraph = 0;      // in the given model
  uint32_t index = 0;         // position there; of an unfolded op that of the outermost composite
  std::string op;             // "CONV_2D"
  std::string name;           // of its first output tensor
  std::string composite;      // name of the composite that it is or was unfolded from; else empty
  bool was_dispatch = false;  // compiled before, by another plugin
  // Where the op itself stands in the given model, and the name of its first output there: of an
  // unfolded op in the decomposition.
  struct Home {
    uint32_t subgraph = 0;
    uint32_t index = 0;
    std::string name;
  };
  Home home;
};

// "op 3 MUL [odml.rms_norm] (norm/square)".
std::string OpText(const UnfoldedOp& op);

// By subgraph and op.
using OpFlags = std::vector<std::vector<bool>>;

class UnfoldedModel {
 public:
  // A copy of `given` with no composite unfolded and the ops in an order that can be run. `given`
  // and `numbering`, which is of it, outlive the result. Errors: a cycle; composites whose
  // decomposition is missing, does not fit or contains itself.
  static litert::Expected<UnfoldedModel> Start(const Model& given, OpNumbering& numbering);

  // Replaces the flagged composites by the ops of their decompositions, in which composites stay
  // composites. Pointers into the model become invalid, positions in subgraphs without a flag stay.
  void Unfold(const OpFlags& flags);

  const Model& given() const { return *given_; }
  Model& model() { return *model_; }
  const Model& model() const { return *model_; }

  // One for each op of the subgraph.
  std::span<const UnfoldedOp> ops(size_t subgraph) const { return ops_[subgraph]; }
  // Whether the subgraph is what some composite of the given model stands for: its ops are placed
  // with the composite.
  bool is_decomposition(size_t subgraph) const { return is_decomposition_[subgraph]; }

 private:
  UnfoldedModel() = default;

  const Model* given_ = nullptr;
  OpNumbering* numbering_ = nullptr;
  std::unique_ptr<Model> model_;
  std::vector<std::vector<UnfoldedOp>> ops_;
  std::vector<bool> is_decomposition_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_UNFOLDED_MODEL_H_

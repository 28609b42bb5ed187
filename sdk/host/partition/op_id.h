// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which op of a model is meant, through every unfolding of composites: two numbers.

#ifndef NPUKIT_SDK_HOST_PARTITION_OP_ID_H_
#define NPUKIT_SDK_HOST_PARTITION_OP_ID_H_

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model.h"

namespace npukit {

// An op of the model as it was given to the partition stage. Ops that a composite unfolds to have
// subgraph numbers that follow the model's own, one number for each composite, so that two
// composites with one decomposition have different ops.
struct OpId {
  uint32_t subgraph = 0;
  uint32_t index = 0;  // position in that subgraph, or in the decomposition
  friend auto operator<=>(const OpId&, const OpId&) = default;  // NOLINT(modernize-use-nullptr)
};

// "0:3".
std::string ToString(const OpId& id);

// Gives out those numbers: the same composite gets the same one whenever it is unfolded.
class OpNumbering {
 public:
  explicit OpNumbering(const Model& model)
      : own_count_(static_cast<uint32_t>(model.subgraphs().size())) {}

  // The id that an op of a decomposition has where `composite` is unfolded. `inner` is its id in
  // the decomposition by itself, where other composites may have been unfolded already.
  OpId Inside(OpId composite, OpId inner);

 private:
  uint32_t SubgraphInside(OpId composite);

  uint32_t own_count_;
  std::vector<OpId> composites_;  // of the numbers from own_count_ on
  std::map<OpId, uint32_t> subgraph_of_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_OP_ID_H_

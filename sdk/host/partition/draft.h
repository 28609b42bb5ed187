// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The model as it is while composites are inlined, and where its ops came from.

#ifndef NPUKIT_SDK_HOST_PARTITION_DRAFT_H_
#define NPUKIT_SDK_HOST_PARTITION_DRAFT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/partition_model.h"

namespace npukit {

// By subgraph and op.
using OpFlags = std::vector<std::vector<bool>>;

class Draft {
 public:
  // A copy of `given` with ops in an order that can be run, and a record for
  // each op. Error: a cycle.
  static litert::Expected<Draft> Start(const Model& given);

  // Replaces the flagged composites by the ops of their decompositions. Handles
  // into the model become invalid, positions in subgraphs without a flag stay.
  void Inline(const OpFlags& flags);

  Model& model() { return *model_; }
  const Model& model() const { return *model_; }

  uint32_t record_of(size_t subgraph, size_t op) const { return record_of_[subgraph][op]; }
  // Also of ops that have since been inlined.
  std::vector<OpPlacementRecord>& records() { return records_; }

 private:
  Draft() = default;
  uint32_t AddRecord(const Op& op, uint32_t subgraph, uint32_t index, std::string composite);
  uint32_t AddInlined(const Op& copy, const OpPlacementRecord& outer, const OpPlacementRecord& body,
                      std::string composite);

  std::unique_ptr<Model> model_;
  std::vector<std::vector<uint32_t>> record_of_;  // by subgraph and op
  std::vector<OpPlacementRecord> records_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_DRAFT_H_

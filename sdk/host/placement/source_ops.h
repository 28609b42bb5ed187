// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The ops of the model as it was given that an op of the partitioned one stands for: back through
// inlined composites, plugins' transformations and an earlier compilation.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_SOURCE_OPS_H_
#define NPUKIT_SDK_HOST_PLACEMENT_SOURCE_OPS_H_

#include <string>
#include <vector>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/partition/unfolded_model.h"
#include "sdk/host/rewrite/rewrite.h"

namespace npukit {

class SourceOps {
 public:
  // `origins` of the transformations, null if there were none. `known`: the given model's own
  // delegates, which say where the ops on its CPU come from. All outlive this.
  SourceOps(const Model& given, const OpOrigins* origins, const std::vector<DelegateRecord>& known)
      : given_(given), origins_(origins), known_(known) {}

  struct Sources {
    std::vector<DelegateRecord::SourceOp> ops;  // in the given model's order, at least one
    // The tensor of the given model that the op's first output holds; empty if there is none.
    std::string value;
  };
  Sources Of(const UnfoldedOp& now) const;

 private:
  void AddGiven(const UnfoldedOp& now, uint32_t index, Sources& sources) const;

  const Model& given_;
  const OpOrigins* origins_;
  const std::vector<DelegateRecord>& known_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_SOURCE_OPS_H_

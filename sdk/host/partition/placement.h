// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For each op of a model where it runs, and, of one on the CPU, why: what the partition stage works
// from. Made by Place (sdk/host/placement/place.h).

#ifndef NPUKIT_SDK_HOST_PARTITION_PLACEMENT_H_
#define NPUKIT_SDK_HOST_PARTITION_PLACEMENT_H_

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "sdk/host/partition/unfolded_model.h"

namespace npukit {

struct Placement {
  // Ops of one color may share a partition. Partitions of lower colors are formed first.
  struct Color {
    bool is_npu_call = false;              // an odml.npu_call: each is a partition of its own
    uint32_t plugin = 0;                   // into `plugins`
    LiteRtParamIndex partition_index = 0;  // as the plugin said; of an npu_call 0
    uint32_t piece = 0;                    // where a partition was cut (Exclusions); else 0
    friend auto operator<=>(const Color&, const Color&) = default;  // NOLINT(modernize-use-nullptr)
  };
  struct SubgraphPlacement {
    std::vector<Color> colors;         // ascending
    std::vector<int32_t> color_of_op;  // into `colors`; kNoColor (grouping.h): on the CPU
    std::vector<std::string> reasons;  // by op: why it is on the CPU; empty if it is not
    bool operator==(const SubgraphPlacement&) const = default;
  };
  std::vector<std::string> plugins;          // manufacturers, in order of preference
  std::vector<SubgraphPlacement> subgraphs;  // nothing in decompositions
  bool operator==(const Placement&) const = default;
};

// One line per op: "0:3 op 3 MUL (y) -> takes_mul, index 0", "0:4 op 4 ADD (z) - REASON".
std::string ToString(const Placement& placement, const UnfoldedModel& unfolded);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_PLACEMENT_H_

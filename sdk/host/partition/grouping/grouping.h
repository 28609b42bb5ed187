// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// From selected ops to partitions: docs/adr/0004-partitioning.md has the
// meaning and the proof.

#ifndef NPUKIT_SDK_HOST_PARTITION_GROUPING_GROUPING_H_
#define NPUKIT_SDK_HOST_PARTITION_GROUPING_GROUPING_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/partition/grouping/op_dag.h"

namespace npukit {

// In lists of colors, by op: none. A color stands for the ops that may share a partition.
inline constexpr int32_t kNoColor = -1;

struct OpGroup {
  int32_t color = 0;
  std::vector<uint32_t> ops;  // ascending positions
  bool operator==(const OpGroup&) const = default;
};

// The graph with each group drawn together to one node.
struct Grouping {
  // A group, or an op that is in none.
  struct Step {
    bool is_group = false;
    uint32_t index = 0;  // into `groups`, or an op's position
    bool operator==(const Step&) const = default;
  };
  std::vector<OpGroup> groups;  // numbered in the order in which `order` runs them
  std::vector<Step> order;      // respects every dependency; as near to the
                                // original order as that allows
  bool operator==(const Grouping&) const = default;
};

// Every op with a color is in exactly one group, and a group's ops have one
// color. Drawing the groups together leaves no cycle; drawing any two groups of
// a color together besides would make one. With a single color no grouping has
// fewer groups. With several, lower colors are grouped first and hence into the
// fewest groups.
//
// `colors` has one entry per node, kNoColor or a color from 0 on; ops of a color listed in `never_merged` each stay alone
// (odml.npu_call). Time: edges + nodes * log(nodes) for one color; for several
// besides, per color, the part of the order between its first and last op.
// Deterministic. Errors: a cycle in `dag`.
litert::Expected<Grouping> GroupOps(const OpDag& dag, std::span<const int32_t> colors,
                                    std::span<const int32_t> never_merged = {});

// One line per group: "partition 0 (color 0): 1 2 5".
std::string ToString(const Grouping& grouping);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_GROUPING_GROUPING_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Asks several plugins, one after the other, and makes one selection of their answers.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_DELEGATE_SELECTOR_H_
#define NPUKIT_SDK_HOST_PLACEMENT_DELEGATE_SELECTOR_H_

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/partition/partition_model.h"
#include "sdk/host/placement/op_placement.h"
#include "sdk/host/plugin/compiler_plugin.h"

namespace npukit {

class DelegateSelector {
 public:
  // One per plugin, both alive as long as the selector.
  DelegateSelector(std::span<const CompilerPlugin* const> plugins,
                   std::span<const std::string> soc_models)
      : plugins_(plugins), soc_models_(soc_models) {}

  // Rules by which ops are placed; null: none. Those by partition match the ops in `partitions`.
  void SetPlacement(const PlacementRequest* placement,
                    std::vector<std::set<std::string>> partitions) {
    placement_ = placement;
    partitions_ = std::move(partitions);
  }
  void SetOneOpPerPartition(bool one) { one_op_per_partition_ = one; }

  // For retries, by OpKey. An excluded op stays on the CPU with this reason; ops of one plugin
  // whose split numbers differ land in different partitions.
  std::map<std::string, std::string> excluded;
  std::map<std::string, uint32_t> split;

  litert::Expected<SelectorAnswer> Select(Subgraph& subgraph,
                                          std::span<const OpPlacementRecord* const> records);
  // Whose the partition is.
  size_t PluginOf(const PartitionedModel::Partition& partition,
                  const std::vector<OpPlacementRecord>& records) const;

  // Rules that have matched nothing so far.
  std::vector<std::string> UnmatchedRules() const;

 private:
  static constexpr int kAnyPlugin = -1;
  static constexpr int kCpu = -2;
  struct Pin {
    int plugin = kAnyPlugin;
    std::string reason;  // of ops that it keeps on the CPU
  };
  struct Claim;

  Pin PinOf(const OpPlacementRecord& record) const;
  bool MatchesPartition(const PlacementRule& rule, const OpPlacementRecord& record) const;
  litert::Expected<void> Ask(size_t plugin, Subgraph& subgraph, std::vector<Claim>& claims) const;

  std::span<const CompilerPlugin* const> plugins_;
  std::span<const std::string> soc_models_;
  const PlacementRequest* placement_ = nullptr;
  std::vector<std::set<std::string>> partitions_;
  bool one_op_per_partition_ = false;
  mutable std::set<const PlacementRule*> matched_;
};

// All but the `most` partitions with the most ops, of equal ones the first; npu_calls don't count.
std::vector<size_t> BeyondLargest(std::span<const PartitionedModel::Partition> partitions,
                                  size_t most);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_DELEGATE_SELECTOR_H_

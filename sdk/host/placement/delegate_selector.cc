// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/delegate_selector.h"

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/partition/plain_view.h"
#include "sdk/host/partition/selection.h"

namespace npukit {
namespace {

// A partition index for the partitioner: the plugin, then its own color, then the split number, so
// that partitions of an earlier plugin are formed first.
constexpr int kSplitBits = 24;
constexpr int kColorBits = 24;
LiteRtParamIndex JoinIndex(size_t plugin, uint32_t color, uint32_t split) {
  return (LiteRtParamIndex{plugin} << (kColorBits + kSplitBits)) |
         (LiteRtParamIndex{color} << kSplitBits) | split;
}
size_t PluginOfIndex(LiteRtParamIndex index) { return index >> (kColorBits + kSplitBits); }

bool SameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

// What is known of an op while the plugins are asked.
struct DelegateSelector::Claim {
  const OpPlacementRecord* record = nullptr;
  Pin pin;
  int plugin = -1;  // who took it
  uint32_t color = 0;
  std::string remarks;  // why those asked so far did not
};

bool DelegateSelector::MatchesPartition(const PlacementRule& rule,
                                        const OpPlacementRecord& record) const {
  if (rule.partitions.empty()) return true;
  const std::string key = OpKey(record);
  return std::any_of(rule.partitions.begin(), rule.partitions.end(), [&](size_t partition) {
    return partition < partitions_.size() && partitions_[partition].contains(key);
  });
}

DelegateSelector::Pin DelegateSelector::PinOf(const OpPlacementRecord& record) const {
  if (placement_ == nullptr) return {};
  for (const PlacementRule& rule : placement_->rules) {
    if (!Matches(rule, record) || !MatchesPartition(rule, record)) continue;
    matched_.insert(&rule);
    if (rule.plugin.empty()) return {kCpu, "placed on the CPU by " + rule.where};
    for (size_t p = 0; p < plugins_.size(); ++p) {
      if (SameName(plugins_[p]->manufacturer(), rule.plugin)) {
        return {static_cast<int>(p), "placed on " + rule.plugin + " by " + rule.where};
      }
    }
    return {kCpu, "placed by " + rule.where + " on " + rule.plugin + ", which is not there"};
  }
  if (placement_->otherwise_cpu) return {kCpu, "the placement puts it on no plugin"};
  return {};
}

litert::Expected<void> DelegateSelector::Ask(size_t p, Subgraph& subgraph,
                                             std::vector<Claim>& claims) const {
  std::vector<bool> hidden(claims.size());
  for (size_t i = 0; i < claims.size(); ++i) hidden[i] = claims[i].plugin >= 0;
  const bool needs_view = std::find(hidden.begin(), hidden.end(), true) != hidden.end();
  PlainView view;
  if (needs_view) view = ViewWithout(subgraph, hidden);
  Subgraph& asked = needs_view ? *view.subgraph : subgraph;
  const auto original = [&](uint32_t position) {
    return needs_view ? view.original[position] : position;
  };
  LITERT_ASSIGN_OR_RETURN(const SelectorAnswer answer,
                          plugins_[p]->Partition(soc_models_[p], asked));
  const Model no_model;
  auto colors = CheckSelection(no_model, asked, answer.selection);
  if (!colors) {
    return litert::Unexpected(colors.Error().Status(),
                              plugins_[p]->Describe() + ": " + colors.Error().Message());
  }
  std::vector<std::string> remarks(asked.ops().size());
  for (const SelectorAnswer::Remark& remark : answer.remarks) {
    for (const auto& op : asked.ops()) {
      if (op.get() == remark.op) remarks[op->index] = remark.text;
    }
  }
  for (uint32_t i = 0; i < asked.ops().size(); ++i) {
    Claim& claim = claims[original(i)];
    const int32_t color = colors->color_of_op[i];
    const bool may = claim.pin.plugin == kAnyPlugin || claim.pin.plugin == static_cast<int>(p);
    if (color != kNoColor && may) {
      claim.plugin = static_cast<int>(p);
      claim.color = static_cast<uint32_t>(color);
    } else if (color == kNoColor && may) {
      std::string text =
          remarks[i].empty() ? "not selected by " + plugins_[p]->manufacturer() : remarks[i];
      if (plugins_.size() > 1 && !remarks[i].empty())
        text = plugins_[p]->manufacturer() + ": " + text;
      claim.remarks += (claim.remarks.empty() ? "" : "; ") + text;
    }
  }
  return {};
}

litert::Expected<SelectorAnswer> DelegateSelector::Select(
    Subgraph& subgraph, std::span<const OpPlacementRecord* const> records) {
  std::vector<Claim> claims;
  for (const OpPlacementRecord* record : records)
    claims.push_back({.record = record, .pin = PinOf(*record)});
  for (size_t p = 0; p < plugins_.size(); ++p) LITERT_RETURN_IF_ERROR(Ask(p, subgraph, claims));
  SelectorAnswer answer;
  for (size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = claims[i];
    Op* op = &subgraph.op(i);
    const std::string key = OpKey(*claim.record);
    if (const auto out = excluded.find(key); out != excluded.end()) {
      answer.remarks.push_back({op, out->second});
    } else if (claim.plugin >= 0) {
      const auto piece = split.find(key);
      const uint32_t number = one_op_per_partition_  ? static_cast<uint32_t>(i)
                              : piece == split.end() ? 0
                                                     : piece->second;
      answer.selection.push_back(
          {op, JoinIndex(static_cast<size_t>(claim.plugin), claim.color, number)});
    } else {
      std::string reason = claim.pin.reason;
      if (!claim.remarks.empty()) reason += (reason.empty() ? "" : ", but: ") + claim.remarks;
      answer.remarks.push_back({op, std::move(reason)});
    }
  }
  return answer;
}

size_t DelegateSelector::PluginOf(const PartitionedModel::Partition& partition,
                                  const std::vector<OpPlacementRecord>& records) const {
  if (!partition.is_npu_call) return PluginOfIndex(partition.index);
  const Pin pin = partition.ops.empty() ? Pin() : PinOf(records[partition.ops.front()]);
  return pin.plugin >= 0 ? static_cast<size_t>(pin.plugin) : 0;
}

std::vector<std::string> DelegateSelector::UnmatchedRules() const {
  std::vector<std::string> unmatched;
  if (placement_ == nullptr) return unmatched;
  for (const PlacementRule& rule : placement_->rules) {
    if (!matched_.contains(&rule)) unmatched.push_back(rule.where + ": matches no op");
  }
  return unmatched;
}

std::vector<size_t> BeyondLargest(std::span<const PartitionedModel::Partition> partitions,
                                  size_t most) {
  std::vector<size_t> by_size;
  for (size_t i = 0; i < partitions.size(); ++i) {
    if (!partitions[i].is_npu_call) by_size.push_back(i);
  }
  std::stable_sort(by_size.begin(), by_size.end(), [&](size_t a, size_t b) {
    return partitions[a].ops.size() > partitions[b].ops.size();
  });
  by_size.erase(by_size.begin(),
                by_size.begin() + static_cast<ptrdiff_t>(std::min(most, by_size.size())));
  return by_size;
}

}  // namespace npukit

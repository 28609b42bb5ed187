// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/placement_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

#include "sdk/host/runtime/plan/mac_count.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSomeTensor = "'...'";

uint64_t MacsOf(const Model& model, const UnfoldedOp::Home& home) {
  const auto& subgraphs = model.subgraphs();
  if (home.subgraph >= subgraphs.size()) return 0;
  const auto& ops = subgraphs[home.subgraph]->ops();
  return home.index < ops.size() ? CountMacs(*ops[home.index]) : 0;
}

// The reason without the names of the op's own tensors, in which ops that stay for one reason differ.
std::string Predicate(const Model& model, const PlacedOp& placed) {
  std::string reason = placed.reason.empty() ? "no reason given" : placed.reason;
  const auto& home = placed.home;
  if (home.subgraph >= model.subgraphs().size() ||
      home.index >= model.subgraph(home.subgraph).ops().size()) {
    return reason;
  }
  const Op& op = model.subgraph(home.subgraph).op(home.index);
  for (const auto* tensors : {&op.inputs, &op.outputs}) {
    for (const Tensor* tensor : *tensors) {
      if (tensor == nullptr || tensor->name.empty()) continue;
      const std::string quoted = "'" + tensor->name + "'";
      // From behind what was put there: a tensor may be called "..." itself.
      for (size_t at = reason.find(quoted); at != std::string::npos;
           at = reason.find(quoted, at + kSomeTensor.size()))
        reason.replace(at, quoted.size(), kSomeTensor);
    }
  }
  return reason;
}

double Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string OpsCount(size_t ops) { return fmt::format("{} op{}", ops, ops == 1 ? "" : "s"); }

}  // namespace

PlacementSummary Summarize(const Model& model, std::span<const PlacedOp> ops) {
  PlacementSummary summary;
  std::map<std::pair<std::string, std::string>, PlacementSummary::Group> groups;
  for (const PlacedOp& op : ops) {
    const uint64_t macs = op.was_dispatch ? 0 : MacsOf(model, op.home);
    if (op.is_on_npu()) {
      ++summary.npu_ops;
      summary.npu_macs += macs;
      continue;
    }
    ++summary.cpu_ops;
    summary.cpu_macs += macs;
    PlacementSummary::Group& group = groups[{op.op, Predicate(model, op)}];
    ++group.ops;
    group.macs += macs;
  }
  for (auto& [key, group] : groups) {
    group.op = key.first;
    group.reason = key.second;
    summary.groups.push_back(std::move(group));
  }
  std::stable_sort(summary.groups.begin(), summary.groups.end(), [](const auto& a, const auto& b) {
    return std::tie(a.macs, a.ops) > std::tie(b.macs, b.ops);
  });
  for (const PlacementSummary::Group& group : summary.groups) {
    auto reason = std::find_if(summary.reasons.begin(), summary.reasons.end(),
                               [&](const auto& known) { return known.reason == group.reason; });
    if (reason == summary.reasons.end()) {
      summary.reasons.push_back({.op = {}, .reason = group.reason});
      reason = std::prev(summary.reasons.end());
    }
    reason->op += (reason->op.empty() ? "" : ", ") + group.op;
    reason->ops += group.ops;
    reason->macs += group.macs;
  }
  std::stable_sort(summary.reasons.begin(), summary.reasons.end(),
                   [](const auto& a, const auto& b) { return a.ops > b.ops; });
  return summary;
}

Json ToJson(const PlacementSummary& summary) {
  Json reasons = Json::array();
  for (const PlacementSummary::Group& group : summary.reasons) {
    reasons.push_back({{"reason", group.reason},
                       {"ops", group.ops},
                       {"macs", group.macs},
                       {"operators", group.op}});
  }
  Json groups = Json::array();
  for (const PlacementSummary::Group& group : summary.groups) {
    groups.push_back(
        {{"op", group.op}, {"reason", group.reason}, {"ops", group.ops}, {"macs", group.macs}});
  }
  return {{"npu_ops", summary.npu_ops},   {"cpu_ops", summary.cpu_ops},
          {"npu_macs", summary.npu_macs}, {"cpu_macs", summary.cpu_macs},
          {"cpu", std::move(groups)},     {"reasons", std::move(reasons)}};
}

std::string ToText(const PlacementSummary& summary) {
  const size_t all_ops = summary.npu_ops + summary.cpu_ops;
  const uint64_t all_macs = summary.npu_macs + summary.cpu_macs;
  std::string text =
      fmt::format("{} of {} with {:.1f}% of the MACs are left on the CPU\n", summary.cpu_ops,
                  OpsCount(all_ops), Percent(summary.cpu_macs, all_macs));
  for (const PlacementSummary::Group& group : summary.groups) {
    text += fmt::format("{:>5}  {:>5.1f}% of MACs  {}: {}\n", group.ops,
                        Percent(group.macs, all_macs), group.op, group.reason);
  }
  if (summary.groups.empty()) return text;
  const PlacementSummary::Group& often = summary.reasons.front();
  text += fmt::format("most often:   {}, {} ({})\n", often.reason, OpsCount(often.ops), often.op);
  const PlacementSummary::Group& first = summary.groups.front();
  return text + fmt::format("largest gain: {} ({}), {} with {:.1f}% of the MACs\n", first.op,
                            first.reason, OpsCount(first.ops), Percent(first.macs, all_macs));
}

}  // namespace npukit::tools

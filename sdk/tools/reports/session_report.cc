// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/session_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/op_text.h"

namespace npukit::tools {

std::string ShortName(const std::string& name) {
  constexpr size_t kMaxChars = 64;
  const std::string first = name.substr(0, name.find(';'));
  return first.size() <= kMaxChars ? first : "..." + first.substr(first.size() - kMaxChars + 3);
}

std::string OpText(size_t subgraph, size_t index, const std::string& op, const std::string& name) {
  const std::string short_name = ShortName(name);
  return npukit::OpText(OpLabel{.index = static_cast<uint32_t>(index),
                                .subgraph = static_cast<uint32_t>(subgraph),
                                .op = op,
                                .name = short_name});
}

std::string TypeText(const PortInfo& port) {
  return fmt::format("{}[{}]", ElementTypeName(port.element_type), fmt::join(port.shape, ","));
}

nlohmann::ordered_json PortJson(const PortInfo& port) {
  return {
      {"name", port.name}, {"dtype", ElementTypeName(port.element_type)}, {"shape", port.shape}};
}

nlohmann::ordered_json PlacementJson(const SessionPlacement& placement) {
  nlohmann::ordered_json ops = nlohmann::ordered_json::array();
  for (const OpPlacement& op : placement.ops) {
    nlohmann::ordered_json entry = {{"subgraph", op.subgraph},
                                    {"index", op.index},
                                    {"op", op.op},
                                    {"name", op.name},
                                    {"target", op.target == Target::kNpu ? "npu" : "cpu"}};
    entry["partition"] =
        op.partition < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(op.partition);
    entry["reason"] = op.reason;
    if (!op.plugin.empty()) entry["plugin"] = op.plugin;
    ops.push_back(std::move(entry));
  }
  return {{"npu_ops", placement.npu_ops},
          {"cpu_ops", placement.cpu_ops},
          {"partitions", placement.partitions},
          {"plugin", placement.plugin},
          {"dispatch", placement.dispatch},
          {"fallback_reason", placement.fallback_reason},
          {"ops", std::move(ops)}};
}

std::string PlacementText(const SessionPlacement& placement, bool plugin_was_asked_for) {
  const auto count = [](size_t number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  std::string text =
      fmt::format("placement: {} on the NPU in {}, {} on the CPU\n", count(placement.npu_ops, "op"),
                  count(placement.partitions, "partition"), count(placement.cpu_ops, "op"));
  if (!placement.dispatch.empty()) text += "  dispatch: " + placement.dispatch + "\n";
  if (!plugin_was_asked_for) return text;
  if (!placement.fallback_reason.empty())
    return text + "  all on the CPU: " + placement.fallback_reason + "\n";
  std::vector<std::string> reasons;
  for (const OpPlacement& op : placement.ops) {
    if (op.target == Target::kCpu &&
        std::find(reasons.begin(), reasons.end(), op.reason) == reasons.end()) {
      reasons.push_back(op.reason);
    }
  }
  for (const std::string& reason : reasons) {
    text += "  on the CPU: " + (reason.empty() ? "no reason given" : reason) + "\n";
    for (const OpPlacement& op : placement.ops) {
      if (op.target == Target::kCpu && op.reason == reason)
        text += fmt::format("    {}\n", OpText(op.subgraph, op.index, op.op, op.name));
    }
  }
  return text;
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/placement_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sdk/tools/command_line/text_table.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

// Columns stay readable whatever a model calls its tensors.
constexpr size_t kMaxNameColumn = 40;

std::string Shortened(const std::string& name) {
  if (name.size() <= kMaxNameColumn) return name;
  return "..." + name.substr(name.size() - (kMaxNameColumn - 3));
}

std::string OpColumn(const PlacedOp& op) {
  return op.composite.empty() ? op.op : op.op + " [" + op.composite + "]";
}

}  // namespace

Json OpsJson(const std::vector<PlacedOp>& ops) {
  Json list = Json::array();
  for (const PlacedOp& op : ops) {
    Json json = {{"index", op.index}, {"op", op.op}, {"name", op.name}};
    json["target"] = op.is_on_npu() ? "npu" : "cpu";
    json["partition"] = op.partition >= 0 ? Json(op.partition) : Json(nullptr);
    json["reason"] = op.reason;
    json["subgraph"] = op.subgraph;
    if (!op.plugin.empty()) json["plugin"] = op.plugin;
    if (!op.composite.empty()) json["composite"] = op.composite;
    list.push_back(std::move(json));
  }
  return list;
}

Json PlacementJson(const std::vector<PlacedOp>& ops, size_t partition_count) {
  const auto npu_ops = static_cast<size_t>(
      std::count_if(ops.begin(), ops.end(), [](const PlacedOp& op) { return op.is_on_npu(); }));
  return {{"npu_ops", npu_ops}, {"cpu_ops", ops.size() - npu_ops}, {"partitions", partition_count}};
}

std::string OpsText(const std::vector<PlacedOp>& ops) {
  std::string text;
  // With several plugins each line says whose it is.
  std::set<std::string> plugins;
  for (const PlacedOp& op : ops) {
    if (!op.plugin.empty()) plugins.insert(op.plugin);
  }
  TextTable table("><<<", "    ");
  for (const PlacedOp& op : ops) {
    std::string where = "cpu";
    if (op.partition >= 0) where = fmt::format("npu, partition {}", op.partition);
    if (op.partition >= 0 && plugins.size() > 1) where += " of " + op.plugin;
    if (op.was_dispatch) where = "npu";
    if (!op.reason.empty()) where += ": " + op.reason;
    table.Add({fmt::format("{}", op.index), OpColumn(op), Shortened(op.name), std::move(where)});
  }
  const std::vector<std::string> lines = table.Lines();
  for (size_t i = 0; i < ops.size(); ++i) {
    if (i == 0 || ops[i].subgraph != ops[i - 1].subgraph)
      text += fmt::format("subgraph {}\n", ops[i].subgraph);
    text += lines[i] + "\n";
  }
  return text;
}

}  // namespace npukit::tools

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/selection.h"

#include <algorithm>
#include <unordered_map>

namespace npukit {
namespace {

// Where an op lies that is not of the subgraph it was selected in.
std::string DescribeStranger(const Model& model, const Op* op) {
  for (size_t s = 0; s < model.subgraphs().size(); ++s) {
    for (const auto& candidate : model.subgraph(s).ops()) {
      if (candidate.get() != op) continue;
      return DescribeOp(*op) + ", which is of subgraph " + std::to_string(s);
    }
  }
  return "an op that the model does not have";
}

litert::Unexpected Refuse(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

}  // namespace

size_t OpColors::selected_count() const {
  return color_of_op.size() -
         static_cast<size_t>(std::count(color_of_op.begin(), color_of_op.end(), kNoColor));
}

std::string DescribeOp(const Op& op) {
  std::string text = "op " + std::to_string(op.index) + " " + OpName(op);
  if (const auto* composite = op.OptionsAs<StableHLOCompositeOptions>()) {
    text += " " + composite->name;
  }
  if (!op.outputs.empty() && !op.outputs.front()->name.empty()) {
    text += " (" + op.outputs.front()->name + ")";
  }
  return text;
}

litert::Expected<OpColors> CheckSelection(const Model& model, const Subgraph& subgraph,
                                          const Selection& selection) {
  std::unordered_map<const Op*, uint32_t> position;
  position.reserve(subgraph.ops().size());
  for (const auto& op : subgraph.ops()) position.emplace(op.get(), op->index);

  OpColors colors;
  colors.color_of_op.assign(subgraph.ops().size(), kNoColor);
  for (const SelectedOp& selected : selection) {
    colors.partition_index.push_back(selected.partition_index);
  }
  std::sort(colors.partition_index.begin(), colors.partition_index.end());
  colors.partition_index.erase(
      std::unique(colors.partition_index.begin(), colors.partition_index.end()),
      colors.partition_index.end());

  for (const SelectedOp& selected : selection) {
    if (selected.op == nullptr) return Refuse("selected a null op");
    const auto found = position.find(selected.op);
    if (found == position.end()) {
      return Refuse("selected " + DescribeStranger(model, selected.op) +
                    ": expected ops of the given subgraph only");
    }
    int32_t& color = colors.color_of_op[found->second];
    if (color != kNoColor) {
      return Refuse("selected " + DescribeOp(*selected.op) +
                    " twice: expected each op at most once");
    }
    color = static_cast<int32_t>(std::lower_bound(colors.partition_index.begin(),
                                                  colors.partition_index.end(),
                                                  selected.partition_index) -
                                 colors.partition_index.begin());
  }
  return colors;
}

std::string ToString(const OpColors& colors, const Subgraph& subgraph) {
  std::string text;
  for (const auto& op : subgraph.ops()) {
    const int32_t color = colors.color_of_op[op->index];
    if (color == kNoColor) continue;
    text += std::to_string(op->index) + " " + OpName(*op) + " -> " +
            std::to_string(colors.partition_index[static_cast<size_t>(color)]) + "\n";
  }
  return text;
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/placement.h"

#include <fmt/format.h>

#include "sdk/host/partition/grouping/grouping.h"

namespace npukit {
namespace {

std::string ColorText(const Placement::Color& color, const std::string& plugin) {
  if (color.is_npu_call) return fmt::format("{}, alone", plugin);
  std::string text = fmt::format("{}, index {}", plugin, color.partition_index);
  if (color.piece != 0) text += fmt::format(", piece {}", color.piece);
  return text;
}

}  // namespace

std::string ToString(const Placement& placement, const UnfoldedModel& unfolded) {
  std::string text;
  for (size_t s = 0; s < placement.subgraphs.size(); ++s) {
    const Placement::SubgraphPlacement& placed = placement.subgraphs[s];
    for (size_t i = 0; i < placed.color_of_op.size(); ++i) {
      const UnfoldedOp& op = unfolded.ops(s)[i];
      text += fmt::format("{} {} ", ToString(op.id), OpText(op));
      if (placed.color_of_op[i] == kNoColor) {
        text += fmt::format("- {}\n", placed.reasons[i]);
        continue;
      }
      const Placement::Color& color = placed.colors[static_cast<size_t>(placed.color_of_op[i])];
      text += fmt::format("-> {}\n", ColorText(color, placement.plugins[color.plugin]));
    }
  }
  return text;
}

}  // namespace npukit

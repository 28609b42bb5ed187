// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/selection.h"

#include <fmt/format.h>

#include <unordered_map>

#include "sdk/host/model/graph/op_text.h"

namespace npukit {
namespace {

// Where an op lies that is not of the subgraph it was selected in.
std::string DescribeStranger(const Model& model, const Op* op) {
  for (size_t s = 0; s < model.subgraphs().size(); ++s) {
    for (const auto& candidate : model.subgraph(s).ops()) {
      if (candidate.get() != op) continue;
      return fmt::format("{}, which is of subgraph {}", OpText(*op), s);
    }
  }
  return "an op that the model does not have";
}

litert::Unexpected Refuse(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, what);
}

}  // namespace

litert::Expected<void> CheckSelection(const Model& model, const Subgraph& subgraph,
                                      const Selection& selection) {
  std::unordered_map<const Op*, uint32_t> position;
  position.reserve(subgraph.ops().size());
  for (const auto& op : subgraph.ops()) position.emplace(op.get(), op->index);
  std::vector<bool> is_selected(subgraph.ops().size());
  for (const SelectedOp& selected : selection) {
    if (selected.op == nullptr) return Refuse("selected a null op");
    const auto found = position.find(selected.op);
    if (found == position.end()) {
      return Refuse(fmt::format("selected {}: expected ops of the given subgraph only",
                                DescribeStranger(model, selected.op)));
    }
    if (is_selected[found->second]) {
      return Refuse(
          fmt::format("selected {} twice: expected each op at most once", OpText(*selected.op)));
    }
    is_selected[found->second] = true;
  }
  return {};
}

}  // namespace npukit

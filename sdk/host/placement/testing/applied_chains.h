// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Chains of ops, what several plugins make of them, and how to say it in a line.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_TESTING_APPLIED_CHAINS_H_
#define NPUKIT_SDK_HOST_PLACEMENT_TESTING_APPLIED_CHAINS_H_

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/placement/testing/four_ops.h"
#include "sdk/host/plugin/test_plugins/load_test_plugin.h"

namespace npukit {

// MUL, SUB, ADD, MUL in a chain; a constant is read by the first and the third, another by the last.
inline std::unique_ptr<Model> Chain() { return FourOps(LastReads::kConstant); }

// Each reads what the one before it computes, and a constant.
inline std::unique_ptr<Model> ChainOf(const std::vector<LiteRtOpCode>& ops) {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* last = b.Input("x", type, {4});
  Tensor* k = b.Constant<float>("k", {4}, {1, 2, 3, 4});
  for (size_t i = 0; i < ops.size(); ++i) {
    Tensor* next = b.Value(fmt::format("v{}", i), type, {4});
    b.AddOp(ops[i], {last, k}, {next});
    last = next;
  }
  b.Output(last);
  return b.BuildUnchecked();
}

inline std::string ErrorOf(const Model& model, const std::vector<const LoadedPlugin*>& plugins,
                           const ApplyOptions& options = {}) {
  const auto applied = ApplyPlugins(model, plugins, options);
  return applied ? "" : applied.Error().Message();
}

// "MUL takes_mul 0, SUB cpu, ..."
inline std::string Placed(const ApplyResult& applied) {
  std::string text;
  for (const PlacedOp& op : applied.ops) {
    if (!text.empty()) text += ", ";
    text += op.partition < 0 ? fmt::format("{} cpu", op.op)
                             : fmt::format("{} {} {}", op.op, op.plugin, op.partition);
  }
  return text;
}

inline std::string Bytecode(const ApplyResult& applied, size_t module) {
  const auto bytes = applied.model->buffers().Get(applied.modules[module].buffer).bytes;
  return {bytes.begin(), bytes.end()};
}

inline ApplyResult Apply(const Model& model, std::vector<const LoadedPlugin*> plugins,
                         const ApplyOptions& options = {}) {
  auto applied = ApplyPlugins(model, plugins, options);
  if (!applied) {
    ADD_FAILURE() << applied.Error().Message();
    return {};
  }
  return std::move(*applied);
}

inline PlacementRule Rule(std::string plugin, std::string where = "file:1:1") {
  PlacementRule rule;
  rule.plugin = std::move(plugin);
  rule.where = std::move(where);
  return rule;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_TESTING_APPLIED_CHAINS_H_

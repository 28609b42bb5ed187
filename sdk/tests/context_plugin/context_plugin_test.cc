// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The plugin of this folder in the host: what it reads through the table, its transformation, and
// debug handles that lead through the transformation to the ops that the user knows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/placement/apply.h"

namespace npukit {
namespace {

LoadedPlugin LoadPlugin() {
  auto plugin = LoadedPlugin::Load(NPUKIT_CONTEXT_PLUGIN);
  EXPECT_TRUE(plugin) << plugin.Error().Message();
  return std::move(*plugin);
}

// 0 ADD a = x + y; 1 SQUARE s = a * a; 2 MUL p = s * y.
std::unique_ptr<Model> SquareModel() {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {4});
  Tensor* y = b.Input("y", type, {4});
  Tensor* a = b.Value("a", type, {4});
  Tensor* s = b.Value("s", type, {4});
  Tensor* p = b.Value("p", type, {4});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, y}, {a});
  b.AddOp(kLiteRtOpCodeTflSquare, {a}, {s});
  b.AddOp(kLiteRtOpCodeTflMul, {s, y}, {p});
  b.Output(p);
  auto model = b.Build();
  EXPECT_TRUE(model) << model.Error().Message();
  return std::move(*model);
}

TEST(ContextPlugin, IsOfAbi22) {
  const LoadedPlugin plugin = LoadPlugin();
  EXPECT_EQ(plugin.abi(), "2.2");
  EXPECT_EQ(plugin.sdk_version(), "1");
}

TEST(ContextPlugin, DebugHandlesLeadThroughTheTransformation) {
  const LoadedPlugin plugin = LoadPlugin();
  const LoadedPlugin* const plugins[] = {&plugin};
  const auto applied = ApplyPlugins(*SquareModel(), plugins);
  ASSERT_TRUE(applied) << applied.Error().Message();
  // Both products are the device's; SQUARE became one of them.
  ASSERT_EQ(applied->partitions.size(), 2u);
  EXPECT_EQ(applied->ops.at(1).op, "MUL");
  const auto delegates = ReadDelegates(*applied->model);
  ASSERT_TRUE(delegates) << delegates.Error().Message();
  ASSERT_EQ(delegates->size(), 2u);
  const DelegateRecord& square = (*delegates)[0];
  ASSERT_EQ(square.handles.size(), 1u);
  ASSERT_EQ(square.handles[0].ops.size(), 1u);
  const DelegateRecord::SourceOp& source = square.ops.at(square.handles[0].ops[0]);
  EXPECT_EQ(source.op, "SQUARE") << "as the user's model has it";
  EXPECT_EQ(source.index, 1u);
  EXPECT_EQ(source.name, "s");
  EXPECT_EQ((*delegates)[1].ops.at(0).op, "MUL");
  EXPECT_EQ((*delegates)[1].ops.at(0).name, "p");
}

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/apply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/graph/model_diff.h"
#include "sdk/host/model/graph/model_verifier.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/testing/four_ops.h"
#include "sdk/host/plugin/test_plugins/load_test_plugin.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// MUL, SUB (by other partition indices in example_like), ADD on the CPU, MUL.
std::unique_ptr<Model> Mixed() { return FourOps(LastReads::kSub); }

std::string BytesOf(const Model& model, const Op& op) {
  const auto bytes = model.buffers().Get(op.dispatch->bytecode).bytes;
  return {bytes.begin(), bytes.end()};
}

litert::Expected<ApplyResult> Apply(const Model& model, const LoadedPlugin& plugin,
                                    const ApplyOptions& options = {}) {
  const LoadedPlugin* const plugins[] = {&plugin};
  return ApplyPlugins(model, plugins, options);
}

TEST(Apply, OneModuleWithSeveralEntryPoints) {
  const auto model = Mixed();
  const auto result = Apply(*model, LoadTestPlugin("example_like"), {.soc_model = "t2"});
  ASSERT_TRUE(result) << result.Error().Message();
  ASSERT_EQ(result->modules.size(), 1u);
  const Subgraph& graph = result->model->main_subgraph();
  for (size_t op : {0, 1, 3}) {
    EXPECT_TRUE(graph.op(op).is_dispatch());
    EXPECT_EQ(graph.op(op).dispatch->bytecode, result->modules[0].buffer);
    EXPECT_EQ(BytesOf(*result->model, graph.op(op)), "entry_0: 18\nentry_1: 41\nentry_2: 18\n");
  }
  EXPECT_EQ(graph.op(3).dispatch->entry_point, "entry_2");
  EXPECT_EQ(result->npu_op_count(), 3u);
  EXPECT_TRUE(VerifyModel(*result->model));
}

TEST(Apply, SeveralModules) {
  const auto model = Mixed();
  const auto result = Apply(*model, LoadTestPlugin("two_modules"));
  ASSERT_TRUE(result) << result.Error().Message();
  ASSERT_EQ(result->modules.size(), 3u);
  const Subgraph& graph = result->model->main_subgraph();
  EXPECT_EQ(BytesOf(*result->model, graph.op(0)), "entry_0: 18\n");
  EXPECT_EQ(BytesOf(*result->model, graph.op(1)), "entry_1: 41\n");
  EXPECT_EQ(BytesOf(*result->model, graph.op(3)), "entry_2: 18\n");
}

TEST(Apply, SurvivesSavingAndLoading) {
  for (const char* name : {"example_like", "two_modules", "selects_all"}) {
    const auto model = Mixed();
    const auto result = Apply(*model, LoadTestPlugin(name), {.soc_model = "t1"});
    ASSERT_TRUE(result) << result.Error().Message();
    auto bytes = SerializeModel(*result->model);
    ASSERT_TRUE(bytes) << bytes.Error().Message();
    const auto again = ParseModel(SharedBytes::Take(std::move(*bytes)), name);
    ASSERT_TRUE(again) << again.Error().Message();
    EXPECT_EQ(GetBuildStamp(**again), (BuildStamp{name, "t1"}));
    for (const ApplyResult::Partition& partition : result->partitions) {
      const Op& op = (*again)->main_subgraph().op(partition.dispatch_op->index);
      ASSERT_TRUE(op.is_dispatch());
      EXPECT_EQ(op.dispatch->entry_point, partition.entry_point);
      EXPECT_EQ(BytesOf(**again, op), BytesOf(*result->model, *partition.dispatch_op));
    }
  }
}

TEST(Apply, NothingSelectedLeavesTheModelAndGivesReasons) {
  const auto model = Mixed();
  const auto result = Apply(*model, LoadTestPlugin("selects_nothing"));
  ASSERT_TRUE(result) << result.Error().Message();
  EXPECT_EQ(FirstDifference(*model, *result->model), std::nullopt);
  EXPECT_THAT(result->partitions, IsEmpty());
  EXPECT_EQ(GetBuildStamp(*result->model), std::nullopt);
  ASSERT_EQ(result->ops.size(), 4u);
  for (const auto& op : result->ops) EXPECT_EQ(op.reason, "not selected by selects_nothing");
}

TEST(Apply, ThePluginsOwnReasonIsShown) {
  const auto model = Mixed();
  const auto result = Apply(*model, LoadTestPlugin("explains"));
  ASSERT_TRUE(result) << result.Error().Message();
  EXPECT_EQ(result->ops[2].reason, "no more than multiplication is understood");
  EXPECT_EQ(result->ops[0].reason, "");
  EXPECT_EQ(result->partitions[0].debug_handles.size(), 1u);
}

TEST(Apply, TheGivenModelStaysUsableAfterAFailure) {
  const auto model = Mixed();
  const auto result = Apply(*model, LoadTestPlugin("fails_in_compile"));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.Error().Message(),
              AllOf(HasSubstr("LiteRtCompilerPluginCompile gave kLiteRtStatusErrorCompilation"),
                    HasSubstr("partition 0: op 0 MUL (a), op 1 SUB (s), op 2 ADD (t)")));
  EXPECT_EQ(FirstDifference(*Mixed(), *model), std::nullopt);
}

struct ApplyFault {
  const char* plugin;
  const char* message;
};

TEST(Apply, WrongSelectionsNameThePlugin) {
  const ApplyFault faults[] = {
      {"selects_twice", "subgraph 0: selected op 0 MUL (a) twice"},
      {"selects_null", "LiteRtCompilerPluginPartition gave"},
      {"selects_stranger", "twice"},
  };
  for (const ApplyFault& fault : faults) {
    const auto model = Mixed();
    const LoadedPlugin plugin = LoadTestPlugin(fault.plugin);
    const auto result = Apply(*model, plugin);
    ASSERT_FALSE(result) << fault.plugin;
    EXPECT_THAT(result.Error().Message(),
                AllOf(HasSubstr(plugin.Describe()), HasSubstr(fault.message)));
  }
}

TEST(Apply, TransformationsComeBeforePartitioning) {
  const LoadedPlugin plugin = LoadTestPlugin("rewrites");
  const auto model = Mixed();
  const LoadedPlugin* const plugins[] = {&plugin};
  const auto plan = PlanPartitions(*model, plugins);
  ASSERT_TRUE(plan) << plan.Error().Message();
  const std::vector<PlacedOp>& ops = plan->partitioned.ops;
  ASSERT_EQ(ops.size(), 3u);  // MUL and SUB became one
  EXPECT_EQ(ops[0].op, "MUL");
  EXPECT_EQ(ops[0].name, "s");
  EXPECT_EQ(ops[1].op, "ADD");
  EXPECT_EQ(ops[2].op, "MUL");
  EXPECT_EQ(model->main_subgraph().ops().size(), 4u);  // the given model is as it was
}

TEST(Apply, ABrokenTransformationIsRefusedByName) {
  const LoadedPlugin plugin = LoadTestPlugin("breaks_graph");
  const auto model = Mixed();
  const auto applied = Apply(*model, plugin);
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.Error().Message(),
              AllOf(HasSubstr(plugin.Describe()), HasSubstr("'erase the first' at op 0")));
  EXPECT_EQ(model->main_subgraph().ops().size(), 4u);
  EXPECT_TRUE(Apply(*model, LoadTestPlugin("selects_all")));
}

// Every rewrite by itself is right; what comes of them is no model that can be loaded again.
TEST(Apply, AWrongModelOfTransformationsIsRefusedByName) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, b.Constant<float>("c", {4}, {1, 2, 3, 4})}, {y});
  b.Output(y);
  const auto model = b.BuildUnchecked();
  const LoadedPlugin plugin = LoadTestPlugin("rewrites_short");
  const auto applied = Apply(*model, plugin);
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.Error().Message(),
              AllOf(HasSubstr(plugin.Describe()), HasSubstr("'halves'")));
  EXPECT_TRUE(Apply(*model, LoadTestPlugin("rewrites_constants")));
}

TEST(Apply, TransformationsThatUndoEachOtherEnd) {
  const auto applied = Apply(*Mixed(), LoadTestPlugin("never_settles"));
  ASSERT_TRUE(applied) << applied.Error().Message();
  EXPECT_THAT(applied->warnings,
              ElementsAre(AllOf(HasSubstr("never_settles"), HasSubstr("was rewritten 100 times"))));
}

// The plugin turns ADD into MUL by the functions that its pattern is given.
TEST(Apply, PatternsOfQueriedPluginsGetTheHost) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
  b.Output(y);
  const auto result = Apply(*b.BuildUnchecked(), LoadTestPlugin("queried_plain"));
  ASSERT_TRUE(result) << result.Error().Message();
  EXPECT_EQ(result->ops.at(0).op, "MUL");
}

// Executables in place of bytecode are of use in this process only.
TEST(Apply, ModulesForAFileHaveBytecode) {
  const struct {
    const char* plugin;
    ApplyOptions options;
    bool is_refused;
  } cases[] = {
      {"queried_plain", {.drop_bytecode_as_litert = true}, false},
      {"queried_gives_handles", {}, false},
      {"queried_gives_handles", {.drop_bytecode_as_litert = true}, true},
      {"queried_gives_handles", {.just_in_time = true, .drop_bytecode_as_litert = true}, false},
      {"queried_only_handles", {}, true},
      {"queried_only_handles", {.just_in_time = true}, false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.plugin);
    ModelBuilder b;
    Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
    Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
    b.AddOp(kLiteRtOpCodeTflMul, {x, x}, {y});
    b.Output(y);
    const auto result = Apply(*b.BuildUnchecked(), LoadTestPlugin(c.plugin), c.options);
    EXPECT_EQ(!result, c.is_refused);
    if (result) continue;
    EXPECT_THAT(result.Error().Message(),
                AllOf(HasSubstr("module 0 has no bytecode"), HasSubstr("enable_just_in_time")));
  }
}

TEST(Apply, UnknownSocIsAnError) {
  const auto model = Mixed();
  const auto result = Apply(*model, LoadTestPlugin("selects_all"), {.soc_model = "t9"});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.Error().Message(), HasSubstr("no SoC model \"t9\""));
}

// The second plugin takes what the first left, and never the first's ops.
TEST(Apply, OnePluginAfterTheOther) {
  const auto model = Mixed();
  auto first = Apply(*model, LoadTestPlugin("example_like"), {.soc_model = "t1"});
  ASSERT_TRUE(first) << first.Error().Message();
  const auto second = Apply(*first->model, LoadTestPlugin("selects_all"), {.soc_model = "t1"});
  ASSERT_TRUE(second) << second.Error().Message();
  const Subgraph& graph = second->model->main_subgraph();
  ASSERT_EQ(graph.ops().size(), 4u);
  EXPECT_EQ(BytesOf(*second->model, graph.op(0)), "entry_0: 18\nentry_1: 41\nentry_2: 18\n");
  EXPECT_EQ(BytesOf(*second->model, graph.op(2)), "entry_0: 0\n");
  EXPECT_EQ(graph.op(2).dispatch->entry_point, "entry_0");
  EXPECT_EQ(GetBuildStamp(*second->model), (BuildStamp{"example_like,selects_all", "t1"}));
  EXPECT_EQ(second->npu_op_count(), 4u);
}

}  // namespace
}  // namespace npukit

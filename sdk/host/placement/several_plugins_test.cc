// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One model, several plugins: who takes what, and what of it stands in the file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/graph/model_diff.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/placement/preparation.h"
#include "sdk/host/placement/testing/applied_chains.h"
#include "sdk/host/plugin/test_plugins/load_test_plugin.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

TEST(SeveralPlugins, PluginsTakeTheirTurnAndOneModelCarriesBothsBytecode) {
  const auto model = Chain();
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  const LoadedPlugin add = LoadTestPlugin("takes_add");
  const LoadedPlugin all = LoadTestPlugin("selects_all");
  const ApplyResult both = Apply(*model, {&mul, &add});
  EXPECT_EQ(Placed(both), "MUL takes_mul 0, SUB cpu, ADD takes_add 1, MUL takes_mul 2");
  EXPECT_THAT(both.shares[0].partitions, ElementsAre(0, 2));
  EXPECT_THAT(both.shares[1].partitions, ElementsAre(1));
  EXPECT_EQ(both.modules.size(), 2u);
  EXPECT_EQ(GetBuildStamp(*both.model)->soc_manufacturer, "takes_mul,takes_add");
  // The later one gets what is left, though it would take all.
  EXPECT_EQ(Placed(Apply(*model, {&mul, &all})),
            "MUL takes_mul 0, SUB selects_all 1, ADD selects_all 1, MUL takes_mul 2");
  EXPECT_EQ(Placed(Apply(*model, {&all, &mul})),
            "MUL selects_all 0, SUB selects_all 0, ADD selects_all 0, MUL selects_all 0");
  // The given model is as it was.
  EXPECT_EQ(FirstDifference(*model, *Chain()), std::nullopt);
}

TEST(SeveralPlugins, OneAfterTheOtherInTwoRunsIsTheSame) {
  const auto model = Chain();
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  const LoadedPlugin all = LoadTestPlugin("selects_all");
  const ApplyResult first = Apply(*model, {&mul});
  const ApplyResult second = Apply(*first.model, {&all});
  EXPECT_EQ(second.partitions.size(), 1u);
  const auto delegates = ReadDelegates(*second.model);
  ASSERT_TRUE(delegates) << delegates.Error().Message();
  ASSERT_EQ(delegates->size(), 3u);  // both know where their ops came from
  EXPECT_EQ((*delegates)[0].plugin, "takes_mul");
  EXPECT_EQ((*delegates)[2].plugin, "selects_all");
}

TEST(SeveralPlugins, TheMetadataNamesSourceOpsAndSurvivesTheFile) {
  const auto model = Chain();
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  const ApplyResult applied = Apply(*model, {&mul});
  const auto bytes = SerializeModel(*applied.model);
  ASSERT_TRUE(bytes) << bytes.Error().Message();
  const auto loaded = ParseModel(SharedBytes::Copy(*bytes), "x");
  ASSERT_TRUE(loaded) << loaded.Error().Message();
  const auto delegates = ReadDelegates(**loaded);
  ASSERT_TRUE(delegates) << delegates.Error().Message();
  ASSERT_EQ(delegates->size(), 2u);
  EXPECT_EQ((*delegates)[1].ops, (std::vector<DelegateRecord::SourceOp>{{0, 3, "MUL", "y", ""}}));
  size_t found = 0;
  for (const auto& op : (*loaded)->main_subgraph().ops())
    found += FindDelegate(*delegates, *op) != nullptr;
  EXPECT_EQ(found, 2u);
}

// A rewrite inside a composite that is then inlined.
TEST(SeveralPlugins, SourcesLeadThroughTransformationsOfADecomposition) {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {4});
  Tensor* n = b.Value("n", type, {4});
  Tensor* c = b.Value("c", type, {4});
  b.AddOp(kLiteRtOpCodeTflNeg, {x}, {n});
  b.Output(c);
  const int32_t body = b.BeginSubgraph("body");
  Tensor* in = b.Input("in", type, {4});
  Tensor* k = b.Constant<float>("k", {4}, {1, 2, 3, 4});
  Tensor* product = b.Value("product", type, {4});
  Tensor* out = b.Value("out", type, {4});
  b.AddOp(kLiteRtOpCodeTflMul, {in, k}, {product});
  b.AddOp(kLiteRtOpCodeTflSub, {product, in}, {out});
  b.Output(out);
  b.SelectSubgraph(0);
  b.AddComposite("test.residual", body, {n}, {c});
  const auto model = b.Build();
  ASSERT_TRUE(model) << model.Error().Message();
  const LoadedPlugin rewrites = LoadTestPlugin("rewrites");
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  const ApplyResult applied =
      Apply(**model, {&rewrites, &mul},
            {.placement = {.rules = {{.types = {"MUL"}, .plugin = "takes_mul", .where = "1"},
                                     {.where = "2"}}}});
  EXPECT_EQ(Placed(applied), "NEG cpu, MUL takes_mul 0");
  const auto delegates = ReadDelegates(*applied.model);
  ASSERT_TRUE(delegates) << delegates.Error().Message();
  ASSERT_EQ(delegates->size(), 1u);  // NEG stands where it stood
  EXPECT_EQ(delegates->front().ops,
            (std::vector<DelegateRecord::SourceOp>{{0, 1, "MUL", "product", "test.residual"},
                                                   {0, 1, "SUB", "c", "test.residual"}}));
}

// Ops on the CPU of a model that is compiled twice keep the numbers of the first.
TEST(SeveralPlugins, SourcesLeadThroughAnEarlierCompilation) {
  const auto model = Chain();
  const LoadedPlugin rewrites = LoadTestPlugin("rewrites");
  const LoadedPlugin add = LoadTestPlugin("takes_add");
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  PlacementRequest one_partition;
  one_partition.rules = {{.names = {"s"}, .types = {"MUL"}, .where = "1"},
                         {.types = {"ADD"}, .plugin = "rewrites", .where = "2"},
                         {.names = {"y"}, .types = {"MUL"}, .where = "3"}};
  const ApplyResult first = Apply(*model, {&rewrites}, {.placement = one_partition});
  ASSERT_EQ(Placed(first), "MUL cpu, ADD rewrites 0, MUL cpu");
  const ApplyResult second = Apply(*first.model, {&mul});
  const auto delegates = ReadDelegates(*second.model);
  ASSERT_TRUE(delegates) << delegates.Error().Message();
  ASSERT_EQ(delegates->size(), 3u);
  using Ops = std::vector<DelegateRecord::SourceOp>;
  EXPECT_EQ((*delegates)[0].ops, (Ops{{0, 2, "ADD", "t", ""}}));
  EXPECT_EQ((*delegates)[1].ops, (Ops{{0, 0, "MUL", "a", ""}, {0, 1, "SUB", "s", ""}}));
  EXPECT_EQ((*delegates)[2].ops, (Ops{{0, 3, "MUL", "y", ""}}));
}

// As a file may have them: records of ops on the CPU that name no op.
TEST(SeveralPlugins, RecordsWithoutOpsSayNothing) {
  const auto model = Chain();
  std::vector<DelegateRecord> records(4);
  for (size_t i = 0; i < records.size(); ++i)
    records[i].output = model->main_subgraph().op(i).outputs[0]->name;
  WriteDelegates(*model, records);
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  const ApplyResult applied = Apply(*model, {&mul});
  const auto delegates = ReadDelegates(*applied.model);
  ASSERT_TRUE(delegates) << delegates.Error().Message();
  ASSERT_EQ(delegates->size(), 2u);
  EXPECT_EQ((*delegates)[1].ops, (std::vector<DelegateRecord::SourceOp>{{0, 3, "MUL", "y", ""}}));
}

TEST(Constants, OwnedOnesLeaveTheOuterGraphSharedOnesStay) {
  const auto model = Chain();
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  const ApplyResult applied = Apply(*model, {&mul});
  EXPECT_EQ(applied.constants.before_bytes, 32u);
  EXPECT_EQ(applied.constants.after_bytes, 16u);
  ASSERT_EQ(applied.constants.partitions.size(), 2u);
  EXPECT_THAT(applied.constants.partitions[0].shared, ElementsAre("k"));
  EXPECT_EQ(applied.constants.partitions[0].owned_bytes, 0u);
  EXPECT_THAT(applied.constants.partitions[1].owned, ElementsAre("only"));
  EXPECT_EQ(applied.constants.partitions[1].owned_bytes, 16u);
  for (const auto& tensor : applied.model->main_subgraph().tensors())
    EXPECT_NE(tensor->name, "only");
}

}  // namespace
}  // namespace npukit

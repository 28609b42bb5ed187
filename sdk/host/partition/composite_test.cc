// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/composite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sdk/host/model/testing/nested_composites.h"
#include "sdk/host/partition/testing/test_graph.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// -- Composites ---------------------------------------------------------------

TEST(Composites, SelectedCompositeIsOutlinedWithoutItsDecomposition) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.Decomposition("body", {kMul});
  g.Output(g.Composite("odml.rms_norm", body, {x}, "y"));
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByCode({kLiteRtOpCodeShloComposite}));
  EXPECT_EQ(ToString(result),
            "0:0 op 0 STABLEHLO_COMPOSITE [odml.rms_norm] (y) -> partition 0\n"
            "partition 0: x -> y\n"
            "  op 0 STABLEHLO_COMPOSITE [odml.rms_norm] (y)\n");
  EXPECT_EQ(result.outer->subgraphs().size(), 1u);
  EXPECT_EQ(result.bodies->subgraph(0)
                .op(0)
                .OptionsAs<StableHLOCompositeOptions>()
                ->decomposition_subgraph_index,
            -1);
}

TEST(Composites, UnselectedCompositesAreInlinedAndAskedAboutAgain) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t leaf = g.Decomposition("leaf", {kMul, kNeg});
  const int32_t middle = g.BeginSubgraph("middle");
  Tensor* m = g.In("m");
  g.Output(g.Op(kMul, {g.Composite("odml.leaf", leaf, {m}, "m1"), m}, "m2"));
  g.SelectSubgraph(0);
  Tensor* y = g.Composite("odml.middle", middle, {x}, "y");
  g.Output(g.Op(kAdd, {y, x}, "z"));
  const auto model = g.Take();
  int asked = 0;
  const Selector mul = ByCode({kMul});
  const PartitionedModel result = MustPartition(*model, [&](Subgraph& subgraph) {
    ++asked;
    return mul(subgraph);
  });
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(ToString(result),
            "4:0 op 0 MUL [odml.leaf] (leaf.0) -> partition 0\n"
            "4:1 op 0 NEG [odml.leaf] (m1) - not selected\n"
            "3:1 op 0 MUL [odml.middle] (y) -> partition 1\n"
            "0:1 op 1 ADD (z) - not selected\n"
            "partition 0: x -> leaf.0\n"
            "  op 0 MUL (leaf.0)\n"
            "partition 1: x m1 -> y\n"
            "  op 0 MUL (y)\n");
  EXPECT_EQ(result.outer->subgraphs().size(), 1u);
}

TEST(Composites, DecompositionSharedByTwoCompositesIsCopied) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.Decomposition("body", {kMul});
  Tensor* y = g.Composite("odml.thing", body, {x}, "y");
  g.Output(g.Composite("odml.thing", body, {y}, "z"));
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByCode({kMul}));
  EXPECT_EQ(result.partitions.size(), 1u);
  EXPECT_THAT(OpNames(result.bodies->subgraph(0)), ElementsAre("y", "z"));
}

// A decomposition may put out its input, a constant, or one tensor twice.
TEST(Composites, CompositesThatPassTensorsThroughAreInlined) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.BeginSubgraph("body");
  Tensor* in = g.In("in");
  Tensor* sum = g.Op(kMul, {in, in}, "sum");
  g.Output(sum);
  g.Output(in);
  g.Output(g.Const("fixed"));
  g.Output(sum);
  g.SelectSubgraph(0);
  std::vector<Tensor*> outs;
  for (const char* name : {"computed", "passed", "constant", "again"}) {
    outs.push_back(g.Value(name, kLiteRtElementTypeFloat32, {4}));
  }
  g.AddComposite("odml.thing", body, {x}, outs);
  Tensor* left = g.Op(kAdd, {outs[0], outs[1]}, "left");
  g.Output(g.Op(kAdd, {left, outs[2]}, "right"));
  g.Output(outs[3]);
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByCode({kMul}));
  const Subgraph& outer = result.outer->main_subgraph();
  EXPECT_THAT(OpNames(outer), ElementsAre("computed", "left", "right"));
  EXPECT_THAT(Names(outer.op(1).inputs), ElementsAre("computed", "x"));
  EXPECT_THAT(Names(outer.op(2).inputs), ElementsAre("left", "fixed"));
  EXPECT_THAT(Names(outer.outputs), ElementsAre("right", "computed"));
}

TEST(Composites, NpuCallsAreAlwaysTakenWholeAndKeepTheirPlace) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t first = g.Decomposition("first", {kNeg, kAdd});
  const int32_t second = g.Decomposition("second", {kAdd, kNeg});
  Tensor* a = g.Op(kMul, {x, x}, "a");
  Tensor* b = g.Composite("odml.npu_call", second, {a}, "b");
  Tensor* c = g.Op(kMul, {b, x}, "c");
  Tensor* d = g.Op(kAdd, {c, x}, "d");
  Tensor* e = g.Composite("odml.npu_call", first, {d}, "e");
  g.Output(g.Op(kMul, {e, e}, "f"));
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByCode({kMul}));
  EXPECT_EQ(ToString(result),
            "0:0 op 0 MUL (a) -> partition 0\n"
            "0:1 op 1 STABLEHLO_COMPOSITE [odml.npu_call] (b) -> partition 1\n"
            "0:2 op 2 MUL (c) -> partition 2\n"
            "0:3 op 3 ADD (d) - not selected\n"
            "0:4 op 4 STABLEHLO_COMPOSITE [odml.npu_call] (e) -> partition 3\n"
            "0:5 op 5 MUL (f) -> partition 4\n"
            "partition 0: x -> a\n"
            "  op 0 MUL (a)\n"
            "partition 1: second.in -> second.1\n"
            "  op 0 ADD (second.0)\n"
            "  op 1 NEG (second.1)\n"
            "partition 2: x b -> c\n"
            "  op 0 MUL (c)\n"
            "partition 3: first.in -> first.1\n"
            "  op 0 NEG (first.0)\n"
            "  op 1 ADD (first.1)\n"
            "partition 4: e -> f\n"
            "  op 0 MUL (f)\n");
  for (size_t p = 0; p < result.partitions.size(); ++p) {
    const Op& call = *result.partitions[p].dispatch_op;
    EXPECT_EQ(call.inputs.size(), result.bodies->subgraph(p).inputs.size());
    EXPECT_EQ(call.outputs.size(), result.bodies->subgraph(p).outputs.size());
  }
  EXPECT_TRUE(result.partitions[1].is_npu_call);
  EXPECT_EQ(result.outer->subgraphs().size(), 1u);
}

// What a composite that stays decomposes to stays too, with what that decomposes to.
TEST(Composites, ThoseKeptWholeKeepTheirDecompositions) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t dropped = g.Decomposition("dropped", {kNeg});
  const int32_t leaf = g.Decomposition("leaf", {kAdd});
  const int32_t body = g.BeginSubgraph("body");
  g.Output(g.Composite("test.leaf", leaf, {g.In("in")}, "out"));
  g.SelectSubgraph(0);
  Tensor* a = g.Op(kMul, {x, x}, "a");
  Tensor* b = g.Composite("test.inlined", dropped, {a}, "b");
  g.Output(g.Composite("test.kept", body, {b}, "c"));
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(
      *model, ByCode({kMul}), [](const Op& op) { return CompositeName(op) == "test.kept"; });
  EXPECT_THAT(OpNames(result.outer->main_subgraph()), ElementsAre("a", "b", "c"));
  ASSERT_EQ(result.outer->subgraphs().size(), 3u);
  const Subgraph* kept = DecompositionOf(*result.outer, result.outer->main_subgraph().op(2));
  ASSERT_NE(kept, nullptr);
  EXPECT_THAT(OpNames(*kept), ElementsAre("out"));
  const Subgraph* inner = DecompositionOf(*result.outer, kept->op(0));
  ASSERT_NE(inner, nullptr);
  EXPECT_THAT(OpNames(*inner), ElementsAre("leaf.0"));
}

TEST(Composites, SelectingAnNpuCallChangesNothing) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.Decomposition("body", {kNeg});
  Tensor* a = g.Composite("odml.npu_call", body, {x}, "a");
  g.Output(g.Op(kMul, {a, a}, "b"));
  const auto model = g.Take();
  EXPECT_EQ(MustPartition(*model, Everything()).partitions.size(), 2u);
  EXPECT_EQ(MustPartition(*model, ByName({})).partitions.size(), 1u);
}

TEST(Composites, CpuCallsAreNeverTakenAndInlinedAtTheEnd) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t leaf = g.Decomposition("leaf", {kMul});
  const int32_t body = g.BeginSubgraph("body");
  Tensor* m = g.In("m");
  g.Output(g.Op(kMul, {g.Composite("odml.leaf", leaf, {m}, "m1"), m}, "m2"));
  g.SelectSubgraph(0);
  Tensor* a = g.Op(kMul, {x, x}, "a");
  Tensor* b = g.Composite("odml.cpu_call", body, {a}, "b");
  g.Output(g.Op(kMul, {b, x}, "c"));
  const auto model = g.Take();
  size_t most_ops_seen = 0;
  const Selector everything = Everything();
  const PartitionedModel result = MustPartition(*model, [&](Subgraph& subgraph) {
    most_ops_seen = std::max(most_ops_seen, subgraph.ops().size());
    return everything(subgraph);
  });
  EXPECT_EQ(most_ops_seen, 3u);
  EXPECT_THAT(OpNames(result.outer->main_subgraph()), ElementsAre("a", "m1", "b", "c"));
  EXPECT_EQ(result.partitions.size(), 2u);
  EXPECT_EQ(result.ops[1].reason, "odml.cpu_call: the model's author keeps it on the CPU");
}

// -- Composites that cannot be ---------------------------------------------------

TEST(Composites, RefusesCompositesThatContainThemselves) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.BeginSubgraph("body");
  Tensor* in = g.In("in");
  g.Output(g.Composite("odml.thing", body, {in}, "out"));
  g.SelectSubgraph(0);
  g.Output(g.Composite("odml.thing", body, {x}, "y"));
  const auto model = g.BuildUnchecked();
  const auto result = PartitionBySelector(*model, Everything());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.Error().Message(), HasSubstr("contains itself"));
}

TEST(Composites, RefusesCompositesThatDoNotFitTheirDecomposition) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.Decomposition("body", {kNeg});
  g.Output(g.Composite("odml.thing", body, {x, x}, "y"));
  const auto model = g.BuildUnchecked();
  const auto result = PartitionBySelector(*model, Everything());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.Error().Message(),
              HasSubstr("2 inputs and 1 outputs, but its decomposition has 1"));
}

TEST(Composites, RefusesCompositesThatUnfoldWithoutEnd) {
  const auto model = DoublingComposites(40);
  const auto result = PartitionBySelector(*model, ByName({}));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.Error().Message(), HasSubstr("composites unfold to more than"));
}

// A decomposition may be what a branch calls, too: it stays, though its composite is gone.
TEST(Composites, DecompositionsThatOpsCallStay) {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* condition = g.Input("condition", kLiteRtElementTypeBool, {});
  const int32_t body = g.Decomposition("body", {kMul});
  const int32_t other = g.Decomposition("other", {kAdd});
  g.Output(g.Composite("odml.thing", body, {x}, "y"));
  Tensor* z = g.Value("z", kLiteRtElementTypeFloat32, {4});
  g.AddOp(kLiteRtOpCodeTflIf, IfOptions{.then_subgraph_index = body, .else_subgraph_index = other},
          {condition, x}, {z});
  g.Output(z);
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByCode({kMul}));
  ASSERT_EQ(result.partitions.size(), 1u);
  const auto verified = VerifyModel(*result.outer);
  EXPECT_TRUE(verified) << verified.Error().Message();
  EXPECT_EQ(result.outer->subgraphs().size(), 3u);
}

}  // namespace
}  // namespace npukit

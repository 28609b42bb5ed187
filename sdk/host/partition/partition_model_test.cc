// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/partition_model.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "sdk/host/model/graph/model_diff.h"
#include "sdk/host/model/graph/model_verifier.h"
#include "sdk/host/partition/testing/test_graph.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// -- Outlining ----------------------------------------------------------------

TEST(PartitionModel, GoldenOfADiamondWithOneArmOutside) {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* a = g.Op(kMul, {x, x}, "a");
  Tensor* b = g.Op(kNeg, {a}, "b");
  Tensor* c = g.Op(kMul, {a, x}, "c");
  Tensor* d = g.Op(kAdd, {b, c}, "d");
  g.Output(d);
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByName({{"a", 0}, {"c", 0}, {"d", 0}}));
  EXPECT_EQ(ToString(result),
            "0:0 op 0 MUL (a) -> partition 0\n"
            "0:1 op 1 NEG (b) - not selected\n"
            "0:2 op 2 MUL (c) -> partition 0\n"
            "0:3 op 3 ADD (d) -> partition 1\n"
            "partition 0: x -> a c\n"
            "  op 0 MUL (a)\n"
            "  op 1 MUL (c)\n"
            "partition 1: b c -> d\n"
            "  op 0 ADD (d)\n");
  const Subgraph& outer = result.outer->main_subgraph();
  EXPECT_THAT(OpNames(outer), ElementsAre("a", "b", "d"));
  EXPECT_EQ(result.partitions[0].dispatch_op, &outer.op(0));
  EXPECT_EQ(OpName(outer.op(0)), "DISPATCH_OP");
  EXPECT_EQ(outer.op(0).code, kLiteRtOpCodeTflCustom);
  EXPECT_THAT(Names(outer.op(0).inputs), ElementsAre("x"));
  EXPECT_THAT(Names(outer.op(0).outputs), ElementsAre("a", "c"));
  EXPECT_TRUE(VerifyModel(*result.bodies));
}

TEST(PartitionModel, InputsComeInRootOrderThenByFirstUse) {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* y = g.In("y");
  Tensor* z = g.In("z");
  Tensor* u = g.Op(kNeg, {z}, "u");
  Tensor* v = g.Op(kNeg, {y}, "v");
  Tensor* a = g.Op(kMul, {v, z}, "a");
  Tensor* b = g.Op(kMul, {u, a}, "b");
  Tensor* c = g.Op(kMul, {b, x}, "c");
  g.Output(c);
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByCode({kMul}));
  ASSERT_EQ(result.partitions.size(), 1u);
  const Subgraph& body = result.bodies->subgraph(0);
  EXPECT_THAT(Names(body.inputs), ElementsAre("x", "z", "v", "u"));
  EXPECT_THAT(Names(result.partitions[0].dispatch_op->inputs), ElementsAre("x", "z", "v", "u"));
  EXPECT_THAT(Names(body.outputs), ElementsAre("c"));
}

TEST(PartitionModel, OutputsAreWhatIsReadOutsideOrPutOut) {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* a = g.Op(kMul, {x, x}, "a");  // put out and read inside
  Tensor* b = g.Op(kMul, {a, x}, "b");  // only read inside
  Tensor* c = g.Op(kMul, {b, x}, "c");  // read outside
  Tensor* d = g.Op(kNeg, {c}, "d");
  g.Output(d);
  g.Output(a);
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByCode({kMul}));
  ASSERT_EQ(result.partitions.size(), 1u);
  EXPECT_THAT(Names(result.bodies->subgraph(0).outputs), ElementsAre("a", "c"));
  EXPECT_THAT(Names(result.outer->main_subgraph().outputs), ElementsAre("d", "a"));
  EXPECT_THAT(TensorNames(result.outer->main_subgraph()), ElementsAre("x", "a", "c", "d"));
}

TEST(PartitionModel, ConstantsMoveInAndStayOutsideOnlyIfReadThere) {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* inside = g.Const("inside");
  Tensor* both = g.Const("both");
  Tensor* a = g.Op(kMul, {x, inside}, "a");
  Tensor* b = g.Op(kMul, {a, both}, "b");
  Tensor* c = g.Op(kAdd, {b, both}, "c");
  g.Output(c);
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByCode({kMul}));
  const Subgraph& outer = result.outer->main_subgraph();
  EXPECT_THAT(TensorNames(outer), ElementsAre("x", "both", "b", "c"));
  const Subgraph& body = result.bodies->subgraph(0);
  EXPECT_THAT(TensorNames(body), ElementsAre("x", "inside", "a", "both", "b"));
  EXPECT_EQ(body.tensor(1).weights.buffer_id, inside->weights.buffer_id);
  EXPECT_EQ(body.tensor(3).weights.buffer_id, both->weights.buffer_id);
  EXPECT_EQ(outer.tensor(1).weights.buffer_id, both->weights.buffer_id);
  EXPECT_EQ(body.tensor(1).weights.bytes().data(), inside->weights.bytes().data())
      << "the bytes are shared, not copied";
}

TEST(PartitionModel, OmittedInputsStayOmitted) {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* w = g.Constant<float>("w", {4, 4}, std::vector<float>(16, 1.0f));
  Tensor* y = g.Value("y", kLiteRtElementTypeFloat32, {4});
  g.AddOp(kLiteRtOpCodeTflFullyConnected, {x, w, nullptr}, {y});
  g.Output(y);
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, Everything());
  const Subgraph& body = result.bodies->subgraph(0);
  ASSERT_EQ(body.op(0).inputs.size(), 3u);
  EXPECT_EQ(body.op(0).inputs[2], nullptr);
  EXPECT_THAT(Names(result.partitions[0].dispatch_op->inputs), ElementsAre("x"));
}

TEST(PartitionModel, BlockwiseScalesFollowTheirTensor) {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* scales = g.Const("scales");
  Tensor* w = g.Const("w");
  w->quantization.blockwise = Quantization::Blockwise{
      .scales_tensor = static_cast<int32_t>(scales->index), .block_size_elems = 1};
  w->has_quantization = true;
  Tensor* y = g.Op(kMul, {x, w}, "y");
  g.Output(y);
  const auto model = g.BuildUnchecked();
  auto result = PartitionBySelector(*model, Everything());
  ASSERT_TRUE(result) << result.Error().Message();
  const Subgraph& body = result->bodies->subgraph(0);
  EXPECT_THAT(TensorNames(body), ElementsAre("x", "w", "scales", "y"));
  EXPECT_EQ(body.tensor(1).quantization.blockwise->scales_tensor, 2);
  EXPECT_THAT(TensorNames(result->outer->main_subgraph()), ElementsAre("x", "y"));
}

TEST(PartitionModel, SignatureTensorsStayOutside) {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* a = g.Op(kMul, {x, x}, "a");
  Tensor* b = g.Op(kMul, {a, x}, "b");
  g.Output(b);
  g.AddSignature("serving_default");
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, Everything());
  ASSERT_EQ(result.outer->signatures.size(), 1u);
  const Signature& signature = *result.outer->signatures[0];
  EXPECT_EQ(signature.subgraph, &result.outer->main_subgraph());
  EXPECT_EQ(signature.inputs[0].tensor, result.outer->main_subgraph().inputs[0]);
  EXPECT_EQ(signature.outputs[0].tensor, result.outer->main_subgraph().outputs[0]);
}

TEST(PartitionModel, NothingSelectedLeavesTheModelEqual) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.Decomposition("body", {kMul});
  g.Output(g.Composite("odml.thing", body, {x}, "y"));
  g.AddSignature("serving_default");
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByName({}));
  EXPECT_THAT(result.partitions, IsEmpty());
  EXPECT_EQ(FirstDifference(*model, *result.outer), std::nullopt);
  EXPECT_EQ(ToString(result), "2:0 op 0 MUL [odml.thing] (y) - not selected\n");
}

TEST(PartitionModel, GivenModelIsNotChanged) {
  const auto make = [] {
    TestGraph g;
    Tensor* x = g.In("x");
    const int32_t body = g.Decomposition("body", {kMul, kAdd});
    Tensor* y = g.Composite("odml.thing", body, {x}, "y");
    g.Output(g.Op(kMul, {y, g.Const("k")}, "z"));
    return g.Take();
  };
  const auto model = make();
  MustPartition(*model, ByCode({kMul}));
  EXPECT_EQ(FirstDifference(*make(), *model), std::nullopt);
}

TEST(PartitionModel, EverySubgraphThatIsNoDecompositionIsAsked) {
  TestGraph g;
  Tensor* x = g.In("x");
  g.Output(g.Op(kMul, {x, x}, "a"));
  g.AddSignature("first");
  g.BeginSubgraph("second");
  Tensor* y = g.In("y");
  g.Output(g.Op(kMul, {y, y}, "b"));
  g.AddSignature("second");
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, Everything());
  ASSERT_EQ(result.partitions.size(), 2u);
  EXPECT_EQ(result.partitions[0].dispatch_op, &result.outer->subgraph(0).op(0));
  EXPECT_EQ(result.partitions[1].dispatch_op, &result.outer->subgraph(1).op(0));
  EXPECT_EQ(result.ops[1].subgraph, 1u);
}

// -- What can't move ----------------------------------------------------------

TEST(PartitionModel, WhatHasEffectsOrStateStaysOutside) {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* handle = g.Value("handle", kLiteRtElementTypeTfResource, {});
  g.AddOp(kLiteRtOpCodeTflVarHandle, {}, {handle});
  g.AddOp(kLiteRtOpCodeTflAssignVariable, {handle, x}, {});
  Tensor* read = g.Value("read", kLiteRtElementTypeFloat32, {4});
  g.AddOp(kLiteRtOpCodeTflReadVariable, {handle}, {read});
  g.Output(g.Op(kMul, {read, x}, "y"));
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, Everything());
  EXPECT_EQ(ToString(result),
            "0:0 op 0 VAR_HANDLE (handle) - selected, but can't be moved: it has effects "
            "beyond its outputs\n"
            "0:1 op 1 ASSIGN_VARIABLE - selected, but can't be moved: it has "
            "effects beyond its outputs\n"
            "0:2 op 2 READ_VARIABLE (read) - selected, but can't be moved: it has effects "
            "beyond its outputs\n"
            "0:3 op 3 MUL (y) -> partition 0\n"
            "partition 0: x read -> y\n"
            "  op 0 MUL (y)\n");
}

TEST(PartitionModel, UnusedResultsStayOutside) {
  TestGraph g;
  Tensor* x = g.In("x");
  g.Op(kMul, {g.Op(kMul, {x, x}, "dead"), x}, "deader");
  g.Output(g.Op(kMul, {x, x}, "y"));
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, Everything());
  EXPECT_EQ(result.ops[0].reason, "selected, but can't be moved: nothing uses its result");
  EXPECT_EQ(result.ops[1].partition, -1);
  EXPECT_EQ(result.ops[2].partition, 0);
}

TEST(PartitionModel, DispatchOpsAreNotShownAndTheirIslandsStayApart) {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* a = g.Op(kMul, {x, x}, "a");
  Tensor* b = g.Value("b", kLiteRtElementTypeFloat32, {4});
  g.AddCustomOp(kDispatchOpCustomCode, {}, {a}, {b});
  g.Output(g.Op(kMul, {b, x}, "c"));
  const auto model = g.Take();
  std::vector<std::string> seen;
  std::vector<std::string> view_inputs;
  std::vector<std::string> view_outputs;
  const Selector everything = Everything();
  const PartitionedModel result = MustPartition(*model, [&](Subgraph& subgraph) {
    seen = OpNames(subgraph);
    view_inputs = Names(subgraph.inputs);
    view_outputs = Names(subgraph.outputs);
    return everything(subgraph);
  });
  EXPECT_THAT(seen, ElementsAre("a", "c"));
  EXPECT_THAT(view_inputs, ElementsAre("x", "b"));
  EXPECT_THAT(view_outputs, ElementsAre("c", "a"));
  EXPECT_EQ(result.partitions.size(), 2u);
  EXPECT_TRUE(result.ops[1].was_dispatch);
  EXPECT_EQ(result.ops[1].reason, "compiled before");
}

// -- Errors -------------------------------------------------------------------

struct BadSelection {
  const char* name;
  std::function<Selection(Model& model, Subgraph& subgraph)> select;
  const char* message;
};

TEST(PartitionModel, RefusesSelectionsThatCannotBe) {
  TestGraph other;
  other.Output(other.Op(kNeg, {other.In("i")}, "o"));
  const auto stranger = other.Take();
  const BadSelection cases[] = {
      {"twice",
       [](Model&, Subgraph& s) {
         return Selection{{&s.op(0), 0}, {&s.op(1), 0}, {&s.op(0), 1}};
       },
       "subgraph 0: selected op 0 MUL (a) twice"},
      {"null",
       [](Model&, Subgraph&) {
         return Selection{{nullptr, 0}};
       },
       "selected a null op"},
      {"of no subgraph",
       [&](Model&, Subgraph&) {
         return Selection{{&stranger->main_subgraph().op(0), 0}};
       },
       "selected an op that the model does not have"},
      {"rubbish",
       [](Model&, Subgraph&) {
         return Selection{{reinterpret_cast<Op*>(uintptr_t{8}), 0}};
       },
       "selected an op that the model does not have"},
  };
  for (const BadSelection& bad : cases) {
    TestGraph g;
    Tensor* x = g.In("x");
    g.Output(g.Op(kMul, {g.Op(kMul, {x, x}, "a"), x}, "b"));
    const auto model = g.Take();
    const auto result =
        PartitionBySelector(*model, [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
          return SelectorAnswer{.selection = bad.select(*model, subgraph), .remarks = {}};
        });
    ASSERT_FALSE(result) << bad.name;
    EXPECT_THAT(result.Error().Message(), HasSubstr(bad.message)) << bad.name;
  }
}

TEST(PartitionModel, NamesTheSubgraphOfAnOpSelectedElsewhere) {
  TestGraph g;
  g.Output(g.Op(kMul, {g.In("x"), g.Const("k")}, "a"));
  g.BeginSubgraph("second");
  g.Output(g.Op(kNeg, {g.In("y")}, "b"));
  const auto model = g.Take();
  Op* first_op = nullptr;
  const auto result =
      PartitionBySelector(*model, [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
        SelectorAnswer answer;
        if (first_op != nullptr) answer.selection.push_back({first_op, 0});
        first_op = &subgraph.op(0);
        return answer;
      });
  ASSERT_FALSE(result);
  EXPECT_THAT(result.Error().Message(),
              HasSubstr("subgraph 1: selected op 0 MUL (a), which is of subgraph 0"));
}

// -- Random models ------------------------------------------------------------

// The multiset of ops of a model by their output's name.
void CountOps(const Model& model, std::map<std::string, int>& count) {
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      if (OpName(*op) != kDispatchOpCustomCode) {
        ++count[op->outputs.front()->name];
      }
    }
  }
}

TEST(PartitionModelProperty, EveryOpIsInOnePlaceAndBothModelsAreValid) {
  std::mt19937 random(5);
  const auto below = [&](size_t n) { return random() % n; };
  for (int i = 0; i < 500; ++i) {
    SCOPED_TRACE(fmt::format("model {}", i));
    TestGraph g;
    std::vector<Tensor*> values = {g.In("x0"), g.In("x1"), g.Const("k0"), g.Const("k1")};
    std::map<std::string, LiteRtParamIndex> selected;
    const size_t op_count = 1 + below(30);
    for (size_t o = 0; o < op_count; ++o) {
      const std::string name = fmt::format("v{}", o);
      values.push_back(
          g.Op(kMul, {values[below(values.size())], values[below(values.size())]}, name));
      if (below(3) != 0) selected[name] = below(2) * 7;
    }
    for (size_t o = 0; o < 1 + below(4); ++o) {
      g.Output(values[4 + below(op_count)]);
    }
    g.Output(values.back());
    const auto model = g.Take();
    const PartitionedModel result = MustPartition(*model, ByName(selected));
    const auto verified = VerifyModel(*result.bodies);
    if (!result.partitions.empty()) {
      ASSERT_TRUE(verified) << verified.Error().Message();
    }
    std::map<std::string, int> count;
    CountOps(*result.outer, count);
    CountOps(*result.bodies, count);
    ASSERT_EQ(count.size(), op_count);
    for (const auto& [name, times] : count) EXPECT_EQ(times, 1) << name;
    for (size_t p = 0; p < result.partitions.size(); ++p) {
      const Subgraph& body = result.bodies->subgraph(p);
      EXPECT_EQ(Names(body.inputs), Names(result.partitions[p].dispatch_op->inputs));
      EXPECT_EQ(Names(body.outputs), Names(result.partitions[p].dispatch_op->outputs));
      EXPECT_FALSE(body.outputs.empty());
    }
    EXPECT_EQ(ToString(result), ToString(MustPartition(*model, ByName(selected))));
  }
}

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/partition_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "sdk/host/model/model_builder.h"
#include "sdk/host/model/model_diff.h"
#include "sdk/host/model/model_verifier.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr LiteRtOpCode kAdd = kLiteRtOpCodeTflAdd;
constexpr LiteRtOpCode kMul = kLiteRtOpCodeTflMul;
constexpr LiteRtOpCode kNeg = kLiteRtOpCodeTflNeg;

// -- Short names for what models are made of ----------------------------------

class TestGraph : public ModelBuilder {
 public:
  Tensor* In(std::string name) { return Input(std::move(name), kLiteRtElementTypeFloat32, {4}); }
  Tensor* Const(std::string name) { return Constant<float>(std::move(name), {4}, {1, 2, 3, 4}); }
  Tensor* Op(LiteRtOpCode code, const std::vector<Tensor*>& inputs, std::string name) {
    Tensor* out = Value(std::move(name), kLiteRtElementTypeFloat32, {4});
    AddOp(code, inputs, {out});
    return out;
  }
  Tensor* Composite(std::string kind, int32_t decomposition, const std::vector<Tensor*>& inputs,
                    std::string name) {
    Tensor* out = Value(std::move(name), kLiteRtElementTypeFloat32, {4});
    AddComposite(std::move(kind), decomposition, inputs, {out});
    return out;
  }
  // A subgraph with one input: what a composite stands for.
  int32_t Decomposition(const std::string& name, const std::vector<LiteRtOpCode>& codes) {
    const int32_t index = BeginSubgraph(name);
    Tensor* value = In(name + ".in");
    for (size_t i = 0; i < codes.size(); ++i) {
      const bool unary = codes[i] == kNeg;
      value = Op(codes[i], unary ? std::vector<Tensor*>{value} : std::vector<Tensor*>{value, value},
                 name + "." + std::to_string(i));
    }
    Output(value);
    SelectSubgraph(0);
    return index;
  }
  std::unique_ptr<Model> Take() {
    auto model = Build();
    EXPECT_TRUE(model) << (model ? "" : model.Error().Message());
    return model ? std::move(*model) : nullptr;
  }
};

// Selects ops by what their first output is called: name -> partition index.
Selector ByName(std::map<std::string, LiteRtParamIndex> names) {
  return [names](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    SelectorAnswer answer;
    for (const auto& op : subgraph.ops()) {
      const auto found = names.find(op->outputs.front()->name);
      if (found != names.end()) {
        answer.selection.push_back({op.get(), found->second});
      }
    }
    return answer;
  };
}

Selector ByCode(std::set<LiteRtOpCode> codes) {
  return [codes](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    SelectorAnswer answer;
    for (const auto& op : subgraph.ops()) {
      if (codes.contains(op->code)) answer.selection.push_back({op.get(), 0});
    }
    return answer;
  };
}

Selector Everything() {
  return [](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    SelectorAnswer answer;
    for (const auto& op : subgraph.ops()) {
      answer.selection.push_back({op.get(), 0});
    }
    return answer;
  };
}

PartitionedModel MustPartition(const Model& model, const Selector& selector) {
  auto partitioned = PartitionModel(model, selector);
  EXPECT_TRUE(partitioned) << (partitioned ? "" : partitioned.Error().Message());
  if (!partitioned) return {};
  const auto verified = VerifyModel(*partitioned->outer);
  EXPECT_TRUE(verified) << verified.Error().Message();
  return std::move(*partitioned);
}

std::vector<std::string> Names(const std::vector<Tensor*>& tensors) {
  std::vector<std::string> names;
  for (const Tensor* tensor : tensors) names.push_back(tensor->name);
  return names;
}

std::vector<std::string> OpNames(const Subgraph& subgraph) {
  std::vector<std::string> names;
  for (const auto& op : subgraph.ops()) {
    names.push_back(op->outputs.empty() ? OpName(*op) : op->outputs.front()->name);
  }
  return names;
}

std::vector<std::string> TensorNames(const Subgraph& subgraph) {
  std::vector<std::string> names;
  for (const auto& tensor : subgraph.tensors()) names.push_back(tensor->name);
  return names;
}

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
            "0:0 MUL -> partition 0\n"
            "0:1 NEG - not selected\n"
            "0:2 MUL -> partition 0\n"
            "0:3 ADD -> partition 1\n"
            "partition 0: x -> a c\n"
            "  op 0 MUL (a)\n"
            "  op 1 MUL (c)\n"
            "partition 1: b c -> d\n"
            "  op 0 ADD (d)\n");
  const Subgraph& outer = result.outer->main_subgraph();
  EXPECT_THAT(OpNames(outer), ElementsAre("a", "b", "d"));
  EXPECT_EQ(result.partitions[0].call, &outer.op(0));
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
  EXPECT_THAT(Names(result.partitions[0].call->inputs), ElementsAre("x", "z", "v", "u"));
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
  EXPECT_THAT(Names(result.partitions[0].call->inputs), ElementsAre("x"));
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
  auto result = PartitionModel(*model, Everything());
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
  EXPECT_EQ(ToString(result), "0:0 MUL [odml.thing] - not selected\n");
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
  EXPECT_EQ(result.partitions[0].call, &result.outer->subgraph(0).op(0));
  EXPECT_EQ(result.partitions[1].call, &result.outer->subgraph(1).op(0));
  EXPECT_EQ(result.records[1].subgraph, 1u);
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
            "0:0 VAR_HANDLE - selected, but can't be moved: it has effects "
            "beyond its outputs\n"
            "0:1 ASSIGN_VARIABLE - selected, but can't be moved: it has "
            "effects beyond its outputs\n"
            "0:2 READ_VARIABLE - selected, but can't be moved: it has effects "
            "beyond its outputs\n"
            "0:3 MUL -> partition 0\n"
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
  EXPECT_EQ(result.records[0].reason, "selected, but can't be moved: nothing uses its result");
  EXPECT_EQ(result.records[1].partition, -1);
  EXPECT_EQ(result.records[2].partition, 0);
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
  EXPECT_TRUE(result.records[1].was_dispatch);
  EXPECT_EQ(result.records[1].reason, "compiled before");
}

// -- Composites ---------------------------------------------------------------

TEST(PartitionModel, SelectedCompositeIsOutlinedWithoutItsDecomposition) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.Decomposition("body", {kMul});
  g.Output(g.Composite("odml.rms_norm", body, {x}, "y"));
  const auto model = g.Take();
  const PartitionedModel result = MustPartition(*model, ByCode({kLiteRtOpCodeShloComposite}));
  EXPECT_EQ(ToString(result),
            "0:0 STABLEHLO_COMPOSITE [odml.rms_norm] -> partition 0\n"
            "partition 0: x -> y\n"
            "  op 0 STABLEHLO_COMPOSITE odml.rms_norm (y)\n");
  EXPECT_EQ(result.outer->subgraphs().size(), 1u);
  EXPECT_EQ(result.bodies->subgraph(0)
                .op(0)
                .OptionsAs<StableHLOCompositeOptions>()
                ->decomposition_subgraph_index,
            -1);
}

TEST(PartitionModel, UnselectedCompositesAreInlinedAndAskedAboutAgain) {
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
            "0:0 MUL [odml.leaf] -> partition 0\n"
            "0:0 NEG [odml.leaf] - not selected\n"
            "0:0 MUL [odml.middle] -> partition 1\n"
            "0:1 ADD - not selected\n"
            "partition 0: x -> leaf.0\n"
            "  op 0 MUL (leaf.0)\n"
            "partition 1: x m1 -> y\n"
            "  op 0 MUL (y)\n");
  EXPECT_EQ(result.outer->subgraphs().size(), 1u);
}

TEST(PartitionModel, DecompositionSharedByTwoCompositesIsCopied) {
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
TEST(PartitionModel, CompositesThatPassTensorsThroughAreInlined) {
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

TEST(PartitionModel, NpuCallsAreAlwaysTakenWholeAndKeepTheirPlace) {
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
            "0:0 MUL -> partition 0\n"
            "0:1 STABLEHLO_COMPOSITE [odml.npu_call] -> partition 1\n"
            "0:2 MUL -> partition 2\n"
            "0:3 ADD - not selected\n"
            "0:4 STABLEHLO_COMPOSITE [odml.npu_call] -> partition 3\n"
            "0:5 MUL -> partition 4\n"
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
    const Op& call = *result.partitions[p].call;
    EXPECT_EQ(call.inputs.size(), result.bodies->subgraph(p).inputs.size());
    EXPECT_EQ(call.outputs.size(), result.bodies->subgraph(p).outputs.size());
  }
  EXPECT_TRUE(result.partitions[1].is_npu_call);
  EXPECT_EQ(result.outer->subgraphs().size(), 1u);
}

TEST(PartitionModel, SelectingAnNpuCallChangesNothing) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.Decomposition("body", {kNeg});
  Tensor* a = g.Composite("odml.npu_call", body, {x}, "a");
  g.Output(g.Op(kMul, {a, a}, "b"));
  const auto model = g.Take();
  EXPECT_EQ(MustPartition(*model, Everything()).partitions.size(), 2u);
  EXPECT_EQ(MustPartition(*model, ByName({})).partitions.size(), 1u);
}

TEST(PartitionModel, CpuCallsAreNeverTakenAndInlinedAtTheEnd) {
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
  EXPECT_EQ(result.records[1].reason, "odml.cpu_call: the model's author keeps it on the CPU");
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
        PartitionModel(*model, [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
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
      PartitionModel(*model, [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
        SelectorAnswer answer;
        if (first_op != nullptr) answer.selection.push_back({first_op, 0});
        first_op = &subgraph.op(0);
        return answer;
      });
  ASSERT_FALSE(result);
  EXPECT_THAT(result.Error().Message(),
              HasSubstr("subgraph 1: selected op 0 MUL (a), which is of subgraph 0"));
}

TEST(PartitionModel, RefusesCompositesThatContainThemselves) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.BeginSubgraph("body");
  Tensor* in = g.In("in");
  g.Output(g.Composite("odml.thing", body, {in}, "out"));
  g.SelectSubgraph(0);
  g.Output(g.Composite("odml.thing", body, {x}, "y"));
  const auto model = g.BuildUnchecked();
  const auto result = PartitionModel(*model, Everything());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.Error().Message(), HasSubstr("contains itself"));
}

TEST(PartitionModel, RefusesCompositesThatDoNotFitTheirDecomposition) {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.Decomposition("body", {kNeg});
  g.Output(g.Composite("odml.thing", body, {x, x}, "y"));
  const auto model = g.BuildUnchecked();
  const auto result = PartitionModel(*model, Everything());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.Error().Message(),
              HasSubstr("2 inputs and 1 outputs, but its decomposition has 1"));
}

// 2^30 ops if it were all inlined.
TEST(PartitionModel, RefusesCompositesThatUnfoldWithoutEnd) {
  TestGraph g;
  Tensor* x = g.In("x");
  int32_t body = g.Decomposition("leaf", {kNeg});
  for (int depth = 0; depth < 30; ++depth) {
    const int32_t next = g.BeginSubgraph("level");
    Tensor* in = g.In("in");
    Tensor* once = g.Composite("odml.thing", body, {in}, "once");
    g.Output(g.Composite("odml.thing", body, {once}, "twice"));
    body = next;
  }
  g.SelectSubgraph(0);
  g.Output(g.Composite("odml.thing", body, {x}, "y"));
  const auto model = g.Take();
  const auto result = PartitionModel(*model, ByName({}));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.Error().Message(), HasSubstr("composites unfold to more than"));
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
    SCOPED_TRACE("model " + std::to_string(i));
    TestGraph g;
    std::vector<Tensor*> values = {g.In("x0"), g.In("x1"), g.Const("k0"), g.Const("k1")};
    std::map<std::string, LiteRtParamIndex> selected;
    const size_t op_count = 1 + below(30);
    for (size_t o = 0; o < op_count; ++o) {
      const std::string name = "v" + std::to_string(o);
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
      EXPECT_EQ(Names(body.inputs), Names(result.partitions[p].call->inputs));
      EXPECT_EQ(Names(body.outputs), Names(result.partitions[p].call->outputs));
      EXPECT_FALSE(body.outputs.empty());
    }
    EXPECT_EQ(ToString(result), ToString(MustPartition(*model, ByName(selected))));
  }
}

}  // namespace
}  // namespace npukit

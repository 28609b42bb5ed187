// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/execution_plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/testing/nested_composites.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/runtime/runner/signature_runner.h"
#include "sdk/host/runtime/testing/floats.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

litert::Expected<std::unique_ptr<SignatureRunner>> Prepare(const Model& model,
                                                           SignatureRunner::Options options = {}) {
  return SignatureRunner::Create(model, model.main_subgraph(), std::move(options), nullptr,
                                 nullptr);
}

std::string PlanError(const Model& model, const PlanOptions& options = {}) {
  const auto plan = BuildPlan(model, model.main_subgraph(), options);
  return plan ? "" : plan.Error().Message();
}

TEST(ExecutionPlan, RunsStepsInOrder) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* c = b.Constant<float>("c", {2}, {10, 20});
  Tensor* y = b.Value("y", kFloat, {2});
  Tensor* z = b.Value("z", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {x, c}, {y});
  b.AddOp(kLiteRtOpCodeTflSub, SubOptions{}, {y, x}, {z});
  b.Output(z);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  auto runner = Prepare(**model);
  ASSERT_TRUE(runner) << runner.Error();
  EXPECT_THAT(RunWith(**runner, {{1, 2}}), ElementsAre(9, 38));
  EXPECT_THAT(RunWith(**runner, {}), ElementsAre(9, 38)) << "inputs keep their values";
  ASSERT_EQ((*runner)->steps().size(), 2u);
  EXPECT_EQ((*runner)->steps()[0].op, "MUL");
  EXPECT_EQ((*runner)->steps()[1].name, "z");
}

TEST(ExecutionPlan, FoldsWhatDependsOnConstantsOnly) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* c = b.Constant<float>("c", {2}, {10, 20});
  Tensor* d = b.Constant<float>("d", {2}, {1, 2});
  Tensor* e = b.Value("e", kFloat, {2});
  Tensor* y = b.Value("y", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {c, d}, {e});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, e}, {y});
  b.Output(y);
  b.Output(e);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  auto runner = Prepare(**model);
  ASSERT_TRUE(runner) << runner.Error();
  EXPECT_EQ((*runner)->steps().size(), 1u);
  EXPECT_EQ((*runner)->memory().folded_bytes, 8u);
  EXPECT_THAT(Floats((*runner)->output(1)), ElementsAre(10, 40)) << "known before any run";
  EXPECT_THAT(RunWith(**runner, {{1, 1}}), ElementsAre(11, 41));
}

// As converters write it: the vector has no elements, and so no bytes and no op that makes it.
TEST(ExecutionPlan, AScalarIsReshapedByAnEmptyVector) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1});
  Tensor* shape = b.Value("shape", kLiteRtElementTypeInt32, {0});
  Tensor* y = b.Value("y", kFloat, {});
  b.AddOp(kLiteRtOpCodeTflReshape, {x, shape}, {y});
  b.Output(y);
  const auto model = b.BuildUnchecked();
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  EXPECT_TRUE((*runner)->outputs()[0].has_fixed_shape);
  EXPECT_TRUE((*runner)->outputs()[0].shape.empty());
  EXPECT_THAT(RunWith(**runner, {{7}}), ElementsAre(7));
}

TEST(ExecutionPlan, ResizesInputsAndWhatFollows) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {-1, 2});
  Tensor* c = b.Constant<float>("c", {2}, {10, 20});
  Tensor* y = b.Value("y", kFloat, {-1, 2});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, c}, {y});
  b.Output(y);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  const Tensor* input = (*model)->main_subgraph().inputs[0];
  SignatureRunner::Options options;
  options.resized_inputs[input] = {3, 2};
  auto runner = Prepare(**model, options);
  ASSERT_TRUE(runner) << runner.Error();
  EXPECT_THAT((*runner)->outputs()[0].shape, ElementsAre(3, 2));
  EXPECT_THAT(RunWith(**runner, {{0, 1, 2, 3, 4, 5}}), ElementsAre(10, 21, 12, 23, 14, 25));
  options.resized_inputs[input] = {3, 5};
  auto refused = Prepare(**model, options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.Error().Message(), HasSubstr("ADD (op 0)"));
  options.resized_inputs[input] = {-1, 2};
  refused = Prepare(**model, options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.Error().Message(), AllOf(HasSubstr("'x'"), HasSubstr("--resize")));
}

// f(a, b) = (a * b, a), twice, through one decomposition.
TEST(ExecutionPlan, CompositesRunTheirDecomposition) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* y = b.Input("y", kFloat, {2});
  Tensor* p = b.Value("p", kFloat, {2});
  Tensor* q = b.Value("q", kFloat, {2});
  Tensor* r = b.Value("r", kFloat, {2});
  Tensor* s = b.Value("s", kFloat, {2});
  const int32_t body = b.BeginSubgraph("body");
  Tensor* a = b.Input("a", kFloat, {2});
  Tensor* c = b.Input("b", kFloat, {2});
  Tensor* product = b.Value("product", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {a, c}, {product});
  b.Output(product);
  b.Output(a);
  b.SelectSubgraph(0);
  b.AddComposite("test.f", body, {x, y}, {p, q});
  b.AddComposite("test.f", body, {p, q}, {r, s});
  b.Output(r);
  b.Output(s);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  auto runner = Prepare(**model);
  ASSERT_TRUE(runner) << runner.Error();
  EXPECT_THAT(RunWith(**runner, {{2, 3}, {10, 100}}), ElementsAre(40, 900));
  EXPECT_THAT(Floats((*runner)->output(1)), ElementsAre(20, 300));
  ASSERT_EQ((*runner)->steps().size(), 2u);
  EXPECT_EQ((*runner)->steps()[0].outputs[0].name, "p")
      << "results are named as the model names them";
}

TEST(ExecutionPlan, TheDecompositionStandsInForAKernelThatRefuses) {
  constexpr LiteRtElementType kInt =
      kLiteRtElementTypeInt32;  // odml.rms_norm has a kernel, for floats
  ModelBuilder b;
  Tensor* x = b.Input("x", kInt, {2});
  Tensor* y = b.Value("y", kInt, {2});
  Tensor* z = b.Value("z", kInt, {2});
  const int32_t body = b.BeginSubgraph("body");
  Tensor* a = b.Input("a", kInt, {2});
  Tensor* c = b.Constant<int32_t>("c", {2}, {3, 4});
  Tensor* product = b.Value("product", kInt, {2});
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {a, c}, {product});
  b.Output(product);
  b.SelectSubgraph(0);
  b.AddComposite("odml.rms_norm", body, {x}, {y});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {y, x}, {z});
  b.Output(z);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  auto runner = Prepare(**model);
  ASSERT_TRUE(runner) << runner.Error();
  const int32_t input[2] = {10, 20};
  ASSERT_TRUE((*runner)->SetInput(0, {reinterpret_cast<const uint8_t*>(input), sizeof(input)}));
  ASSERT_TRUE((*runner)->Run());
  int32_t output[2] = {};
  std::memcpy(output, (*runner)->output(0).data(), sizeof(output));
  EXPECT_THAT(output, ElementsAre(40, 100));
  EXPECT_EQ((*runner)->steps()[0].op, "MUL");
}

TEST(ExecutionPlan, NamesEveryUnsupportedOperatorAtOnce) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* y = b.Value("y", kFloat, {2});
  Tensor* z = b.Value("z", kFloat, {2});
  Tensor* w = b.Value("w", kFloat, {2});
  b.AddCustomOp("FooOp", {}, {x}, {y});
  b.AddCustomOp("FooOp", {}, {y}, {z});
  b.AddOp(kLiteRtOpCodeTflSkipGram, SkipGramOptions{}, {z}, {w});
  b.Output(w);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  const auto plan = BuildPlan(**model, (*model)->main_subgraph(), {});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.Error().Status(), kLiteRtStatusErrorUnsupported);
  EXPECT_EQ(plan.Error().Message(),
            "2 unsupported operators: FooOp (2 times, first op 0, 'y'), SKIP_GRAM (op 2, 'w'); "
            "custom operators come with operator packages (--op-package-dir or "
            "NPUKIT_OP_PACKAGE_PATH)");
}

// Control flow and variables load, from a file too, and are refused by name.
TEST(ExecutionPlan, NamesControlFlowAndVariables) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* handle = b.Value("handle", kLiteRtElementTypeTfResource, {});
  Tensor* read = b.Value("read", kFloat, {2});
  Tensor* yes = b.Constant("yes", kLiteRtElementTypeBool, {}, std::vector<uint8_t>{1});
  Tensor* chosen = b.Value("chosen", kFloat, {2});
  Tensor* looped = b.Value("looped", kFloat, {2});
  const int32_t body = b.BeginSubgraph("body");
  b.Output(b.Input("a", kFloat, {2}));
  const int32_t condition = b.BeginSubgraph("condition");
  b.Input("c", kFloat, {2});
  b.Output(b.Constant("more", kLiteRtElementTypeBool, {}, std::vector<uint8_t>{0}));
  const int32_t init = b.BeginSubgraph("init");
  b.SelectSubgraph(0);
  b.AddOp(kLiteRtOpCodeTflCallOnce, CallOnceOptions{.init_subgraph_index = init}, {}, {});
  b.AddOp(kLiteRtOpCodeTflVarHandle, VarHandleOptions{.shared_name = "v"}, {}, {handle});
  b.AddOp(kLiteRtOpCodeTflReadVariable, ReadVariableOptions{}, {handle}, {read});
  b.AddOp(kLiteRtOpCodeTflIf, IfOptions{.then_subgraph_index = body, .else_subgraph_index = body},
          {yes, x}, {chosen});
  b.AddOp(kLiteRtOpCodeTflWhile,
          WhileOptions{.cond_subgraph_index = condition, .body_subgraph_index = body}, {chosen},
          {looped});
  b.AddOp(kLiteRtOpCodeTflAssignVariable, AssignVariableOptions{}, {handle, read}, {});
  b.Output(looped);
  auto built = b.Build();
  ASSERT_TRUE(built) << built.Error();
  auto bytes = SerializeModel(**built);
  ASSERT_TRUE(bytes) << bytes.Error();
  auto model = ParseModel(SharedBytes::Copy(*bytes));
  ASSERT_TRUE(model) << model.Error();
  EXPECT_EQ(PlanError(**model),
            "6 unsupported operators: CALL_ONCE (op 0), VAR_HANDLE (op 1, 'handle'), "
            "READ_VARIABLE (op 2, 'read'), IF (op 3, 'chosen'), WHILE (op 4, 'looped'), "
            "ASSIGN_VARIABLE (op 5)");
}

TEST(ExecutionPlan, NamesEveryRefusedTypeAtOnce) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeComplex64, {2});
  Tensor* y = b.Value("y", kLiteRtElementTypeComplex64, {2});
  Tensor* z = b.Value("z", kLiteRtElementTypeComplex64, {2});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, x}, {y});
  b.AddOp(kLiteRtOpCodeTflSub, SubOptions{}, {y, y}, {z});
  b.Output(z);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  EXPECT_THAT(PlanError(**model), AllOf(HasSubstr("ADD (op 0)"), HasSubstr("SUB (op 1)")));
}

TEST(ExecutionPlan, ErrorsNameTheTensor) {
  {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {2});
    Tensor* nothing = b.Value("nothing", kFloat, {2});
    Tensor* y = b.Value("y", kFloat, {2});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, nothing}, {y});
    b.Output(y);
    auto model = b.BuildUnchecked();
    EXPECT_THAT(PlanError(*model), HasSubstr("'nothing'"));
  }
  {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {2});
    Tensor* c = b.Constant("c", kFloat, {3}, std::vector<uint8_t>(8));
    Tensor* y = b.Value("y", kFloat, {2});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, c}, {y});
    b.Output(y);
    auto model = b.BuildUnchecked();
    EXPECT_THAT(PlanError(*model),
                AllOf(HasSubstr("'c'"), HasSubstr("has 8 bytes"), HasSubstr("needs 12")));
  }
  {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {2147483647, 2147483647, 2147483647});
    b.Output(x);
    auto model = b.BuildUnchecked();
    EXPECT_THAT(PlanError(*model), HasSubstr("'x'"));
  }
  {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {2});
    Tensor* y = b.Value("y", kFloat, {2});
    Tensor* z = b.Value("z", kFloat, {2});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, y}, {z});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, x}, {y});
    b.Output(z);
    auto model = b.BuildUnchecked();
    EXPECT_THAT(PlanError(*model), AllOf(HasSubstr("'y'"), HasSubstr("before")));
  }
}

TEST(ExecutionPlan, ADecompositionThatContainsItselfIsAnError) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* y = b.Value("y", kFloat, {2});
  const int32_t body = b.BeginSubgraph("body");
  Tensor* a = b.Input("a", kFloat, {2});
  Tensor* c = b.Value("c", kFloat, {2});
  b.AddComposite("test.f", body, {a}, {c});
  b.Output(c);
  b.SelectSubgraph(0);
  b.AddComposite("test.f", body, {x}, {y});
  b.Output(y);
  auto model = b.BuildUnchecked();
  EXPECT_THAT(PlanError(*model), HasSubstr("contains itself"));
}

// A file decides how deep: no more than the stack can stand.
TEST(ExecutionPlan, CompositesNestedTooDeepAreRefused) {
  for (const auto& [levels, expected] : {std::pair(100, ""), {200, "nested more than 128 deep"}}) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {2});
    Tensor* y = b.Value("y", kFloat, {2});
    // From the innermost outwards: each is known, and shallow, when the next is looked at.
    for (int32_t i = levels; i > 0; --i) {
      Tensor* z = i == 1 ? y : b.Value(fmt::format("z{}", i), kFloat, {2});
      b.AddComposite("test.f", i, {x}, {z});
    }
    b.Output(y);
    for (int32_t i = 1; i <= levels; ++i) {
      b.BeginSubgraph("level");
      Tensor* a = b.Input("a", kFloat, {2});
      Tensor* c = b.Value("c", kFloat, {2});
      if (i < levels) {
        b.AddComposite("test.f", i + 1, {a}, {c});
      } else {
        b.AddOp(kLiteRtOpCodeTflNeg, NegOptions{}, {a}, {c});
      }
      b.Output(c);
    }
    auto model = b.BuildUnchecked();
    EXPECT_THAT(PlanError(*model), HasSubstr(expected)) << levels;
  }
}

TEST(ExecutionPlan, CompositesThatUnfoldToNoOpsAreCounted) {
  EXPECT_THAT(PlanError(*DoublingComposites(40)),
              HasSubstr("composites unfold to more than 1000000 ops"));
}

TEST(ExecutionPlan, AnInputMayBeAnOutput) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  b.Output(x);
  auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  auto runner = Prepare(**model);
  ASSERT_TRUE(runner) << runner.Error();
  EXPECT_THAT(RunWith(**runner, {{1, 2}}), ElementsAre(1, 2));
}

}  // namespace
}  // namespace npukit

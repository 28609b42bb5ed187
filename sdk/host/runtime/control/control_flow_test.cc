// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ops that call subgraphs, and variables.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/runner/signature_runner.h"
#include "sdk/host/runtime/state/model_state.h"
#include "sdk/host/runtime/testing/floats.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kBool = kLiteRtElementTypeBool;
constexpr auto kResource = kLiteRtElementTypeTfResource;

litert::Expected<std::unique_ptr<SignatureRunner>> Prepare(const Model& model,
                                                           SignatureRunner::Options options = {}) {
  return SignatureRunner::Create(model, model.main_subgraph(), std::move(options), nullptr,
                                 nullptr);
}

std::string PrepareError(ModelBuilder& b) {
  const auto model = b.BuildUnchecked();
  const auto runner = Prepare(*model);
  return runner ? "" : runner.Error().Message();
}

// x + step, a subgraph of its own.
int32_t AddStepBody(ModelBuilder& b, const std::vector<int32_t>& shape, float step) {
  const int32_t body = b.BeginSubgraph("body");
  Tensor* a = b.Input("a", kFloat, shape);
  Tensor* one = b.Constant<float>("step", {1}, {step});
  Tensor* sum = b.Value("sum", kFloat, shape);
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {a, one}, {sum});
  b.Output(sum);
  b.SelectSubgraph(0);
  return body;
}

// x[0] < limit.
int32_t AddCondition(ModelBuilder& b, const std::vector<int32_t>& shape, float limit) {
  const int32_t condition = b.BeginSubgraph("condition");
  Tensor* a = b.Input("c", kFloat, shape);
  Tensor* axis = b.Constant<int32_t>("axis", {1}, {0});
  Tensor* most = b.Value("most", kFloat, {});
  Tensor* bound = b.Constant<float>("limit", {}, {limit});
  Tensor* less = b.Value("less", kBool, {});
  b.AddOp(kLiteRtOpCodeTflReduceMax, ReducerOptions{}, {a, axis}, {most});
  b.AddOp(kLiteRtOpCodeTflLess, LessOptions{}, {most, bound}, {less});
  b.Output(less);
  b.SelectSubgraph(0);
  return condition;
}

TEST(ControlFlow, IfRunsOneOfItsBranches) {
  ModelBuilder b;
  Tensor* which = b.Input("which", kFloat, {1});
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* zero = b.Constant<float>("zero", {1}, {0});
  Tensor* yes = b.Value("yes", kBool, {1});
  Tensor* y = b.Value("y", kFloat, {2});
  Tensor* z = b.Value("z", kFloat, {2});
  const int32_t up = AddStepBody(b, {2}, 10);
  const int32_t down = AddStepBody(b, {2}, -10);
  b.AddOp(kLiteRtOpCodeTflGreater, GreaterOptions{}, {which, zero}, {yes});
  b.AddOp(kLiteRtOpCodeTflIf, IfOptions{.then_subgraph_index = up, .else_subgraph_index = down},
          {yes, x}, {y});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {y, y}, {z});
  b.Output(z);
  const auto model = b.BuildUnchecked();
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  EXPECT_TRUE((*runner)->outputs()[0].has_fixed_shape);
  EXPECT_THAT(RunWith(**runner, {{1}, {1, 2}}), ElementsAre(22, 24));
  EXPECT_THAT(RunWith(**runner, {{-1}}), ElementsAre(-18, -16));
}

TEST(ControlFlow, BranchesMayGiveDifferentShapes) {
  ModelBuilder b;
  Tensor* yes = b.Input("yes", kBool, {});
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* y = b.Value("y", kFloat, {-1});
  Tensor* z = b.Value("z", kFloat, {-1});
  const int32_t twice = b.BeginSubgraph("twice");
  Tensor* a = b.Input("a", kFloat, {2});
  Tensor* aa = b.Value("aa", kFloat, {4});
  b.AddOp(kLiteRtOpCodeTflConcatenation, ConcatenationOptions{.axis = 0}, {a, a}, {aa});
  b.Output(aa);
  const int32_t same = b.BeginSubgraph("same");
  b.Output(b.Input("s", kFloat, {2}));
  b.SelectSubgraph(0);
  b.AddOp(kLiteRtOpCodeTflIf, IfOptions{.then_subgraph_index = twice, .else_subgraph_index = same},
          {yes, x}, {y});
  b.AddOp(kLiteRtOpCodeTflNeg, NegOptions{}, {y}, {z});
  b.Output(z);
  const auto model = b.BuildUnchecked();
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  ASSERT_TRUE((*runner)->SetInput(1, std::vector<uint8_t>{0, 0, 128, 63, 0, 0, 0, 64}));  // 1, 2
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE((*runner)->SetInput(0, std::vector<uint8_t>{1}));
    EXPECT_THAT(RunWith(**runner, {}), ElementsAre(-1, -2, -1, -2));
    ASSERT_TRUE((*runner)->SetInput(0, std::vector<uint8_t>{0}));
    EXPECT_THAT(RunWith(**runner, {}), ElementsAre(-1, -2));
  }
}

TEST(ControlFlow, WhileKeepsShapesOrGrows) {
  for (const bool grows : {false, true}) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {1});
    Tensor* y = b.Value("y", kFloat, {grows ? -1 : 1});
    const int32_t condition = AddCondition(b, {1}, 3.5f);
    int32_t body = AddStepBody(b, {1}, 1);
    if (grows) {
      body = b.BeginSubgraph("grow");
      Tensor* a = b.Input("a", kFloat, {1});
      Tensor* one = b.Constant<float>("one", {1}, {1});
      Tensor* more = b.Value("more", kFloat, {1});
      Tensor* longer = b.Value("longer", kFloat, {2});
      b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {a, one}, {more});
      b.AddOp(kLiteRtOpCodeTflConcatenation, ConcatenationOptions{.axis = 0}, {more, one},
              {longer});
      b.Output(longer);
      b.SelectSubgraph(0);
    }
    b.AddOp(kLiteRtOpCodeTflWhile,
            WhileOptions{.cond_subgraph_index = condition, .body_subgraph_index = body}, {x}, {y});
    b.Output(y);
    const auto model = b.BuildUnchecked();
    auto runner = Prepare(*model);
    ASSERT_TRUE(runner) << runner.Error();
    EXPECT_EQ((*runner)->outputs()[0].has_fixed_shape, !grows);
    for (int run = 0; run < 2; ++run) {
      if (grows) {
        EXPECT_THAT(RunWith(**runner, {{1}}), ElementsAre(4, 3, 2, 1));
      } else {
        EXPECT_THAT(RunWith(**runner, {{1}}), ElementsAre(4));
      }
      EXPECT_EQ(RunWith(**runner, {{9}}), std::vector<float>{9}) << "no turn at all";
    }
  }
}

// The values change places: the body's outputs are its inputs.
TEST(ControlFlow, ABodyMayPassItsInputsThrough) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1});
  Tensor* p = b.Input("p", kFloat, {1});
  Tensor* q = b.Input("q", kFloat, {1});
  Tensor* outputs[] = {b.Value("i", kFloat, {1}), b.Value("r", kFloat, {1}),
                       b.Value("s", kFloat, {1})};
  const int32_t condition = AddCondition(b, {1}, 2.5f);
  b.SelectSubgraph(condition);
  b.Input("c1", kFloat, {1});
  b.Input("c2", kFloat, {1});
  const int32_t body = AddStepBody(b, {1}, 1);
  b.SelectSubgraph(body);
  Tensor* first = b.Input("first", kFloat, {1});
  Tensor* second = b.Input("second", kFloat, {1});
  b.Output(second);
  b.Output(first);
  b.SelectSubgraph(0);
  b.AddOp(kLiteRtOpCodeTflWhile,
          WhileOptions{.cond_subgraph_index = condition, .body_subgraph_index = body}, {x, p, q},
          {outputs[0], outputs[1], outputs[2]});
  for (Tensor* output : outputs) b.Output(output);
  const auto model = b.BuildUnchecked();
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  EXPECT_THAT(RunWith(**runner, {{0}, {7}, {8}}), ElementsAre(3));
  EXPECT_THAT(Floats((*runner)->output(1)), ElementsAre(8));
  EXPECT_THAT(Floats((*runner)->output(2)), ElementsAre(7));
}

TEST(ControlFlow, ALoopThatNeverEndsIsAnError) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1});
  Tensor* y = b.Value("y", kFloat, {1});
  const int32_t condition = AddCondition(b, {1}, 1e30f);
  const int32_t body = AddStepBody(b, {1}, 0);
  b.AddOp(kLiteRtOpCodeTflWhile,
          WhileOptions{.cond_subgraph_index = condition, .body_subgraph_index = body}, {x}, {y});
  b.Output(y);
  const auto model = b.BuildUnchecked();
  ModelState state(/*max_calls_per_run=*/1000);
  auto runner = Prepare(*model, {.state = &state});
  ASSERT_TRUE(runner) << runner.Error();
  for (int i = 0; i < 2; ++i) {
    auto run = (*runner)->Run();
    ASSERT_FALSE(run);
    EXPECT_THAT(run.Error().Message(), AllOf(HasSubstr("WHILE (op 0)"), HasSubstr("1000 turns")));
  }
}

TEST(ControlFlow, ErrorsNameTheOp) {
  struct {
    const char* what;
    void (*build)(ModelBuilder& b, Tensor* x, Tensor* y);
    const char* expected;
  } const cases[] = {
      {"no such subgraph",
       [](ModelBuilder& b, Tensor* x, Tensor* y) {
         b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = 7}, {x}, {y});
       },
       "names subgraph 7 as its subgraph, the model has 1"},
      {"other inputs",
       [](ModelBuilder& b, Tensor* x, Tensor* y) {
         const int32_t body = AddStepBody(b, {1}, 1);
         b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = static_cast<uint32_t>(body)}, {x, x},
                 {y});
       },
       "has 1 inputs and 1 outputs, expected 2 and 1"},
      {"a type that differs",
       [](ModelBuilder& b, Tensor* x, Tensor* y) {
         const int32_t body = b.BeginSubgraph("body");
         b.Output(b.Input("a", kBool, {1}));
         b.SelectSubgraph(0);
         b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = static_cast<uint32_t>(body)}, {x},
                 {y});
       },
       "is passed to its subgraph as bool"},
      {"itself",
       [](ModelBuilder& b, Tensor* x, Tensor* y) {
         b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = 0}, {x}, {y});
       },
       "calls itself"},
      {"what is wrong within",
       [](ModelBuilder& b, Tensor* x, Tensor* y) {
         const int32_t body = b.BeginSubgraph("body");
         Tensor* a = b.Input("a", kFloat, {1});
         Tensor* c = b.Constant<float>("c", {2, 3}, std::vector<float>(6));
         Tensor* s = b.Value("s", kFloat, {1});
         b.AddOp(kLiteRtOpCodeTflConcatenation, ConcatenationOptions{.axis = 0}, {a, c}, {s});
         b.Output(s);
         b.SelectSubgraph(0);
         b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = static_cast<uint32_t>(body)}, {x},
                 {y});
       },
       "subgraph: CONCATENATION (op 0)"},
      {"a condition that is no bool",
       [](ModelBuilder& b, Tensor* x, Tensor* y) {
         const int32_t body = AddStepBody(b, {1}, 1);
         b.AddOp(kLiteRtOpCodeTflWhile,
                 WhileOptions{.cond_subgraph_index = body, .body_subgraph_index = body}, {x}, {y});
       },
       "its condition gives no bool"},
      {"no handle",
       [](ModelBuilder& b, Tensor* x, Tensor* y) {
         b.AddOp(kLiteRtOpCodeTflReadVariable, ReadVariableOptions{}, {x}, {y});
       },
       "is no handle of a variable"},
  };
  for (const auto& c : cases) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {1});
    Tensor* y = b.Value("y", kFloat, {1});
    c.build(b, x, y);
    b.Output(y);
    EXPECT_THAT(PrepareError(b), AllOf(HasSubstr("(op 0)"), HasSubstr(c.expected))) << c.what;
  }
}

// Each calls the next twice: 2^40 graphs.
TEST(ControlFlow, CallsThatDoubleWithEachLevelAreRefused) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1});
  Tensor* y = b.Value("y", kFloat, {1});
  b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = 1}, {x}, {y});
  b.Output(y);
  for (uint32_t i = 1; i < 40; ++i) {
    b.BeginSubgraph("level");
    Tensor* a = b.Input("a", kFloat, {1});
    Tensor* c = b.Value("c", kFloat, {1});
    Tensor* d = b.Value("d", kFloat, {1});
    b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = i + 1}, {a}, {c});
    b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = i + 1}, {c}, {d});
    b.Output(d);
  }
  b.BeginSubgraph("last");
  b.Output(b.Input("a", kFloat, {1}));
  EXPECT_THAT(PrepareError(b), HasSubstr("more than 4096 calls of subgraphs"));
}

TEST(ControlFlow, CallsNestedTooDeepAreRefused) {
  for (const auto& [levels, expected] :
       {std::pair(100u, ""), {3000u, "nested more than 128 deep"}}) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {1});
    Tensor* y = b.Value("y", kFloat, {1});
    b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = 1}, {x}, {y});
    b.Output(y);
    for (uint32_t i = 1; i < levels; ++i) {
      b.BeginSubgraph("level");
      Tensor* a = b.Input("a", kFloat, {1});
      Tensor* c = b.Value("c", kFloat, {1});
      b.AddOp(kLiteRtOpCodeTflCall, CallOptions{.subgraph = i + 1}, {a}, {c});
      b.Output(c);
    }
    b.BeginSubgraph("last");
    b.Output(b.Input("a", kFloat, {1}));
    EXPECT_THAT(PrepareError(b), HasSubstr(expected)) << levels;
  }
}

// total += x, from 100 on, which CALL_ONCE sets.
std::unique_ptr<Model> Accumulator(bool initialises) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* handle = b.Value("handle", kResource, {});
  Tensor* before = b.Value("before", kFloat, {2});
  Tensor* total = b.Value("total", kFloat, {2});
  if (initialises) {
    const int32_t init = b.BeginSubgraph("init");
    Tensor* same = b.Value("same", kResource, {});
    Tensor* start = b.Constant<float>("start", {2}, {100, 200});
    b.AddOp(kLiteRtOpCodeTflVarHandle, VarHandleOptions{.shared_name = "v"}, {}, {same});
    b.AddOp(kLiteRtOpCodeTflAssignVariable, AssignVariableOptions{}, {same, start}, {});
    b.SelectSubgraph(0);
    b.AddOp(kLiteRtOpCodeTflCallOnce, CallOnceOptions{.init_subgraph_index = init}, {}, {});
  }
  b.AddOp(kLiteRtOpCodeTflVarHandle, VarHandleOptions{.shared_name = "v"}, {}, {handle});
  b.AddOp(kLiteRtOpCodeTflReadVariable, ReadVariableOptions{}, {handle}, {before});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {before, x}, {total});
  b.AddOp(kLiteRtOpCodeTflAssignVariable, AssignVariableOptions{}, {handle, total}, {});
  b.Output(total);
  return b.BuildUnchecked();
}

TEST(Variables, LastFromRunToRunAndBeginAnewWhenReset) {
  const auto model = Accumulator(/*initialises=*/true);
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(RunWith(**runner, {{1, 2}}), ElementsAre(101, 202));
    EXPECT_THAT(RunWith(**runner, {{10, 20}}), ElementsAre(111, 222));
    (*runner)->ResetState();
  }
}

TEST(Variables, AreSharedByRunnersOfOneState) {
  const auto model = Accumulator(/*initialises=*/true);
  ModelState state(1000);
  auto one = Prepare(*model, {.state = &state});
  auto other = Prepare(*model, {.state = &state});
  ASSERT_TRUE(one) << one.Error();
  ASSERT_TRUE(other) << other.Error();
  EXPECT_THAT(RunWith(**one, {{1, 2}}), ElementsAre(101, 202));
  EXPECT_THAT(RunWith(**other, {{1, 2}}), ElementsAre(102, 204));
}

TEST(Variables, ReadBeforeTheyAreAssignedAreAnErrorOfTheRun) {
  const auto model = Accumulator(/*initialises=*/false);
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  auto run = (*runner)->Run();
  ASSERT_FALSE(run);
  EXPECT_THAT(run.Error().Message(),
              AllOf(HasSubstr("READ_VARIABLE (op 1)"), HasSubstr("'v' has no value yet")));
}

// A file does not tell a scalar from a tensor of any rank: the variable's shape counts.
TEST(Variables, GiveTheShapeThatWasAssigned) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2, 3});
  Tensor* handle = b.Value("handle", kResource, {1});
  Tensor* read = b.Value("read", kFloat, {});
  Tensor* y = b.Value("y", kFloat, {-1, -1});
  b.AddOp(kLiteRtOpCodeTflVarHandle, VarHandleOptions{.shared_name = "v"}, {}, {handle});
  b.AddOp(kLiteRtOpCodeTflAssignVariable, AssignVariableOptions{}, {handle, x}, {});
  b.AddOp(kLiteRtOpCodeTflReadVariable, ReadVariableOptions{}, {handle}, {read});
  b.AddOp(kLiteRtOpCodeTflNeg, NegOptions{}, {read}, {y});
  Tensor* few = b.Value("few", kFloat, {2});  // of a shape of its own: the first elements
  b.AddOp(kLiteRtOpCodeTflReadVariable, ReadVariableOptions{}, {handle}, {few});
  b.Output(y);
  b.Output(few);
  const auto model = b.BuildUnchecked();
  auto runner = Prepare(*model);
  ASSERT_TRUE(runner) << runner.Error();
  EXPECT_THAT((*runner)->outputs()[0].shape, ElementsAre(-1, -1)) << "before any run";
  EXPECT_THAT(RunWith(**runner, {{1, 2, 3, 4, 5, 6}}), ElementsAre(-1, -2, -3, -4, -5, -6));
  EXPECT_THAT((*runner)->outputs()[0].shape, ElementsAre(2, 3));
  EXPECT_THAT(Floats((*runner)->output(1)), ElementsAre(1, 2));
}

}  // namespace
}  // namespace npukit

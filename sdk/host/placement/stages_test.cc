// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// From model to compiled model, one stage after the other: what each hands to the next.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/partition/testing/test_graph.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/placement/compiled_share.h"
#include "sdk/host/placement/embed.h"
#include "sdk/host/placement/place.h"
#include "sdk/host/placement/preparation.h"
#include "sdk/host/plugin/test_plugins/load_test_plugin.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// MUL, SUB (another partition index in example_like), ADD on the CPU, MUL.
std::unique_ptr<Model> Mixed() {
  TestGraph g;
  Tensor* x = g.In("x");
  Tensor* k = g.Const("k");
  Tensor* a = g.Op(kMul, {x, k}, "a");
  Tensor* s = g.Op(kLiteRtOpCodeTflSub, {a, x}, "s");
  Tensor* t = g.Op(kAdd, {s, k}, "t");
  g.Output(g.Op(kMul, {t, s}, "y"));
  return g.Take();
}

// Two composites with one decomposition, MUL and ADD.
std::unique_ptr<Model> TwoComposites() {
  TestGraph g;
  Tensor* x = g.In("x");
  const int32_t body = g.Decomposition("body", {kMul, kAdd});
  Tensor* first = g.Composite("test.twice", body, {x}, "first");
  Tensor* n = g.Op(kNeg, {first}, "n");
  g.Output(g.Composite("test.twice", body, {n}, "second"));
  return g.Take();
}

// What the stages before compiling make of a model.
struct Stages {
  std::string selections;
  std::string placement;
  std::string partitioned;
};

Stages RunStages(const Model& model, Plugins plugins, PlacementRules rules = {},
                 const Exclusions& exclusions = {}) {
  const std::vector<std::string> socs(plugins.size());
  OpNumbering numbering(model);
  SelectionQuestions questions(AskedPlugins(plugins, socs));
  rules.plugins = questions.manufacturers();
  const auto placed = PlaceModel(model, numbering, questions, rules, exclusions);
  EXPECT_TRUE(placed) << placed.Error().Message();
  const auto partitioned = PartitionModel(placed->unfolded, placed->placement);
  EXPECT_TRUE(partitioned) << partitioned.Error().Message();
  return {.selections = ToString(placed->selections, placed->unfolded),
          .placement = ToString(placed->placement, placed->unfolded),
          .partitioned = ToString(*partitioned)};
}

// An op to a line, with its partition or why it has none.
std::string OpsWithPlaces(const std::vector<PlacedOp>& ops) {
  std::string text;
  for (const PlacedOp& op : ops) {
    text += fmt::format("{} {} {} {}{}\n", op.op, op.name, op.partition, op.plugin, op.reason);
  }
  return text;
}

// An op of the rewritten model to a line, and the positions of those that it stands for.
std::string OpsAndOrigins(const RewrittenModel& rewritten) {
  std::string text;
  for (size_t i = 0; i < rewritten.model->main_subgraph().ops().size(); ++i) {
    const Op& op = *rewritten.model->main_subgraph().ops()[i];
    text += fmt::format("{} {} <- {}\n", OpName(op), op.outputs[0]->name,
                        fmt::join(rewritten.origins[0][i], " "));
  }
  return text;
}

// Each plugin rewrites what those before it left.
TEST(Stages, Rewritten) {
  const LoadedPlugin fuses = LoadTestPlugin("rewrites");             // SUB of MUL to MUL
  const LoadedPlugin splits = LoadTestPlugin("rewrites_constants");  // ADD to MUL and SUB
  const LoadedPlugin leaves = LoadTestPlugin("example_like");
  const LoadedPlugin* const both[] = {&fuses, &leaves, &splits};
  const auto rewritten = RewriteForPlugins(*Mixed(), both, /*before_plugins=*/nullptr);
  ASSERT_TRUE(rewritten) << rewritten.Error().Message();
  EXPECT_EQ(OpsAndOrigins(*rewritten),
            "MUL s <- 0 1\n"
            "MUL product <- 2\n"
            "SUB t <- 2\n"
            "MUL y <- 3\n");
  EXPECT_THAT(rewritten->warnings, IsEmpty());
  const LoadedPlugin* const none[] = {&leaves};
  const auto untouched = RewriteForPlugins(*Mixed(), none, /*before_plugins=*/nullptr);
  ASSERT_TRUE(untouched) << untouched.Error().Message();
  EXPECT_EQ(untouched->model, nullptr);
}

// What `npukit explain` says before anything is compiled is what `npukit apply` does.
TEST(Stages, ExplainedIsWhatIsApplied) {
  const LoadedPlugin example = LoadTestPlugin("example_like");
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  const LoadedPlugin rewrites = LoadTestPlugin("rewrites");
  const LoadedPlugin all = LoadTestPlugin("selects_all");
  ApplyOptions limited;
  limited.placement.max_partitions = 1;
  ApplyOptions by_rule;
  by_rule.placement.rules.resize(1);
  by_rule.placement.rules[0] = {.types = {"SUB"}, .where = "r:1"};
  const struct {
    std::vector<const LoadedPlugin*> plugins;
    ApplyOptions options;
  } kRequests[] = {{{&example}, {}}, {{&mul, &all}, {}},    {{&rewrites}, {}},
                   {{&all}, {}},     {{&example}, limited}, {{&all}, by_rule}};
  for (const auto& request : kRequests) {
    for (const auto& model : {Mixed(), TwoComposites()}) {
      const auto explained = PlanPartitions(*model, request.plugins, request.options);
      ASSERT_TRUE(explained) << explained.Error().Message();
      const auto applied = ApplyPlugins(*model, request.plugins, request.options);
      ASSERT_TRUE(applied) << applied.Error().Message();
      EXPECT_EQ(OpsWithPlaces(explained->partitioned.ops), OpsWithPlaces(applied->ops));
      EXPECT_EQ(explained->partitioned.partitions.size(), applied->partitions.size());
      EXPECT_EQ(explained->warnings, applied->warnings);
    }
  }
}

TEST(Stages, OnePlugin) {
  const auto model = Mixed();
  const LoadedPlugin plugin = LoadTestPlugin("example_like");
  const LoadedPlugin* const plugins[] = {&plugin};
  const Stages stages = RunStages(*model, plugins);
  EXPECT_EQ(stages.selections,
            "0:0 op 0 MUL (a): example_like selects, index 0\n"
            "0:1 op 1 SUB (s): example_like selects, index 1\n"
            "0:2 op 2 ADD (t): example_like leaves\n"
            "0:3 op 3 MUL (y): example_like selects, index 0\n");
  EXPECT_EQ(stages.placement,
            "0:0 op 0 MUL (a) -> example_like, index 0\n"
            "0:1 op 1 SUB (s) -> example_like, index 1\n"
            "0:2 op 2 ADD (t) - not selected by example_like\n"
            "0:3 op 3 MUL (y) -> example_like, index 0\n");
  EXPECT_EQ(stages.partitioned,
            "0:0 op 0 MUL (a) -> partition 0\n"
            "0:1 op 1 SUB (s) -> partition 1\n"
            "0:2 op 2 ADD (t) - not selected by example_like\n"
            "0:3 op 3 MUL (y) -> partition 2\n"
            "partition 0: x -> a\n"
            "  op 0 MUL (a)\n"
            "partition 1: x a -> s\n"
            "  op 0 SUB (s)\n"
            "partition 2: t s -> y\n"
            "  op 0 MUL (y)\n");
}

TEST(Stages, CompiledAndEmbedded) {
  const auto model = Mixed();
  const LoadedPlugin plugin = LoadTestPlugin("example_like");
  const LoadedPlugin* const plugins[] = {&plugin};
  const ApplyOptions options{.soc_model = "t1"};
  const auto preparation = Preparation::Make(*model, plugins, options);
  ASSERT_TRUE(preparation) << preparation.Error().Message();
  auto attempt = (*preparation)->Try({});
  ASSERT_TRUE(attempt) << attempt.Error().Message();
  auto share = CompileShare(**preparation, *attempt, 0, {0, 1, 2});
  ASSERT_TRUE(share) << share.Error().Message();
  EXPECT_EQ(ToString(*share),
            "module 0: 36 bytes, 1f6acf9686a06a12\n"
            "partition 0: entry_0 of module 0\n"
            "partition 1: entry_1 of module 0\n"
            "partition 2: entry_2 of module 0\n");
  ApplyResult result;
  result.shares = {{.manufacturer = "example_like", .soc_model = "t1"}};
  const auto embedded = Embed(*model, nullptr, std::move(attempt->partitioned), {*share}, result);
  ASSERT_TRUE(embedded) << embedded.Error().Message();
  EXPECT_EQ(ToString(result),
            "op 0 MUL (a) -> partition 0\n"
            "op 1 SUB (s) -> partition 1\n"
            "op 2 ADD (t) - not selected by example_like\n"
            "op 3 MUL (y) -> partition 2\n"
            "partition 0: entry_0 of module 0, op 0 of the result\n"
            "partition 1: entry_1 of module 0, op 1 of the result\n"
            "partition 2: entry_2 of module 0, op 3 of the result\n");
  EXPECT_EQ(GetBuildStamp(*result.model), (BuildStamp{"example_like", "t1"}));
}

TEST(Stages, AShareWithTheWrongNumberOfCallsIsNotEmbedded) {
  const auto model = Mixed();
  const LoadedPlugin plugin = LoadTestPlugin("selects_all");
  const LoadedPlugin* const plugins[] = {&plugin};
  const ApplyOptions options;
  const auto preparation = Preparation::Make(*model, plugins, options);
  ASSERT_TRUE(preparation);
  auto attempt = (*preparation)->Try({});
  ASSERT_TRUE(attempt);
  ApplyResult result;
  result.shares.resize(1);
  const auto embedded = Embed(*model, nullptr, std::move(attempt->partitioned),
                              {{.plugin = 0, .partitions = {0}}}, result);
  ASSERT_FALSE(embedded);
  EXPECT_THAT(embedded.Error().Message(), HasSubstr("0 calls for 1 partitions"));
}

// The second plugin is not shown what the first takes, but what a rule keeps from the first.
TEST(Stages, TwoPluginsAndRules) {
  const auto model = Mixed();
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  const LoadedPlugin explains = LoadTestPlugin("explains");
  const LoadedPlugin* const plugins[] = {&mul, &explains};
  PlacementRules rules;
  rules.rules.resize(2);
  rules.rules[0] = {.names = {"y"}, .plugin = "explains", .where = "r:1"};
  rules.rules[1] = {.types = {"SUB"}, .where = "r:2"};
  const Stages stages = RunStages(*model, plugins, rules);
  EXPECT_EQ(stages.selections,
            "0:0 op 0 MUL (a): takes_mul selects, index 0\n"
            "0:1 op 1 SUB (s): takes_mul leaves\n"
            "0:1 op 1 SUB (s): explains selects, index 1\n"
            "0:2 op 2 ADD (t): takes_mul leaves\n"
            "0:2 op 2 ADD (t): explains leaves: no more than multiplication is understood\n"
            "0:3 op 3 MUL (y): takes_mul selects, index 0\n"
            "0:3 op 3 MUL (y): explains selects, index 0\n");
  EXPECT_EQ(
      stages.placement,
      "0:0 op 0 MUL (a) -> takes_mul, index 0\n"
      "0:1 op 1 SUB (s) - placed on the CPU by r:2\n"
      "0:2 op 2 ADD (t) - not selected by takes_mul; explains: no more than multiplication is "
      "understood\n"
      "0:3 op 3 MUL (y) -> explains, index 0\n");
}

// Ops of one decomposition are told apart by the composite that they come from.
TEST(Stages, ExclusionsNameOpsOfUnfoldedComposites) {
  const auto model = TwoComposites();
  const LoadedPlugin plugin = LoadTestPlugin("takes_mul");
  const LoadedPlugin* const plugins[] = {&plugin};
  EXPECT_EQ(RunStages(*model, plugins).placement,
            "2:0 op 0 MUL [test.twice] (body.0) -> takes_mul, index 0\n"
            "2:1 op 0 ADD [test.twice] (first) - not selected by takes_mul\n"
            "0:1 op 1 NEG (n) - not selected by takes_mul\n"
            "3:0 op 2 MUL [test.twice] (body.0) -> takes_mul, index 0\n"
            "3:1 op 2 ADD [test.twice] (second) - not selected by takes_mul\n");
  EXPECT_THAT(RunStages(*model, plugins, {}, {.reasons = {{{3, 0}, "it is slow"}}}).placement,
              AllOf(HasSubstr("2:0 op 0 MUL [test.twice] (body.0) -> takes_mul, index 0\n"),
                    HasSubstr("3:0 op 2 MUL [test.twice] (body.0) - it is slow\n")));
  EXPECT_THAT(
      RunStages(*model, plugins, {}, {.reasons = {}, .pieces = {{0, {{{3, 0}, 7}}}}}).placement,
      HasSubstr("3:0 op 2 MUL [test.twice] (body.0) -> takes_mul, index 0, piece 7\n"));
}

TEST(Stages, ANumberStandsForOneCompositeThroughAllUnfoldings) {
  TestGraph g;
  OpNumbering numbering(*g.Take());  // one subgraph
  const OpId composite{0, 4};
  EXPECT_EQ(numbering.Inside(composite, {0, 2}), (OpId{1, 2}));
  EXPECT_EQ(numbering.Inside({0, 5}, {0, 2}), (OpId{2, 2}));
  EXPECT_EQ(numbering.Inside(composite, {0, 3}), (OpId{1, 3}));
  // Of a composite that is op 7 of a decomposition, unfolded there and then in place of 0:4.
  const OpId inner = numbering.Inside({0, 7}, {0, 1});
  EXPECT_EQ(inner, (OpId{3, 1}));
  EXPECT_EQ(numbering.Inside(composite, inner),
            numbering.Inside(numbering.Inside(composite, {0, 7}), {0, 1}));
}

// However often a placement is made anew, nobody is asked again but about new ops.
TEST(Stages, EachIsAskedOnceAboutTheSameOps) {
  const auto model = TwoComposites();
  std::vector<std::string> asked;
  const Selector selector = [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    std::string names;
    SelectorAnswer answer;
    for (const auto& op : subgraph.ops()) {
      names += OpName(*op) + " ";
      answer.selection.push_back({op.get(), 0});
    }
    asked.push_back(names);
    return answer;
  };
  OpNumbering numbering(*model);
  SelectionQuestions questions({{.manufacturer = "p", .description = "p", .select = selector}});
  const PlacementRules rules{.plugins = {"p"}};
  Exclusions exclusions;
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(PlaceModel(*model, numbering, questions, rules, exclusions));
    exclusions.pieces[0][{0, 1}] = static_cast<uint32_t>(round);
  }
  EXPECT_EQ(asked.size(), 1u);
  exclusions.reasons[{0, 0}] = "out";  // its ops come to light
  for (int round = 0; round < 3; ++round)
    ASSERT_TRUE(PlaceModel(*model, numbering, questions, rules, exclusions));
  EXPECT_THAT(asked, ElementsAre("STABLEHLO_COMPOSITE NEG STABLEHLO_COMPOSITE ",
                                 "MUL ADD NEG STABLEHLO_COMPOSITE "));
}

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
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
#include "sdk/host/placement/testing/four_ops.h"
#include "sdk/host/plugin/test_plugins/load_test_plugin.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// MUL, SUB, ADD, MUL in a chain; a constant is read by the first and the third, another by the last.
std::unique_ptr<Model> Chain() { return FourOps(LastReads::kConstant); }

// Each reads what the one before it computes, and a constant.
std::unique_ptr<Model> ChainOf(const std::vector<LiteRtOpCode>& ops) {
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

std::string ErrorOf(const Model& model, const std::vector<const LoadedPlugin*>& plugins,
                    const ApplyOptions& options = {}) {
  const auto applied = ApplyPlugins(model, plugins, options);
  return applied ? "" : applied.Error().Message();
}

// "MUL takes_mul 0, SUB cpu, ..."
std::string Placed(const ApplyResult& applied) {
  std::string text;
  for (const PlacedOp& op : applied.ops) {
    if (!text.empty()) text += ", ";
    text += op.partition < 0 ? fmt::format("{} cpu", op.op)
                             : fmt::format("{} {} {}", op.op, op.plugin, op.partition);
  }
  return text;
}

std::string Bytecode(const ApplyResult& applied, size_t module) {
  const auto bytes = applied.model->buffers().Get(applied.modules[module].buffer).bytes;
  return {bytes.begin(), bytes.end()};
}

ApplyResult Apply(const Model& model, std::vector<const LoadedPlugin*> plugins,
                  const ApplyOptions& options = {}) {
  auto applied = ApplyPlugins(model, plugins, options);
  if (!applied) {
    ADD_FAILURE() << applied.Error().Message();
    return {};
  }
  return std::move(*applied);
}

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

// -- Placement

PlacementRule Rule(std::string plugin, std::string where = "file:1:1") {
  PlacementRule rule;
  rule.plugin = std::move(plugin);
  rule.where = std::move(where);
  return rule;
}

TEST(Placement, Patterns) {
  for (const char* pattern : {"*", "block1/*", "*/conv", "b?ock1/conv", "block*/c*", "block1/conv"})
    EXPECT_TRUE(MatchesPattern(pattern, "block1/conv")) << pattern;
  for (const char* pattern : {"", "block", "*x*", "block1/conv?", "Block1/conv"})
    EXPECT_FALSE(MatchesPattern(pattern, "block1/conv")) << pattern;
}

TEST(Placement, RulesByIndexNameTypeAndPartition) {
  const auto model = Chain();
  const LoadedPlugin all = LoadTestPlugin("selects_all");
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  const LoadedPlugin example = LoadTestPlugin("example_like");
  {
    ApplyOptions options;
    options.placement.rules = {Rule("")};
    options.placement.rules[0].ops = {{1, 2}};
    EXPECT_EQ(Placed(Apply(*model, {&all}, options)),
              "MUL selects_all 0, SUB cpu, ADD cpu, MUL selects_all 1");
  }
  {
    ApplyOptions options;
    options.placement.rules = {Rule("TAKES_MUL"), Rule("")};
    options.placement.rules[0].names = {"y"};
    options.placement.rules[1].types = {"ADD"};
    EXPECT_EQ(Placed(Apply(*model, {&all, &mul}, options)),
              "MUL selects_all 0, SUB selects_all 0, ADD cpu, MUL takes_mul 1");
  }
  {
    // Alone the example makes partitions {0}, {1}, {3}.
    ApplyOptions options;
    options.placement.rules = {Rule("")};
    options.placement.rules[0].partitions = {1};
    EXPECT_EQ(Placed(Apply(*model, {&example}, options)),
              "MUL example_like 0, SUB cpu, ADD cpu, MUL example_like 1");
    options.placement.rules[0].partitions = {9};
    const std::vector<const LoadedPlugin*> plugins = {&example};
    EXPECT_THAT(ErrorOf(*model, plugins, options),
                HasSubstr("file:1:1: no partition 9: there are 3"));
  }
}

// A file may be called otherwise than its manufacturer.
TEST(Placement, RulesAndSpecsMayNameThePluginsFile) {
  namespace fs = std::filesystem;
  const auto model = Chain();
  const fs::path file = fs::path(::testing::TempDir()) / "libLiteRtCompilerPlugin_Other.so";
  fs::remove(file);
  fs::create_symlink(LoadTestPlugin("takes_specs").path(), file);
  auto plugin = LoadedPlugin::Load(file.string());
  ASSERT_TRUE(plugin) << plugin.Error().Message();
  ApplyOptions options;
  options.placement.rules = {Rule("other"), Rule("")};
  options.placement.rules[0].types = {"SUB"};
  options.placement.specs = {{.plugin = "Other", .partition = {}, .spec = {"k", {}}, .where = "1"}};
  const ApplyResult applied = Apply(*model, {&*plugin}, options);
  EXPECT_EQ(Placed(applied), "MUL cpu, SUB takes_specs 0, ADD cpu, MUL cpu");
  ASSERT_EQ(applied.partitions.size(), 1u);
  EXPECT_EQ(applied.partitions[0].specs.size(), 1u);
  fs::remove(file);
}

TEST(Placement, TheLargestPartitionsAreKept) {
  const auto model = Chain();
  const LoadedPlugin all = LoadTestPlugin("selects_all");
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  // Of {0}, {2, 3} the second; of equal ones the first.
  ApplyOptions options;
  options.placement.rules = {Rule("")};
  options.placement.rules[0].types = {"SUB"};
  options.placement.max_partitions = 1;
  const ApplyResult applied = Apply(*model, {&all}, options);
  EXPECT_EQ(Placed(applied), "MUL cpu, SUB cpu, ADD selects_all 0, MUL selects_all 0");
  EXPECT_EQ(applied.ops[0].reason,
            "selected, but beyond the largest 1 partitions (max_partitions)");
  EXPECT_EQ(Placed(Apply(*model, {&mul}, {.placement = {.max_partitions = 1}})),
            "MUL takes_mul 0, SUB cpu, ADD cpu, MUL cpu");
  EXPECT_EQ(Placed(Apply(*model, {&mul}, {.placement = {.max_partitions = 2}})),
            "MUL takes_mul 0, SUB cpu, ADD cpu, MUL takes_mul 1");
}

// What was one too many is not once a larger partition has fallen apart: of {0, 1, 2} and {4, 5} the
// first, until op 1 turns out not to compile.
TEST(Placement, TheLargestPartitionsAreChosenAnewAfterAFailure) {
  const auto model = ChainOf({kLiteRtOpCodeTflMul, kLiteRtOpCodeTflSub, kLiteRtOpCodeTflMul,
                              kLiteRtOpCodeTflAdd, kLiteRtOpCodeTflMul, kLiteRtOpCodeTflMul});
  const LoadedPlugin fails = LoadTestPlugin("fails_on_sub");
  ApplyOptions options{.on_compile_failure = OnCompileFailure::kSplit};
  options.placement.rules = {Rule("")};
  options.placement.rules[0].types = {"ADD"};
  options.placement.max_partitions = 1;
  EXPECT_EQ(Placed(Apply(*model, {&fails}, options)),
            "MUL cpu, SUB cpu, MUL cpu, ADD cpu, MUL fails_on_sub 0, MUL fails_on_sub 0");
}

// What is left when compiling failed is bounded too.
TEST(Placement, TheLargestPartitionsAreKeptAfterAFailure) {
  const auto model = Chain();
  const LoadedPlugin fails = LoadTestPlugin("fails_on_sub");
  const ApplyResult applied =
      Apply(*model, {&fails},
            {.placement = {.max_partitions = 1}, .on_compile_failure = OnCompileFailure::kSplit});
  EXPECT_EQ(Placed(applied), "MUL cpu, SUB cpu, ADD fails_on_sub 0, MUL fails_on_sub 0");
}

TEST(Placement, NpuCallsDoNotCount) {
  PartitionedModel::Partition call;
  call.is_npu_call = true;
  call.ops = {1, 2, 3};
  PartitionedModel::Partition one;
  one.ops = {4};
  PartitionedModel::Partition two;
  two.ops = {5, 6};
  const PartitionedModel::Partition partitions[] = {call, one, two, one};
  EXPECT_THAT(BeyondLargest(partitions, 1), ElementsAre(1, 3));
  EXPECT_THAT(BeyondLargest(partitions, 3), IsEmpty());
}

TEST(Placement, ReasonsNameTheRuleAndThePlugin) {
  const auto model = Chain();
  const LoadedPlugin mul = LoadTestPlugin("takes_mul");
  const LoadedPlugin all = LoadTestPlugin("selects_all");
  ApplyOptions options;
  options.placement.rules = {Rule("takes_mul", "f:2:1"), Rule("", "f:3:1"), Rule("", "f:4:1")};
  options.placement.rules[0].types = {"SUB"};
  options.placement.rules[1].ops = {{0, 0}};
  options.placement.rules[2].names = {"nothing*"};
  const ApplyResult applied = Apply(*model, {&mul, &all}, options);
  EXPECT_EQ(applied.ops[0].reason, "placed on the CPU by f:3:1");
  EXPECT_EQ(applied.ops[1].reason, "placed on takes_mul by f:2:1, but: not selected by takes_mul");
  EXPECT_THAT(applied.warnings, ElementsAre("f:4:1: matches no op"));
  options.placement.rules[0].plugin = "nobody";
  const std::vector<const LoadedPlugin*> plugins = {&mul, &all};
  EXPECT_THAT(ErrorOf(*model, plugins, options),
              HasSubstr("f:2:1: no plugin \"nobody\" takes part"));
}

// -- Compile specs

CompileSpecRequest Spec(const std::string& plugin, std::optional<size_t> partition,
                        const std::string& key, const std::string& value) {
  return {plugin, partition, {key, {value.begin(), value.end()}}, "--spec " + key};
}

TEST(CompileSpecs, ReachThePluginAndTheMetadata) {
  const auto model = Chain();
  const LoadedPlugin plugin = LoadTestPlugin("takes_specs");
  ApplyOptions options;
  options.placement.rules = {Rule("")};
  options.placement.rules[0].types = {"SUB"};
  options.placement.specs = {Spec("", std::nullopt, "k1", "all"),
                             Spec("takes_specs", 1, "k2", "second"), Spec("", 1, "k1", "own")};
  const ApplyResult applied = Apply(*model, {&plugin}, options);
  EXPECT_THAT(Bytecode(applied, 0),
              AllOf(HasSubstr("entry_0: 18\n k1=all\n"), HasSubstr(" k1=own\n k2=second\n")));
  const auto delegates = ReadDelegates(*applied.model);
  ASSERT_TRUE(delegates);
  EXPECT_EQ((*delegates)[0].specs, (std::vector<CompileSpec>{{"k1", {'a', 'l', 'l'}}}));
  EXPECT_EQ((*delegates)[1].specs.size(), 2u);
  // Nothing of it is left for the next model.
  EXPECT_EQ(Bytecode(Apply(*model, {&plugin}), 0).find("k1"), std::string::npos);
}

// The second partition's are refused when the first has its own already.
TEST(CompileSpecs, AreTakenBackAfterAnError) {
  const auto model = Chain();
  const LoadedPlugin plugin = LoadTestPlugin("takes_specs");
  const std::vector<const LoadedPlugin*> plugins = {&plugin};
  ApplyOptions options;
  options.placement.rules = {Rule("")};
  options.placement.rules[0].types = {"SUB"};
  options.placement.specs = {Spec("", 0, "k1", "own"), Spec("", 1, "k_common", "own")};
  EXPECT_THAT(ErrorOf(*model, plugins, options), HasSubstr("kLiteRtStatusErrorInvalidArgument"));
  EXPECT_EQ(Bytecode(Apply(*model, {&plugin}), 0).find("k1"), std::string::npos);

  options = {.soc_model = "t1"};
  options.placement.specs = {Spec("", std::nullopt, "soc_model", "t2")};
  EXPECT_THAT(ErrorOf(*model, plugins, options), HasSubstr("names the SoC model 't2'"));
  EXPECT_EQ(Bytecode(Apply(*model, {&plugin}), 0).find("soc_model"), std::string::npos);
}

TEST(CompileSpecs, ThoseThatNobodyKnowsAreErrors) {
  const auto model = Chain();
  const LoadedPlugin takes = LoadTestPlugin("takes_specs");
  const LoadedPlugin all = LoadTestPlugin("selects_all");
  const std::vector<const LoadedPlugin*> plugins = {&all, &takes};
  ApplyOptions options;
  options.placement.specs = {Spec("", std::nullopt, "k", "v")};
  EXPECT_TRUE(ApplyPlugins(*model, plugins, options));  // one of them knows it
  options.placement.specs = {Spec("", std::nullopt, "other", "v")};
  EXPECT_THAT(ErrorOf(*model, plugins, options),
              HasSubstr("no plugin knows the compile spec 'other'"));
  EXPECT_FALSE(PlanPartitions(*model, plugins, options));
  options.placement.specs = {Spec("selects_all", std::nullopt, "k", "v")};
  EXPECT_THAT(ErrorOf(*model, plugins, options), HasSubstr("takes no compile specs"));
}

TEST(CompileSpecs, NameNoOtherSocModelThanTheOneCompiledFor) {
  const auto model = Chain();
  const LoadedPlugin takes = LoadTestPlugin("takes_specs");
  const LoadedPlugin all = LoadTestPlugin("selects_all");
  const struct {
    const char* what;
    std::vector<const LoadedPlugin*> plugins;
    const char* soc_model;
    std::optional<size_t> partition;
    const char* spec;
    bool contradicts;
  } cases[] = {
      {"the same", {&takes}, "t1", std::nullopt, "t1", false},
      {"the plugin's default", {&takes}, "", std::nullopt, "t1", false},
      {"another", {&takes}, "t1", std::nullopt, "t2", true},
      {"another, for one partition", {&takes}, "t1", 0, "t2", true},
      {"another, beside a plugin without specs", {&all, &takes}, "t2", std::nullopt, "t1", true},
  };
  for (const auto& c : cases) {
    ApplyOptions options;
    options.soc_model = c.soc_model;
    options.placement.specs = {Spec("", c.partition, "soc_model", c.spec)};
    const std::string error = ErrorOf(*model, c.plugins, options);
    const std::string expected =
        fmt::format("--spec soc_model: names the SoC model '{}', and '{}' is to be compiled for",
                    c.spec, c.soc_model);
    if (c.contradicts) {
      EXPECT_THAT(error, HasSubstr(expected)) << c.what;
    } else {
      EXPECT_EQ(error, "") << c.what;
    }
  }
}

// -- Failures while compiling

TEST(OnCompileFailure, SplitLeavesTheCulpritOnTheCpu) {
  const auto model = Chain();
  const LoadedPlugin plugin = LoadTestPlugin("fails_on_sub");
  const std::vector<const LoadedPlugin*> plugins = {&plugin};
  EXPECT_THAT(ErrorOf(*model, plugins),
              AllOf(HasSubstr("LiteRtCompilerPluginCompile"), HasSubstr("op 1 SUB (s)")));
  ApplyOptions options;
  options.on_compile_failure = OnCompileFailure::kSplit;
  const ApplyResult applied = Apply(*model, plugins, options);
  EXPECT_EQ(Placed(applied), "MUL fails_on_sub 0, SUB cpu, ADD fails_on_sub 1, MUL fails_on_sub 1");
  EXPECT_THAT(applied.ops[1].reason, HasSubstr("selected, but compiling it failed: fails_on_sub"));
  ASSERT_EQ(applied.failures.size(), 1u);
  EXPECT_EQ(applied.failures[0].plugin, "fails_on_sub");
  EXPECT_THAT(applied.failures[0].culprits, ElementsAre("op 1 SUB (s)"));
}

TEST(OnCompileFailure, PiecesStayWhereOnlyTheWholeFails) {
  const auto model = Chain();
  const LoadedPlugin plugin = LoadTestPlugin("fails_on_three_ops");
  ApplyOptions options;
  options.on_compile_failure = OnCompileFailure::kSplit;
  const ApplyResult applied = Apply(*model, {&plugin}, options);
  EXPECT_EQ(Placed(applied),
            "MUL fails_on_three_ops 0, SUB fails_on_three_ops 0, ADD fails_on_three_ops 1, "
            "MUL fails_on_three_ops 1");
  EXPECT_THAT(applied.failures[0].culprits, IsEmpty());
}

// The first plugin's three ops compile in pieces only, the other's not at all.
TEST(OnCompileFailure, PiecesOfOnePluginOutliveTheCulpritsOfAnother) {
  const auto model =
      ChainOf({kLiteRtOpCodeTflMul, kLiteRtOpCodeTflMul, kLiteRtOpCodeTflMul, kLiteRtOpCodeTflSub});
  const LoadedPlugin three = LoadTestPlugin("fails_on_three_ops");
  const LoadedPlugin sub = LoadTestPlugin("fails_on_sub");
  ApplyOptions options{.on_compile_failure = OnCompileFailure::kSplit};
  options.placement.rules = {Rule("fails_on_sub")};
  options.placement.rules[0].types = {"SUB"};
  const ApplyResult applied = Apply(*model, {&three, &sub}, options);
  EXPECT_EQ(Placed(applied),
            "MUL fails_on_three_ops 0, MUL fails_on_three_ops 1, MUL fails_on_three_ops 1, "
            "SUB cpu");
  EXPECT_EQ(applied.failures.size(), 2u);
}

TEST(OnCompileFailure, EverythingFailingLeavesEverythingOnTheCpu) {
  const auto model = Chain();
  const LoadedPlugin plugin = LoadTestPlugin("fails_in_compile");
  ApplyOptions options;
  options.on_compile_failure = OnCompileFailure::kSplit;
  const ApplyResult applied = Apply(*model, {&plugin}, options);
  EXPECT_EQ(Placed(applied), "MUL cpu, SUB cpu, ADD cpu, MUL cpu");
  EXPECT_EQ(applied.failures[0].culprits.size(), 4u);
  EXPECT_EQ(FirstDifference(*model, *applied.model), std::nullopt);
}

// -- Constants

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

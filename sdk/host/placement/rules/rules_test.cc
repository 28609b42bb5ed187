// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What rules and requests do to the placement of a model.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sdk/host/placement/apply.h"
#include "sdk/host/placement/preparation.h"
#include "sdk/host/placement/testing/applied_chains.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

}  // namespace
}  // namespace npukit

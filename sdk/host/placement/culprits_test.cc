// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is left when compiling fails.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/model/graph/model_diff.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/placement/testing/applied_chains.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "sdk/host/placement/apply.h"
#include "sdk/host/placement/compile_specs.h"
#include "sdk/host/placement/testing/applied_chains.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace npukit

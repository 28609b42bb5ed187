// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Profiles, shards, small forms of failures, comparisons, drafts of claims and baselines, as users
// meet them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "conformance/runner/kit_tool.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;

// The result of that name; null if there is none.
json ResultOf(const json& report, const std::string& name) {
  for (const json& result : report["cases"]) {
    if (result["name"] == name) return result;
  }
  return nullptr;
}

json ProfileOf(const json& report, const std::string& name) {
  for (const json& profile : report["profiles"]) {
    if (profile["name"] == name) return profile;
  }
  return nullptr;
}

TEST(Kit, TheVerdictNamesProfiles) {
  const json healthy = RunJson(Healthy() + "--profile float-elementwise", 0);
  EXPECT_EQ(ProfileOf(healthy, "float-elementwise")["verdict"], "conformant");
  EXPECT_EQ(ProfileOf(healthy, "float-elementwise")["version"], "1.0");
  const json vision = RunJson(Healthy() + "--profile int8-vision", 1);
  EXPECT_EQ(ProfileOf(vision, "int8-vision")["verdict"], "not conformant");
  EXPECT_THAT(ProfileOf(vision, "int8-vision")["reasons"][0], HasSubstr("is not claimed"));
  const json faulty =
      RunJson("--profile float-elementwise --plugin-dir " + kPlugins + "few_ulps_off", 1);
  EXPECT_EQ(ProfileOf(faulty, "float-elementwise")["verdict"], "not conformant");
  // A part of it decides nothing.
  const json part = RunJson(Healthy() + "--profile float-elementwise --shard 0/3", 0);
  EXPECT_EQ(ProfileOf(part, "float-elementwise")["verdict"], "not judged");
  const Outcome unknown = RunTool(Healthy() + "--profile float-vison");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.out, HasSubstr("no profile 'float-vison'; known are float-elementwise"));
}

TEST(Kit, APromisedProfileThatIsNotShownFails) {
  const TempFolder folder;
  const std::string claims = ReadText(kPlugins + "healthy/Mimic.claims.yaml") +
                             "profiles: [float-elementwise, int8-vision]\n";
  const json report = RunJson(Healthy() + "--claims " + folder.File("more.yaml", claims), 1);
  EXPECT_EQ(ResultOf(report, "claims/profile float-elementwise")["result"], "passed");
  EXPECT_EQ(ResultOf(report, "claims/profile int8-vision")["result"], "failed");
}

TEST(Kit, MergedShardsAreTheWholeRun) {
  const TempFolder folder;
  const std::string out = folder.path() + "/";
  std::string shards;
  for (const char* shard : {"2", "0", "1"}) {
    RunTool(Healthy() + "--shard " + shard + "/3 --report " + out + shard);
    shards += " " + out + shard;
  }
  const json whole = RunJson(Healthy() + "--report " + out + "whole", 0);
  const json merged = RunJson("merge" + shards + " --compare " + out + "whole", 0);
  EXPECT_EQ(merged["verdict"], "conformant");
  EXPECT_EQ(merged["summary"], whole["summary"]);
  EXPECT_EQ(merged["profiles"], whole["profiles"]);
  EXPECT_TRUE(merged["changes"].empty()) << merged["changes"];
  ASSERT_EQ(merged["cases"].size(), whole["cases"].size());
  for (size_t i = 0; i < whole["cases"].size(); ++i)
    ASSERT_EQ(merged["cases"][i]["name"], whole["cases"][i]["name"]);
  const json part = RunJson("merge " + out + "0 " + out + "2", 1);
  EXPECT_EQ(part["verdict"], "incomplete");
  EXPECT_EQ(ResultOf(part, "shards/1_of_3")["result"], "not_run");
}

TEST(Kit, MergeRefusesWhatDoesNotBelongTogether) {
  const TempFolder folder;
  const std::string out = folder.path() + "/";
  RunTool(Healthy() + "--suite smoke --shard 0/2 --report " + out + "a");
  RunTool(Healthy() + "--suite smoke --shard 1/2 --seed 2 --report " + out + "seed");
  RunTool("--suite smoke --shard 1/2 --report " + out + "plugin --plugin-dir " + kPlugins +
          "wrong_value");
  json other = json::parse(ReadText(out + "a/results.json"));
  other["kit_version"] = "0.0.9";
  other["shard"]["index"] = 1;
  const std::string version = folder.File("version.json", other.dump());
  struct Row {
    std::string with;
    std::string message;
  };
  const Row rows[] = {
      {out + "seed", "the seed is '1' in"},
      {out + "plugin", "the digest of the compiler plugin is"},
      {out + "a", "are both shard 0"},
      {version, "the kit version is '0.1.0' in"},
      {folder.File("no.json", "[]"), "is no results.json"},
      {folder.File("schema.json", "{\"schema\": 7}"), "expected \"schema\": 1"},
      {folder.File("shard.json", "{\"schema\": 1, \"shard\": {\"index\": 3, \"count\": 2}}"),
       "expected 0 <= index < count"},
      {"/no/such/file", "can't be read"},
  };
  for (const Row& row : rows) {
    const Outcome outcome = RunTool("merge " + out + "a " + row.with);
    EXPECT_EQ(outcome.code, 2) << row.with;
    EXPECT_THAT(outcome.out, HasSubstr(row.message));
  }
}

TEST(Kit, ShardsComeFromTheEnvironment) {
  auto run = [](const std::string& variables) {
    FILE* pipe = popen((variables + " " + kTool + " --list --suite smoke 2>&1").c_str(), "r");
    std::string out;
    std::array<char, 4096> chunk;
    size_t got = 0;
    while ((got = fread(chunk.data(), 1, chunk.size(), pipe)) > 0) out.append(chunk.data(), got);
    pclose(pipe);
    return out;
  };
  const std::string second = RunTool("--list --suite smoke --shard 1/3").out;
  EXPECT_EQ(run("TEST_SHARD_INDEX=1 TEST_TOTAL_SHARDS=3"), second);
  EXPECT_EQ(run("SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3"), second);
  EXPECT_EQ(run("SLURM_ARRAY_TASK_ID=11 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=10"), second);
  EXPECT_THAT(run("TEST_SHARD_INDEX=1"), HasSubstr("TEST_TOTAL_SHARDS is not set"));
  EXPECT_THAT(run("TEST_SHARD_INDEX=3 TEST_TOTAL_SHARDS=3"), HasSubstr("name no shard"));
  EXPECT_THAT(run("SLURM_ARRAY_TASK_ID=x SLURM_ARRAY_TASK_COUNT=3"), HasSubstr("name no shard"));
}

TEST(Kit, AFailureIsShrunkAndShownAgain) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out";
  const std::string plugin = "--plugin-dir " + kPlugins + "loses_large_tail ";
  RunTool(plugin + "--suite core --filter 'int8_16x257_symmetric_NONE/numerics' --report " + out);
  const json report = json::parse(ReadText(out + "/results.json"));
  ASSERT_EQ(report["reproductions"].size(), 1u);
  const std::string command = report["reproductions"].begin().value();
  // The fault shows beyond 2048 elements: less than the 4112 of the case.
  const std::string prefix = "npukit conform ";
  ASSERT_TRUE(command.starts_with(prefix)) << command;
  const json again = RunJson(command.substr(prefix.size()), 1);
  ASSERT_EQ(again["cases"].size(), 1u);
  EXPECT_EQ(again["cases"][0]["result"], "failed");
  const std::string name = report["reproductions"].begin().key();
  EXPECT_EQ(again["cases"][0]["name"], name);
  size_t largest = 0;
  size_t models = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(out + "/failures")) {
    if (file.path().extension() == ".bin") largest = std::max<size_t>(largest, file.file_size());
    models += file.path().extension() == ".tflite";
  }
  EXPECT_EQ(models, 1u);
  EXPECT_GT(largest, 2048u);
  EXPECT_LT(largest, 4112u);
}

TEST(Kit, CompareSaysWhatChanged) {
  const TempFolder folder;
  const std::string out = folder.path() + "/old";
  RunTool(Healthy() + "--suite smoke --report " + out);
  const json report = RunJson(
      "--suite smoke --compare " + out + " --plugin-dir " + kPlugins + "saturates_early", 1);
  ASSERT_FALSE(report["changes"].empty());
  EXPECT_EQ(report["changes"][0]["change"], "new failure");
  EXPECT_THAT(report["changes"][0]["detail"], HasSubstr("passed -> failed"));
  const Outcome same = RunTool(Healthy() + "--suite smoke --compare " + out + "/results.json");
  EXPECT_THAT(same.out, HasSubstr("nothing changed"));
  EXPECT_EQ(RunTool(Healthy() + "--suite smoke --compare /no/such/file").code, 2);
}

TEST(Kit, ProposedClaimsHold) {
  const TempFolder folder;
  const std::string path = folder.path() + "/draft.yaml";
  // A plugin's own claims do not matter.
  const std::string suites = Healthy() + "--suite graphs --suite dispatch --suite smoke ";
  EXPECT_EQ(RunTool(suites + "--claims /no/such/file --propose-claims " + path).code, 0);
  const json report = RunJson(suites + "--claims " + path, 0);
  EXPECT_EQ(report["verdict"], "conformant");
  const json own = RunJson(suites, 0);
  EXPECT_EQ(report["summary"]["skipped"], own["summary"]["skipped"]);
}

TEST(Kit, CyclesAreHeldAgainstABaseline) {
  const TempFolder folder;
  const std::string plugin_dir = std::string(NPUKIT_BUILD_DIR) + "/lib";
  if (!std::filesystem::exists(plugin_dir + "/libLiteRtDispatch_AcmeCorp.so"))
    GTEST_SKIP() << "no plugin that reports cycles is built";
  const std::string acme = "--plugin-dir " + plugin_dir + " --plugin AcmeCorp --suite performance ";
  const std::string path = folder.path() + "/baseline.json";
  ASSERT_EQ(RunTool(acme + "--record-baseline " + path).code, 0);
  json baseline = json::parse(ReadText(path));
  ASSERT_GE(baseline["cycles"].size(), 10u);
  const json same = RunJson(acme + "--baseline " + path, 0);
  const std::string name = baseline["cycles"].begin().key();
  EXPECT_EQ(ResultOf(same, name + "/performance.baseline")["result"], "passed");
  const double cycles = baseline["cycles"][name];
  baseline["cycles"][name] = cycles / 1.01;
  const json slower = RunJson(acme + "--baseline " + folder.File("a.json", baseline.dump()), 1);
  EXPECT_EQ(ResultOf(slower, name + "/performance.baseline")["result"], "failed");
  baseline["allowed_growth"] = 0.02;
  RunJson(acme + "--baseline " + folder.File("b.json", baseline.dump()), 0);
  EXPECT_EQ(RunTool(acme + "--baseline " + folder.File("c.json", "{\"baseline\": 2}")).code, 2);
}

}  // namespace
}  // namespace npukit::conformance

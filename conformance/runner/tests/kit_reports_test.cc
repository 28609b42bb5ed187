// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Profiles, shards, small forms of failures, comparisons, drafts of claims and baselines, as users
// meet them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "conformance/runner/testing/kit_tool.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;

// The result of that name; null if there is none.
Json ResultOf(const Json& report, const std::string& name) {
  for (const Json& result : report["cases"]) {
    if (result["name"] == name) return result;
  }
  return nullptr;
}

Json ProfileOf(const Json& report, const std::string& name) {
  for (const Json& profile : report["profiles"]) {
    if (profile["name"] == name) return profile;
  }
  return nullptr;
}

TEST(Kit, TheVerdictNamesProfiles) {
  const SmallKit kit;
  const Json healthy = kit.RunForJson(Healthy() + "--profile sums", 0);
  const Json sums = ProfileOf(healthy, "sums");
  EXPECT_EQ(sums["verdict"], "conformant");
  EXPECT_EQ(sums["version"], "1.0");
  EXPECT_EQ(sums["digest"].get<std::string>().size(), 16u);
  const Json soft = kit.RunForJson(Healthy() + "--profile soft", 1);
  EXPECT_EQ(ProfileOf(soft, "soft")["verdict"], "not conformant");
  EXPECT_THAT(ProfileOf(soft, "soft")["reasons"][0], HasSubstr("is not claimed"));
  const Json faulty = kit.RunForJson("--profile sums --plugin-dir " + kPlugins + "few_ulps_off", 1);
  EXPECT_EQ(ProfileOf(faulty, "sums")["verdict"], "not conformant");
  // A part of it decides nothing.
  const Json part = kit.RunForJson(Healthy() + "--profile sums --shard 0/3", 0);
  EXPECT_EQ(ProfileOf(part, "sums")["verdict"], "not judged");
  const Outcome unknown = kit.Run(Healthy() + "--profile smus");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.out, HasSubstr("no profile 'smus'; known are soft or sums"));
}

// The kit's own profiles are judged too.
TEST(Kit, TheKitsProfilesAreWhatTheySay) {
  const Json report = RunJson(Healthy() + "--profile float-elementwise --filter values_zeros", 1);
  EXPECT_EQ(ProfileOf(report, "float-elementwise")["reasons"].size(), 1u);
  EXPECT_THAT(ProfileOf(report, "float-elementwise")["reasons"][0], HasSubstr("results were run"));
}

TEST(Kit, AProfileThatWasChangedIsNotWhatItsVersionSays) {
  const SmallKit kit;
  const std::string profile = Healthy() + "--profile sums";
  const Json before = ProfileOf(kit.RunForJson(profile + " --report " + kit.out("old"), 0), "sums");
  kit.Edit("suites/core.yaml", "[2, 1, 4]", "[2, 4]");  // a case that it chooses
  const Json changed = ProfileOf(kit.RunForJson(profile, 1), "sums");
  EXPECT_EQ(changed["verdict"], "not judged");
  EXPECT_NE(changed["digest"], before["digest"]);
  EXPECT_THAT(changed["reasons"][0],
              HasSubstr("1.0 stands for " + before["digest"].get<std::string>()));
  // Old results can't be compared with those of the changed profile, nor merged.
  const Outcome compared = kit.Run(profile + " --compare " + kit.out("old"));
  EXPECT_EQ(compared.code, 2);
  EXPECT_THAT(compared.out, HasSubstr("sums 1.0 has the digest"));
  kit.Edit("suites/core.yaml", "[2, 4]", "[2, 1, 4]");
  EXPECT_EQ(ProfileOf(kit.RunForJson(profile, 0), "sums")["verdict"], "conformant");
}

TEST(Kit, APromisedProfileThatIsNotShownFails) {
  const SmallKit kit;
  const std::string claims =
      ReadText(kPlugins + "healthy/Mimic.claims.yaml") + "profiles: [sums, soft]\n";
  const Json report =
      kit.RunForJson(Healthy() + "--claims " + kit.folder().File("more.yaml", claims), 1);
  EXPECT_EQ(ResultOf(report, "claims/profile sums")["result"], "passed");
  EXPECT_EQ(ResultOf(report, "claims/profile soft")["result"], "failed");
}

TEST(Kit, MergedShardsAreTheWholeRun) {
  const SmallKit kit;
  std::string shards;
  for (const char* shard : {"2", "0", "1"}) {
    kit.Run(Healthy() + "--shard " + shard + "/3 --report " + kit.out(shard));
    shards += " " + kit.out(shard);
  }
  const Json whole = kit.RunForJson(Healthy() + "--report " + kit.out("whole"), 0);
  const Json merged = kit.RunForJson("merge" + shards + " --compare " + kit.out("whole"), 0);
  EXPECT_EQ(merged["verdict"], "conformant");
  EXPECT_EQ(merged["summary"], whole["summary"]);
  EXPECT_EQ(merged["profiles"], whole["profiles"]);
  EXPECT_TRUE(merged["changes"].empty()) << merged["changes"];
  ASSERT_EQ(merged["cases"].size(), whole["cases"].size());
  for (size_t i = 0; i < whole["cases"].size(); ++i)
    ASSERT_EQ(merged["cases"][i]["name"], whole["cases"][i]["name"]);
  const Json part = kit.RunForJson("merge " + kit.out("0") + " " + kit.out("2"), 1);
  EXPECT_EQ(part["verdict"], "incomplete");
  EXPECT_EQ(ResultOf(part, "shards/1_of_3")["result"], "not_run");
  Json other = Json::parse(ReadText(kit.out("1") + "/results.json"));
  other["profile_asks"]["sums 1.0"]["digest"] = "0123456789abcdef";
  const Outcome mixed =
      kit.Run("merge " + kit.out("0") + " " + kit.folder().File("other.json", other.dump()));
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.out, HasSubstr("the digests of the profiles is"));
}

TEST(Kit, MergeRefusesWhatDoesNotBelongTogether) {
  const TempFolder folder;
  const std::string out = folder.path() + "/";
  RunTool(Healthy() + "--suite smoke --shard 0/2 --report " + out + "a");
  RunTool(Healthy() + "--suite smoke --shard 1/2 --seed 2 --report " + out + "seed");
  RunTool("--suite smoke --shard 1/2 --report " + out + "plugin --plugin-dir " + kPlugins +
          "wrong_value");
  Json other = Json::parse(ReadText(out + "a/results.json"));
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
  const Json report = Json::parse(ReadText(out + "/results.json"));
  ASSERT_EQ(report["reproductions"].size(), 1u);
  const std::string name = report["reproductions"].begin().key();
  const std::string command = report["reproductions"][name];
  // The fault shows beyond 2048 elements: less than the 4112 of the case.
  const std::string prefix = "npukit conform ";
  ASSERT_TRUE(command.starts_with(prefix)) << command;
  const Json again = RunJson(command.substr(prefix.size()), 1);
  ASSERT_EQ(again["cases"].size(), 1u);
  EXPECT_EQ(again["cases"][0]["result"], "failed");
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
  const Json report = RunJson(
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
  const Json report = RunJson(suites + "--claims " + path, 0);
  EXPECT_EQ(report["verdict"], "conformant");
  const Json own = RunJson(suites, 0);
  EXPECT_EQ(report["summary"]["skipped"], own["summary"]["skipped"]);
}

const std::string kLibraries = std::string(NPUKIT_BUILD_DIR) + "/lib";

bool HasAcme() { return std::filesystem::exists(kLibraries + "/libLiteRtDispatch_AcmeCorp.so"); }

std::string Acme(const std::string& suite) {
  return "--plugin-dir " + kLibraries + " --plugin AcmeCorp --suite " + suite + " ";
}

// One that lies beside the plugin needs no option. AcmeCorp's cycles are a simulator's: the same
// everywhere, so that none may be gained, and none lost unseen.
TEST(Kit, AcmeCorpTakesTheCyclesThatAreRecorded) {
  if (!HasAcme()) GTEST_SKIP() << "no plugin that reports cycles is built";
  const Json report = RunJson(Acme("performance"), 0);
  size_t measured = 0;
  for (const Json& result : report["cases"]) {
    const std::string name = result["name"];
    const std::string check = "/performance.cycles_repeatable";
    if (!name.ends_with(check) || result["result"] != "passed") continue;
    ++measured;
    const Json held =
        ResultOf(report, name.substr(0, name.size() - check.size()) + "/performance.baseline");
    const std::string advice =
        ": if this is meant, npukit conform --plugin-dir build/lib "
        "--record-baseline reference_plugin/AcmeCorp.baseline.json";
    ASSERT_FALSE(held.is_null()) << name << " has no recorded cycles" << advice;
    EXPECT_EQ(held["numbers"]["cycles"], held["numbers"]["baseline_cycles"]) << name << advice;
  }
  EXPECT_GE(measured, 16u);
  const Json recorded = Json::parse(ReadText(kLibraries + "/AcmeCorp.baseline.json"));
  EXPECT_EQ(recorded["allowed_growth"], 0);
  EXPECT_EQ(recorded["exact"], true);
  const std::string all = RunTool("--plugin-dir " + kLibraries + " --plugin AcmeCorp --list").out;
  EXPECT_GT(recorded["cases"].size(), 1000u);
  for (const auto& [name, costs] : recorded["cases"].items())
    EXPECT_THAT(all, HasSubstr(name + "/")) << "is recorded, and is no case any more";
}

// On a chip with few banks of memory engines wait for them, which they never do on the default one.
TEST(Kit, AcmeCorpTakesTheCyclesThatAreRecordedOfASmallChip) {
  if (!HasAcme()) GTEST_SKIP() << "no plugin that reports cycles is built";
  const std::string source = NPUKIT_SOURCE_DIR;
  const std::string run =
      Acme("performance") + "--soc-file " + source + "/simulator/hw/soc/acme_a0.yaml ";
  const std::string path = source + "/reference_plugin/AcmeCorp.acme_a0.baseline.json";
  const Json report = RunJson(run + "--baseline " + path, 0);
  const Json recorded = Json::parse(ReadText(path));
  EXPECT_EQ(recorded["exact"], true);
  for (const auto& [name, costs] : recorded["cases"].items()) {
    EXPECT_EQ(ResultOf(report, name + "/performance.baseline")["result"], "passed")
        << name << ": if this is meant, npukit conform --plugin-dir build/lib --suite performance "
        << "--soc-file simulator/hw/soc/acme_a0.yaml --baseline FILE --record-baseline FILE, of "
        << path;
  }
}

TEST(Kit, CyclesAreHeldAgainstABaseline) {
  if (!HasAcme()) GTEST_SKIP() << "no plugin that reports cycles is built";
  const TempFolder folder;
  const std::string acme = Acme("performance") + "--filter /ADD_ ";
  const std::string path = folder.path() + "/baseline.json";
  ASSERT_EQ(RunTool(acme + "--record-baseline " + path).code, 0);
  Json baseline = Json::parse(ReadText(path));
  ASSERT_EQ(baseline["cases"].size(), 8u);
  EXPECT_EQ(baseline["exact"], true);  // as the one beside the plugin
  const std::string out = folder.path() + "/out";
  const Json same = RunJson(acme + "--baseline " + path + " --report " + out, 0);
  const std::string name = baseline["cases"].begin().key();
  EXPECT_EQ(ResultOf(same, name + "/performance.baseline")["result"], "passed");
  EXPECT_THAT(ReadText(out + "/index.html"),
              HasSubstr("<table id=cycles><tr><th>case<th>cycles<th>baseline"));
  const auto cycles = baseline["cases"][name]["cycles"].get<double>();
  baseline["cases"][name]["cycles"] = cycles / 1.01;
  const Json slower = RunJson(acme + "--baseline " + folder.File("a.json", baseline.dump()), 1);
  EXPECT_EQ(ResultOf(slower, name + "/performance.baseline")["result"], "failed");
  // An expected failure like any other.
  const std::string claims =
      ReadText(kLibraries + "/AcmeCorp.claims.yaml") +
      fmt::format("\nexpected_failures:\n  - {{case: '{}/performance.baseline', reason: x}}\n",
                  name);
  const Json expected = RunJson(acme + "--baseline " + folder.path() + "/a.json --claims " +
                                    folder.File("expected.yaml", claims),
                                0);
  EXPECT_EQ(ResultOf(expected, name + "/performance.baseline")["result"], "expected_failure");
  baseline["allowed_growth"] = 0.02;
  baseline["exact"] = false;
  const std::string allowed = folder.File("b.json", baseline.dump());
  RunJson(acme + "--baseline " + allowed + " --record-baseline " + allowed, 0);
  EXPECT_EQ(Json::parse(ReadText(allowed))["allowed_growth"], 0.02);
  EXPECT_EQ(Json::parse(ReadText(allowed))["exact"], false);
  EXPECT_EQ(RunTool(acme + "--baseline " + folder.File("c.json", "{\"baseline\": 2}")).code, 2);
}

// On a terminal alone; `script` stands for one.
TEST(Kit, TheVerdictHasAColour) {
  if (RunTool("", " >/dev/null 2>&1", "script -qec true /dev/null </dev/null").code != 0)
    GTEST_SKIP() << "script makes no terminal: it is not there, or there is no /dev/pts";
  const auto judged = [](const std::string& variables, const std::string& plugin) {
    const std::string command =
        kTool + " --suite smoke --filter 'ADD_f.*numerics' --plugin-dir " + kPlugins + plugin;
    return RunTool(
               "", "",
               fmt::format("env -u NO_COLOR TERM=xterm {} script -qec \"{}\" /dev/null </dev/null",
                           variables, command))
        .out;
  };
  EXPECT_THAT(judged("", "healthy"), HasSubstr("\n\033[1;32mMimic: conformant ("));
  EXPECT_THAT(judged("", "wrong_value"), HasSubstr("\n\033[1;31mMimic: not conformant ("));
  EXPECT_THAT(judged("NO_COLOR=1", "healthy"), HasSubstr("\nMimic: conformant ("));
}

}  // namespace
}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tool as its users run it: a process, exit codes, files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "conformance/runner/worker_setup.h"

namespace npukit::conformance {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTool = std::string(NPUKIT_BUILD_DIR) + "/bin/npukit-conform";
const std::string kPlugins = std::string(NPUKIT_BUILD_DIR) + "/faulty_plugins/";

struct Outcome {
  int code = -1;
  std::string out;  // standard output and standard error
};

Outcome RunTool(const std::string& arguments, const std::string& redirect = " 2>&1") {
  FILE* pipe = popen((kTool + " " + arguments + redirect).c_str(), "r");
  Outcome outcome;
  std::array<char, 4096> chunk;
  size_t got = 0;
  while ((got = fread(chunk.data(), 1, chunk.size(), pipe)) > 0)
    outcome.out.append(chunk.data(), got);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

json RunJson(const std::string& arguments, int expected_code) {
  const Outcome outcome = RunTool(arguments + " --json", " 2>/dev/null");
  EXPECT_EQ(outcome.code, expected_code) << arguments << "\n" << outcome.out.substr(0, 2000);
  return json::parse(outcome.out, nullptr, false);
}

std::string Healthy() { return "--plugin-dir " + kPlugins + "healthy "; }

// A folder of this test's own, gone with it.
class TempFolder {
 public:
  TempFolder() {
    path_ =
        std::filesystem::temp_directory_path() / ("npukit_kit_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  std::string File(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string ReadText(const std::string& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(Kit, TheHealthyPluginIsConformant) {
  const json report = RunJson(Healthy(), 0);
  EXPECT_EQ(report["verdict"], "conformant");
  EXPECT_EQ(report["summary"]["failed"], 0);
  EXPECT_GE(report["summary"]["passed"], 1000);
  EXPECT_EQ(report["manufacturer"], "Mimic");
  std::set<std::string> names;
  for (const json& result : report["cases"]) {
    EXPECT_TRUE(names.insert(result["name"]).second) << result["name"];
    EXPECT_FALSE(result["result"] == "skipped" && result["detail"].get<std::string>().empty());
  }
}

TEST(Kit, EveryPlantedFaultIsFound) {
  if (HasSanitizer())
    GTEST_SKIP() << "heap growth and memory limits can't be seen under a sanitizer";
  const json report = RunJson("mutation-report", 0);
  ASSERT_GE(report["plugins"].size(), 40u);
  for (const json& plugin : report["plugins"]) {
    EXPECT_TRUE(plugin["found"]) << plugin["name"];
    EXPECT_EQ(plugin["found_by"], plugin["expected"]) << plugin["name"] << ": " << plugin["detail"];
  }
  EXPECT_EQ(report["healthy"]["verdict"], "conformant");
}

TEST(Kit, ShardsAddUpToTheWhole) {
  auto names = [](const std::string& shard) {
    std::set<std::string> set;
    std::istringstream lines(RunTool("--list --suite smoke " + shard).out);
    for (std::string line; std::getline(lines, line);) set.insert(line);
    return set;
  };
  const std::set<std::string> whole = names("");
  ASSERT_GT(whole.size(), 50u);
  for (const char* first_and_second : {"0/2 1/2", "1/2 2/2"}) {
    std::istringstream shards(first_and_second);
    std::string first;
    std::string second;
    shards >> first >> second;
    std::set<std::string> joined = names("--shard " + first);
    EXPECT_LT(joined.size(), whole.size());
    for (const std::string& name : names("--shard " + second))
      EXPECT_TRUE(joined.insert(name).second) << name;
    EXPECT_EQ(joined, whole);
  }
  setenv("TEST_TOTAL_SHARDS", "3", 1);
  setenv("TEST_SHARD_INDEX", "0", 1);
  EXPECT_LT(names("").size(), whole.size() / 2);
  unsetenv("TEST_TOTAL_SHARDS");
  unsetenv("TEST_SHARD_INDEX");
}

TEST(Kit, ExitCodes) {
  const TempFolder folder;
  const std::string bad_suite =
      folder.File("bad.yaml", "suite: s\ncases:\n  - {name: a, clases: abi}\n");
  const std::string bad_claims =
      folder.File("bad.claims.yaml", "claims: 1\nmanufacturer: Mimic\nsocs: 3\nops: []\n");
  struct Row {
    std::string arguments;
    int code;
    std::string message;
  };
  const Row rows[] = {
      {"--help", 0, "Exit codes"},
      {"--no-such-flag", 2, "no-such-flag"},
      {"", 2, "--plugin-dir is required"},
      {Healthy() + "--suite no_such_suite", 2, "no suite 'no_such_suite'; known are abi"},
      {Healthy() + "--suite " + bad_suite, 2, "bad.yaml:3:15: unknown key 'clases'"},
      {Healthy() + "--suite smoke --claims " + bad_claims, 2,
       "bad.claims.yaml:3:7: expected a list, found '3'"},
      {Healthy() + "--suite smoke --claims /no/such/file", 2, "/no/such/file: can't be read"},
      {Healthy() + "--suite smoke --filter '('", 2, "not a regular expression"},
      {Healthy() + "--suite smoke --filter nothing_matches", 2, "the filter leaves no case"},
      {Healthy() + "--suite smoke --shard 5", 2, "expected i/n"},
      {Healthy() + "--suite smoke --shard 3/2", 2, "expected i/n"},
      {Healthy() + "--suite smoke --model /no/such.tflite", 2, "/no/such.tflite: no such file"},
      {"--suite smoke --plugin-dir /no/such/folder", 3, "/no/such/folder"},
      {"--suite smoke --plugin-dir " + folder.path(), 3, "no compiler plugin"},
      {"--suite smoke --plugin-dir " + kPlugins + "wrong_value", 1, "not conformant"},
      {"--suite smoke --plugin-dir " + kPlugins, 2, "several compiler plugins"},
  };
  for (const Row& row : rows) {
    const Outcome outcome = RunTool(row.arguments);
    EXPECT_EQ(outcome.code, row.code) << row.arguments << "\n" << outcome.out.substr(0, 1000);
    EXPECT_THAT(outcome.out, HasSubstr(row.message)) << row.arguments;
  }
}

TEST(Kit, APluginThatIsNoLibraryIsNotLoaded) {
  const TempFolder folder;
  folder.File("libLiteRtCompilerPlugin_Text.so", "not a library");
  const Outcome outcome = RunTool("--suite smoke --plugin-dir " + folder.path());
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("libLiteRtCompilerPlugin_Text.so"));
}

TEST(Kit, WritesReports) {
  const TempFolder folder;
  const Outcome outcome = RunTool("--suite smoke --report " + folder.path() + "/out --plugin-dir " +
                                  kPlugins + "wrong_value");
  EXPECT_EQ(outcome.code, 1);
  const json report = json::parse(ReadText(folder.path() + "/out/results.json"), nullptr, false);
  EXPECT_EQ(report["verdict"], "not conformant");
  EXPECT_THAT(ReadText(folder.path() + "/out/junit.xml"), HasSubstr("<failure type=\"check\""));
  EXPECT_THAT(outcome.out, HasSubstr("to see it again: npukit conform --plugin-dir"));
}

TEST(Kit, CrashesAreNamedByTheFunctionThatRan) {
  if (HasSanitizer()) GTEST_SKIP() << "the sanitizer ends the process itself";
  const Outcome outcome = RunTool("--suite smoke --plugin-dir " + kPlugins + "crashes_in_compile");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("SIGSEGV in LiteRtCompilerPluginCompile"));
  EXPECT_THAT(outcome.out, HasSubstr("libLiteRtCompilerPlugin_Mimic.so"));  // in the stack
}

TEST(Kit, ExpectedFailuresCountAndSurprisePassesFail) {
  const TempFolder folder;
  const std::string claims = ReadText(kPlugins + "healthy/Mimic.claims.yaml") +
                             "expected_failures:\n  - {case: "
                             "'smoke/.*int8.*/(numerics|dispatch|model)\\..*', reason: x}\n";
  const std::string path = folder.File("expected.yaml", claims);
  const json wrong = RunJson("--suite smoke --filter int8.*numerics.oracle --claims " + path +
                                 " --plugin-dir " + kPlugins + "saturates_early --max-failures 0",
                             1);
  const json healthy =
      RunJson(Healthy() + "--suite smoke --filter int8.*numerics.oracle --claims " + path, 1);
  EXPECT_EQ(healthy["verdict"], "not conformant");
  for (const json& result : healthy["cases"]) {
    EXPECT_EQ(result["result"], "failed");
    EXPECT_EQ(result["cause"], "surprise_pass");
  }
  EXPECT_GT(wrong["summary"]["expected_failures"], 0);
}

TEST(Kit, AClaimWithoutACaseFails) {
  const TempFolder folder;
  const std::string claims =
      ReadText(kPlugins + "healthy/Mimic.claims.yaml") + "  - {op: RANK, types: [float32]}\n";
  const json report = RunJson(Healthy() + "--claims " + folder.File("more.yaml", claims), 1);
  bool found = false;
  for (const json& result : report["cases"]) {
    if (result["name"] != "claims/RANK float32") continue;
    found = true;
    EXPECT_EQ(result["result"], "failed");
    EXPECT_THAT(result["detail"].get<std::string>(), HasSubstr("more.yaml:"));
  }
  EXPECT_TRUE(found);
}

TEST(Kit, AnInterruptedRunStillReports) {
  const TempFolder folder;
  const pid_t pid = fork();
  if (pid == 0) {
    FILE* out = freopen((folder.path() + "/out.json").c_str(), "w", stdout);
    (void)out;
    const std::string dir = kPlugins + "hangs_in_invoke";
    execl(kTool.c_str(), kTool.c_str(), "--plugin-dir", dir.c_str(), "--suite", "dispatch",
          "--jobs", "2", "--timeout", "600", "--json", nullptr);
    _exit(99);
  }
  // Once it has a child it takes interrupts; without one it would not end, since the plugin hangs.
  const std::string children =
      "/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children";
  while (ReadText(children).empty()) sched_yield();
  kill(pid, SIGINT);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const json report = json::parse(ReadText(folder.path() + "/out.json"), nullptr, false);
  ASSERT_FALSE(report.is_discarded());
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_GT(report["summary"]["not_run"], 0);
}

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
      {out + "plugin", "the digest of the dispatch library is"},
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
  EXPECT_EQ(RunTool(Healthy() + "--claims /no/such/file --propose-claims " + path).code, 0);
  const json report = RunJson(Healthy() + "--claims " + path, 0);
  EXPECT_EQ(report["verdict"], "conformant");
  const json own = RunJson(Healthy(), 0);
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

TEST(Kit, RunsAModelFile) {
  const std::string model = std::string(NPUKIT_SHARED_DIR) + "/models/ad01_int8.tflite";
  if (!std::filesystem::exists(model)) GTEST_SKIP() << "the shared models are not there: " << model;
  const json report =
      RunJson(Healthy() + "--suite abi --model " + model + " --filter '^model/'", 0);
  EXPECT_EQ(report["verdict"], "conformant");
}

}  // namespace
}  // namespace npukit::conformance

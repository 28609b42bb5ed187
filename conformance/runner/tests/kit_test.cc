// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tool as its users run it: a process, exit codes, files.

#include <fmt/format.h>
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
#include <set>
#include <sstream>
#include <string>

#include "conformance/runner/process/worker_setup.h"
#include "conformance/runner/testing/kit_tool.h"
#include "conformance/spec/graph/networks.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Workers are forked, which with a sanitizer's shadow memory takes ten times as long: there a part
// of the results must do.
TEST(Kit, TheHealthyPluginIsConformant) {
  const size_t shards = HasSanitizer() ? 16 : 1;
  const Json report = RunJson(fmt::format("{} --shard 0/{}", Healthy(), shards), 0);
  EXPECT_EQ(report["verdict"], "conformant");
  EXPECT_EQ(report["summary"]["failed"], 0);
  EXPECT_GE(report["summary"]["passed"].get<size_t>(), 1000 / shards);
  EXPECT_EQ(report["manufacturer"], "Mimic");
  std::set<std::string> names;
  for (const Json& result : report["cases"]) {
    EXPECT_TRUE(names.insert(result["name"]).second) << result["name"];
    EXPECT_FALSE(result["result"] == "skipped" && result["detail"].get<std::string>().empty());
  }
}

TEST(Kit, EveryPlantedFaultIsFound) {
  if (HasSanitizer())
    GTEST_SKIP() << "heap growth and memory limits can't be seen under a sanitizer";
  // All of them; the healthy plugin was judged above.
  const Json report = RunJson("mutation-report --filter .", 0);
  ASSERT_GE(report["plugins"].size(), 40u);
  for (const Json& plugin : report["plugins"]) {
    EXPECT_TRUE(plugin["found"].get<bool>()) << plugin["name"];
    EXPECT_EQ(plugin["found_by"], plugin["expected"]) << plugin["name"] << ": " << plugin["detail"];
  }
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
      {"--timeout -1", 2, "--timeout: expected a number above 0, found '-1'"},
      {"--jobs 0", 2, "--jobs: Value 0 not in range 1 to 1024"},
      {"merge", 2, "results is required"},
      {"", 2, "--plugin-dir is required"},
      {Healthy() + "--suite smoke --op-package-dir /no/such", 3,
       "--op-package-dir: /no/such is not a folder"},
      {Healthy() + "--suite no_such_suite", 2, "no suite 'no_such_suite'; known are abi"},
      {Healthy() + "--suite " + bad_suite, 2, "bad.yaml:3:15: unknown key 'clases'"},
      {Healthy() + "--suite smoke --claims " + bad_claims, 2,
       "bad.claims.yaml:3:7: expected a list, found '3'"},
      {Healthy() + "--suite smoke --claims /no/such/file", 2, "/no/such/file: can't be read"},
      {Healthy() + "--suite smoke --filter '('", 2, "not a regular expression"},
      {Healthy() + "--suite smoke --filter nothing_matches", 2, "the filter leaves no case"},
      {Healthy() + "--suite smoke --shard 5", 2, "expected i/n"},
      {Healthy() + "--suite smoke --shard 3/2", 2, "expected i/n"},
      {Healthy() + "--suite smoke --claims " + folder.File("a.yaml", "claims: [1\nops: }\n"), 2,
       "a.yaml:2:4: "},
      {Healthy() + "--suite smoke --claims " + folder.File("b.yaml", "claims: 1\n\tops: []\n"), 2,
       "b.yaml:2:1: "},
      {Healthy() + "--suite smoke --claims " +
           folder.File("c.yaml",
                       "claims: 1\nmanufacturer: Mimic\nsocs: []\nops:\n  - {op: ADD, "
                       "types: [flaot32]}\n"),
       2, "c.yaml:5:23: "},
      {Healthy() + "--suite " + folder.File("deep.yaml", std::string(100000, '[')), 2,
       "deep.yaml:"},
      {Healthy() + "--suite smoke --model " + folder.File("empty.tflite", ""), 3, "empty.tflite"},
      {Healthy() + "--suite smoke --model " +
           folder.File("text.tflite", "no model at all, but long"),
       3, "text.tflite"},
      {Healthy() + "--suite " +
           folder.File("m.yaml",
                       "suite: m\ncases:\n  - {name: a, checks: [numerics.oracle], "
                       "model: text.tflite}\n"),
       3, "text.tflite"},
      {"--suite smoke --plugin-dir /no/such/folder", 3, "/no/such/folder"},
      {"--suite smoke --plugin-dir " + folder.path(), 3, "no compiler plugin"},
      {"--suite smoke --plugin-dir " + kPlugins + "wrong_value", 1, "not conformant"},
      {"--suite smoke --plugin-dir '" + kPlugins + "**'", 2, "several compiler plugins"},
  };
  for (const Row& row : rows) {
    const Outcome outcome = RunTool(row.arguments);
    EXPECT_EQ(outcome.code, row.code) << row.arguments << "\n" << outcome.out.substr(0, 1000);
    EXPECT_THAT(outcome.out, HasSubstr(row.message)) << row.arguments;
  }
}

// Model files are read before anything runs: what can't be read is named, whatever is wrong with
// it.
TEST(Kit, DamagedModelsEndWithAnAnswer) {
  const TempFolder folder;
  const auto model = BuildNetwork("elementwise_float32");
  ASSERT_TRUE(model);
  const auto bytes = SerializeModel(**model);
  ASSERT_TRUE(bytes) << bytes.Error().Message();
  const std::string whole(bytes->begin(), bytes->end());
  auto run = [&](const std::string& text, const std::string& what) {
    const std::string path = folder.File("damaged.tflite", text);
    const Outcome outcome = RunTool(Healthy() + "--suite " +
                                    folder.File("s.yaml",
                                                "suite: s\ncases:\n  - {name: a, checks: "
                                                "[partition.selection], model: damaged.tflite}\n"));
    EXPECT_THAT(outcome.code, ::testing::AnyOf(0, 1, 3)) << what << "\n"
                                                         << outcome.out.substr(0, 500);
    if (outcome.code == 3) {
      EXPECT_THAT(outcome.out, HasSubstr(path)) << what;
    }
    return outcome.code;
  };
  EXPECT_EQ(run(whole, "whole"), 0);
  for (size_t part = 0; part < 8; ++part) {
    const size_t length = whole.size() * part / 8;
    EXPECT_EQ(run(whole.substr(0, length), fmt::format("cut at {}", length)), 3);
  }
  for (size_t step = 0; step < 24; ++step) {
    const size_t at = step * 7 % whole.size();
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    run(damaged, fmt::format("byte {}", at));
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
  const Json report = Json::parse(ReadText(folder.path() + "/out/results.json"));
  EXPECT_EQ(report["verdict"], "not conformant");
  EXPECT_THAT(ReadText(folder.path() + "/out/junit.xml"), HasSubstr("<failure type=\"check\""));
  EXPECT_THAT(outcome.out, HasSubstr("to see it again: npukit conform --plugin-dir"));
}

// Of a crash every report has the signal, the vendor's function that was called, and the names of
// the plugin's own functions, which it does not export.
TEST(Kit, CrashesAreReportedWithSignalAndStack) {
  if (HasSanitizer()) GTEST_SKIP() << "the sanitizer ends the process itself";
  struct Row {
    const char* plugin;
    const char* result;
    const char* message;
    const char* frame;
  };
  const Row rows[] = {
      {"crashes_in_compile", "compile.calls", "SIGSEGV in LiteRtCompilerPluginCompile",
       "Crash()+0x"},
      {"overflows_stack", "compile.calls", "SIGSEGV in LiteRtCompilerPluginCompile",
       "CallItself(char volatile*)+0x"},
      {"aborts_in_partition", "partition.selection", "SIGABRT in LiteRtCompilerPluginPartition",
       "LiteRtCompilerPluginPartition"},
      {"crashes_in_invoke", "dispatch.invoke", "SIGSEGV in ", "libLiteRtDispatch_Mimic.so("},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.plugin);
    const TempFolder folder;
    const Outcome outcome = RunTool("--suite smoke --no-minimize --filter FULLY_CONNECTED.*/" +
                                    std::string(row.result) + " --report " + folder.path() +
                                    " --plugin-dir " + kPlugins + row.plugin);
    EXPECT_EQ(outcome.code, 1);
    const Json report = Json::parse(ReadText(folder.path() + "/results.json"));
    ASSERT_EQ(report["cases"].size(), 1u);
    const std::string stack = report["cases"][0]["stack"];
    EXPECT_THAT(stack, HasSubstr(row.frame));
    EXPECT_THAT(report["cases"][0]["detail"], HasSubstr(row.message));
    EXPECT_EQ(report["cases"][0]["cause"], "crash");
    for (const std::string& text : {outcome.out, ReadText(folder.path() + "/junit.xml"),
                                    ReadText(folder.path() + "/index.html")}) {
      EXPECT_THAT(text, HasSubstr(row.message));
      EXPECT_THAT(text, HasSubstr(row.frame));
    }
  }
}

TEST(Kit, ExpectedFailuresCountAndSurprisePassesFail) {
  const TempFolder folder;
  const std::string claims = ReadText(kPlugins + "healthy/Mimic.claims.yaml") +
                             "expected_failures:\n  - {case: "
                             "'smoke/.*int8.*/(numerics|dispatch|model)\\..*', reason: x}\n";
  const std::string path = folder.File("expected.yaml", claims);
  const Json wrong = RunJson("--suite smoke --filter int8.*numerics.oracle --claims " + path +
                                 " --plugin-dir " + kPlugins + "saturates_early --max-failures 0",
                             1);
  const Json healthy =
      RunJson(Healthy() + "--suite smoke --filter int8.*numerics.oracle --claims " + path, 1);
  EXPECT_EQ(healthy["verdict"], "not conformant");
  for (const Json& result : healthy["cases"]) {
    EXPECT_EQ(result["result"], "failed");
    EXPECT_EQ(result["cause"], "surprise_pass");
  }
  EXPECT_GT(wrong["summary"]["expected_failures"], 0);
}

TEST(Kit, AClaimWithoutACaseFails) {
  const SmallKit kit;
  const std::string claims =
      ReadText(kPlugins + "healthy/Mimic.claims.yaml") + "  - {op: RANK, types: [float32]}\n";
  const Json report =
      kit.RunForJson(Healthy() + "--claims " + kit.folder().File("more.yaml", claims), 1);
  bool found = false;
  for (const Json& result : report["cases"]) {
    if (result["name"] != "claims/RANK float32") continue;
    found = true;
    EXPECT_EQ(result["result"], "failed");
    EXPECT_THAT(result["detail"].get<std::string>(), HasSubstr("more.yaml:"));
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(kit.RunForJson(Healthy(), 0)["verdict"], "conformant");
}

// A run of a plugin that hangs, so that it would not end by itself, with its reports in `folder`/out;
// it has workers already.
pid_t StartRunThatHangs(const std::string& folder) {
  const pid_t pid = fork();
  if (pid == 0) {
    FILE* terminal = freopen((folder + "/terminal.txt").c_str(), "w", stdout);
    (void)terminal;
    const std::string dir = kPlugins + "hangs_in_invoke";
    const std::string out = folder + "/out";
    execl(kTool.c_str(), kTool.c_str(), "--plugin-dir", dir.c_str(), "--suite", "dispatch",
          "--jobs", "2", "--timeout", "600", "--report", out.c_str(), nullptr);
    _exit(99);
  }
  const std::string children = fmt::format("/proc/{}/task/{}/children", pid, pid);
  while (ReadText(children).empty()) sched_yield();
  return pid;
}

class Interrupted : public ::testing::TestWithParam<int> {};

TEST_P(Interrupted, TheRunStillReports) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out";
  const pid_t pid = StartRunThatHangs(folder.path());
  kill(pid, GetParam());
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const Json report = Json::parse(ReadText(out + "/results.json"));
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_GT(report["summary"]["not_run"], 0);
  // Complete: every result of the plan, in all reports.
  std::istringstream plan(RunTool("--list --suite dispatch").out);
  size_t planned = 0;
  const std::string junit = ReadText(out + "/junit.xml");
  const std::string html = ReadText(out + "/index.html");
  for (std::string name; std::getline(plan, name); ++planned) {
    EXPECT_EQ(report["cases"][planned]["name"], name);
    EXPECT_THAT(html, HasSubstr(name));
  }
  EXPECT_EQ(report["cases"].size(), planned);
  EXPECT_THAT(junit, HasSubstr("</testsuites>"));
  EXPECT_THAT(html, HasSubstr("</html>"));
  EXPECT_THAT(ReadText(folder.path() + "/terminal.txt"), HasSubstr("Mimic: "));
}

INSTANTIATE_TEST_SUITE_P(Kit, Interrupted, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto& info) {
                           return std::string(info.param == SIGINT ? "ByCtrlC" : "BySigterm");
                         });

TEST(Kit, AKilledRunLeavesNoOlderReport) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out";
  ASSERT_EQ(RunTool(Healthy() + "--suite smoke --report " + out).code, 0);
  ASSERT_THAT(ReadText(out + "/results.json"), HasSubstr("\"verdict\": \"conformant\""));
  const pid_t pid = StartRunThatHangs(folder.path());
  // The name of the plugin is asked for in a worker, too, before the run begins.
  while (std::filesystem::exists(out + "/index.html")) sched_yield();
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  EXPECT_TRUE(std::filesystem::is_empty(out));
}

// The process that judges; the one that was started only waits for it.
pid_t RunnerOf(pid_t kit) {
  return static_cast<pid_t>(
      std::stol("0" + ReadText(fmt::format("/proc/{}/task/{}/children", kit, kit))));
}

TEST(Kit, AKilledRunnerLeavesAnIncompleteReport) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out";
  ASSERT_EQ(RunTool(Healthy() + "--suite smoke --report " + out).code, 0);
  const pid_t kit = StartRunThatHangs(folder.path());
  while (std::filesystem::exists(out + "/index.html")) sched_yield();
  kill(RunnerOf(kit), SIGKILL);
  int status = 0;
  waitpid(kit, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const Json report = Json::parse(ReadText(out + "/results.json"));
  EXPECT_EQ(report["verdict"], "incomplete");
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_EQ(report["cases"][0]["detail"], "lost: the kit's runner was ended by SIGKILL");
}

TEST(Kit, ReportsSayWhatIsNotIsolated) {
  const std::string smoke = Healthy() + "--suite smoke --filter ADD ";
  EXPECT_EQ(RunJson(smoke, 0)["isolation_gaps"], Json::array());
  const Json one_process = RunJson(smoke + "--no-isolation", 0);
  ASSERT_EQ(one_process["isolation_gaps"].size(), 1u);
  EXPECT_THAT(one_process["isolation_gaps"][0].get<std::string>(), HasSubstr("--no-isolation"));
}

TEST(Kit, HangsInOneCallEndTheRun) {
  struct Row {
    const char* plugin;
    const char* call;
  };
  for (const Row& row : {Row{"hangs_in_create", "LiteRtCreateCompilerPlugin"},
                         Row{"hangs_in_compile", "LiteRtCompilerPluginCompile"}}) {
    SCOPED_TRACE(row.plugin);
    const Json report =
        RunJson("--suite smoke --timeout 1 --jobs 2 --plugin-dir " + kPlugins + row.plugin, 1);
    EXPECT_EQ(report["verdict"], "not conformant");
    EXPECT_GE(report["summary"]["failed"].get<size_t>(), 5u);
    // With those that ran beside the fifth.
    EXPECT_LE(report["summary"]["failed"].get<size_t>(), 7u);
    const std::string why = fmt::format("not run: 5 results before it were a hang in {}", row.call);
    size_t not_run = 0;
    for (const Json& result : report["cases"]) not_run += result["detail"] == why;
    EXPECT_EQ(report["summary"]["not_run"].get<size_t>(), not_run);
    EXPECT_GT(not_run, 0u);
  }
}

}  // namespace
}  // namespace npukit::conformance

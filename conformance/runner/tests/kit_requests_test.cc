// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a command line asks for, and what becomes of a run's files.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "conformance/runner/testing/kit_tool.h"
#include "conformance/spec/graph/networks.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit::conformance {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace fs = std::filesystem;

TEST(KitRequests, APluginThatIsQueriedAloneIsJudged) {
  const Json report = RunJson("--suite abi --plugin-dir " + kPlugins + "query_only", 0);
  EXPECT_EQ(report["verdict"], "conformant");
  EXPECT_EQ(report["manufacturer"], "Mimic");
}

TEST(KitRequests, WhatOnlyQueriedLibrariesHaveIsAsked) {
  for (const std::string check : {"hooks", "own_memory", "async_swap"}) {
    const Json report = RunJson(
        "--suite smoke --filter dispatch." + check + " --plugin-dir " + kPlugins + "query_only", 0);
    ASSERT_THAT(report["cases"], Not(IsEmpty()));
    for (const Json& result : report["cases"]) EXPECT_EQ(result["result"], "passed") << result;
  }
  const Json graphs = RunJson(
      "--filter two_partitions.*dispatch.edge_buffers --plugin-dir " + kPlugins + "query_only", 0);
  EXPECT_GT(graphs["summary"]["passed"], 0);
}

TEST(KitRequests, WithoutASocNoneIsAsked) {
  const TempFolder folder;
  std::string claims = ReadText(kPlugins + "healthy/Mimic.claims.yaml");
  claims.replace(claims.find("[m1, m2]"), 8, "[]");
  const Json report = RunJson(
      Healthy() + "--suite state --filter each_soc --claims " + folder.File("no_soc.yaml", claims),
      1);
  ASSERT_THAT(report["cases"], Not(IsEmpty()));
  for (const Json& result : report["cases"]) EXPECT_EQ(result["result"], "skipped") << result;
}

TEST(KitRequests, CompileSpecsAreSaidAndNoSubmission) {
  const TempFolder folder;
  const std::string chip = folder.File("chip.txt", "any");
  const std::string packages = " --op-package-dir " + folder.path();
  const std::string run = "--suite smoke --soc-file " + chip + packages;
  const std::string out = folder.path() + "/out";
  const Json report = RunJson(Healthy() + run + " --observations --report " + out, 0);
  EXPECT_EQ(report["specs"], Json({"soc_file=" + chip}));
  EXPECT_EQ(report["baseline"], "");
  EXPECT_THAT(report["command"].get<std::string>(),
              AllOf(HasSubstr("--soc-file " + chip), HasSubstr(packages)));
  EXPECT_THAT(RunTool(Healthy() + run).out, HasSubstr("with compile specs: soc_file=" + chip));
  const Outcome packaged = RunTool("package " + out + " -o " + folder.path() + "/out.tar");
  EXPECT_EQ(packaged.code, 2);
  EXPECT_THAT(packaged.out, HasSubstr("the run had compile specs"));
}

TEST(KitRequests, SpecsThatThePluginCannotUseAreWrongUsage) {
  const TempFolder folder;
  const struct {
    std::string spec;
    const char* says;
  } kRows[] = {{"--spec level", "--spec 'level': there is no '='"},
               {"--spec level=1", "--spec 'level=1': "},
               {"--spec Mimic:level=1", "a run judges one plugin"},
               {"--spec '#0:level=1'", "a run judges one plugin"},
               {"--spec soc_file=" + folder.path() + "/none", "kLiteRtStatusErrorFileIO"},
               {"--soc-file " + folder.path() + "/none", "is not a file that can be read"}};
  for (const auto& row : kRows) {
    const Outcome outcome = RunTool(Healthy() + "--suite smoke " + row.spec);
    EXPECT_EQ(outcome.code, 2) << row.spec;
    EXPECT_THAT(outcome.out, HasSubstr(row.says)) << row.spec;
  }
}

// An op that transformations replace is taken if what stands for it then is: ABS becomes NEG and MAXIMUM.
TEST(KitRequests, WhatTransformationsReplaceIsSelected) {
  const TempFolder folder;
  const struct {
    const char* op;
    int code;
    const char* detail;
  } kRows[] = {
      {"ABS, types: [float32]", 0, ""},
      {"ABS, types: [int8]", 1, "op 0 ABS, now op 0 NEG, was selected, but is not claimed: "}};
  for (const auto& row : kRows) {
    const std::string claims =
        fmt::format("claims: 1\nmanufacturer: Rewriting\nsocs: [r1]\nops: [{{op: {}}}]\n", row.op);
    const Json report = RunJson(
        fmt::format("--plugin-dir {}/test_plugins/rewriting_vendor --claims {} --suite core "
                    "--filter ABS_float32_7/partition.selection",
                    NPUKIT_BUILD_DIR, folder.File("claims.yaml", claims)),
        row.code);
    ASSERT_EQ(report["cases"].size(), 1U);
    EXPECT_THAT(report["cases"][0]["detail"].get<std::string>(), HasSubstr(row.detail)) << row.op;
    EXPECT_EQ(report["cases"][0]["result"], row.code == 0 ? "passed" : "failed") << row.op;
  }
}

TEST(KitRequests, WhatCannotBeAskedIsRefused) {
  struct Row {
    std::string arguments;
    int code;
    std::string message;
  };
  const std::string path = std::string(NPUKIT_SOURCE_DIR) + "/conformance/suites/smoke.yaml";
  const TempFolder folder;
  const std::string promising = folder.File(
      "nope.yaml", "claims: 1\nmanufacturer: Mimic\nsocs: []\nops: []\nprofiles: [nope]\n");
  const Row rows[] = {
      {"--list --suite smoke --suite smoke", 2, "the suite 'smoke' is given twice"},
      {"--list --suite smoke --suite " + path, 2, "the suite 'smoke' is given twice"},
      {"--list --suite claimed", 2, "give --claims or --plugin-dir"},
      {"--list --suite core --profile int8-dense", 2, "--profile and --suite exclude each other"},
      {"--list --suite " + std::string(300, 'x'), 2, "no suite 'xxx"},
      {Healthy() + "--suite smoke --model " + std::string(300, 'x'), 3, "xxx"},
      {Healthy() + "--suite smoke --model /no/such.tflite", 3, "/no/such.tflite"},
      {"--list --suite smok", 2, "no suite 'smok'; known are abi, "},
      {"--list --profile nope", 2, "no profile 'nope'; known are "},
      {"--list --suite smoke --filter nosuchcase", 2, "the filter leaves no case"},
      {"--list --suite smoke --shard 5/2", 2, "--shard: expected i/n, found '5/2'"},
      {Healthy() + "--suite smoke --plugin Nobody", 2, "no compiler plugin \"Nobody\" among:"},
      {Healthy() + "--suite smoke --device bogus:", 2, "no such kind of device"},
      {Healthy() + "--suite smoke --device-dir /nowhere", 2, "--device-dir requires --device"},
      {Healthy() + "--suite smoke --claims /nowhere.yaml", 2, "/nowhere.yaml: can't be read"},
      {"mutation-report --filter nosuchfault", 2,
       "--filter: no faulty plugin's name has 'nosuchfault' in it"},
      {"mutation-report --plugins-dir /nowhere", 2,
       "/nowhere/healthy/Mimic.claims.yaml: can't be read"},
      {Healthy() + "--suite smoke --max-failures -1", 2,
       "--max-failures: expected a whole number from 0 on, found '-1'"},
      {Healthy() + "--suite smoke --seed -1", 2,
       "--seed: expected a whole number from 0 on, found '-1'"},
      {Healthy() + "--suite smoke --claims " + promising, 2,
       promising + ":5:12: no profile 'nope'; known are "},
      {"--list --suite smoke --report /nowhere", 2, "excludes --"},
      {"--list --suite smoke --json", 2, "excludes --"},
      {Healthy() + "--propose-claims - --record-baseline /nowhere", 2, "excludes --"},
      {Healthy() + "--propose-claims - --list", 2, "excludes --"},
      {"merge " + std::string(300, 'x'), 2, "can't be read"},
      {"freeze " + std::string(300, 'x'), 2, "no profiles in"},
  };
  for (const Row& row : rows) {
    const Outcome outcome = RunTool(row.arguments);
    EXPECT_EQ(outcome.code, row.code) << row.arguments << "\n" << outcome.out.substr(0, 1000);
    EXPECT_THAT(outcome.out, HasSubstr(row.message)) << row.arguments;
  }
}

// The runs would take long: what is wrong with a file is said before.
TEST(KitRequests, FilesAreReadBeforeTheRun) {
  const TempFolder folder;
  const std::string bad = folder.File("bad.json", "{\"baseline\": 2}");
  const std::string out = folder.path() + "/out";
  for (const std::string& option : {"--baseline " + bad, "--compare " + bad}) {
    const Outcome outcome = RunTool(Healthy() + "--suite smoke --report " + out + " " + option);
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_FALSE(fs::exists(out)) << option;
  }
  // Where a baseline can't be written the run is not lost.
  const Outcome unwritten = RunTool(Healthy() + "--suite smoke --report " + out +
                                    " --record-baseline /no/such/folder/baseline.json");
  EXPECT_EQ(unwritten.code, 2);
  EXPECT_EQ(Json::parse(ReadText(out + "/results.json"))["verdict"], "conformant");
}

std::string ModelFile(const TempFolder& folder, const std::string& name, bool is_claimed) {
  ModelBuilder builder;
  Tensor* x = builder.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* y = builder.Value("y", kLiteRtElementTypeFloat32, {4});
  if (is_claimed) {
    builder.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
  } else {
    builder.AddOp(kLiteRtOpCodeTflNeg, {x}, {y});
  }
  builder.Output(y);
  const auto model = builder.Build();
  const std::string path = folder.path() + "/" + name;
  fs::create_directories(fs::path(path).parent_path());
  EXPECT_TRUE(model && SaveModel(**model, path));
  return path;
}

TEST(KitRequests, ModelsOfOneNameAreTold) {
  const TempFolder folder;
  const std::string models = fmt::format(
      "--suite abi --model {} --model {} --model '{}'", ModelFile(folder, "a/net.tflite", true),
      ModelFile(folder, "b/net.tflite", true), ModelFile(folder, "the net (2).tflite", true));
  const Json report = RunJson(Healthy() + models, 0);
  std::set<std::string> names;
  for (const Json& result : report["cases"]) {
    const std::string name = result["name"];
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  for (const char* name : {"model/net/", "model/net_2/", "model/the_net__2_/"})
    EXPECT_TRUE(names.contains(std::string(name) + "model.ahead_of_time")) << name;
}

// Which of a model's results a shard has is chance: all of them together tell.
TEST(KitRequests, NamedModelsAreJudgedAsAWhole) {
  const TempFolder folder;
  for (const bool is_claimed : {true, false}) {
    SCOPED_TRACE(is_claimed);
    const std::string model =
        ModelFile(folder, fmt::format("claimed_{}.tflite", is_claimed), is_claimed);
    const std::string run = Healthy() + "--suite abi --no-minimize --model " + model + " ";
    std::string shards;
    for (int shard = 0; shard < 3; ++shard) {
      const std::string out = fmt::format("{}/out_{}_{}", folder.path(), is_claimed, shard);
      EXPECT_EQ(RunTool(fmt::format("{}--shard {}/3 --report {}", run, shard, out)).code, 0);
      shards += " " + out;
    }
    const Json merged = RunJson("merge" + shards, is_claimed ? 0 : 1);
    size_t not_judged = 0;
    for (const Json& result : merged["cases"]) not_judged += result["check"] == "model.judged";
    EXPECT_EQ(not_judged, is_claimed ? 0u : 1u);
  }
}

TEST(KitRequests, MergedShardsOfAProfileHaveItsVerdict) {
  const SmallKit kit;
  // Nothing fails; but SOFTMAX, which the profile asks, is not claimed.
  std::string shards;
  for (int shard = 0; shard < 2; ++shard) {
    const std::string out = kit.out(fmt::format("{}", shard));
    kit.Run(fmt::format("{}--profile soft --shard {}/2 --report {}", Healthy(), shard, out));
    shards += " " + out;
  }
  const Json merged = kit.RunForJson("merge" + shards, 1);
  EXPECT_EQ(merged["verdict"], "conformant");
  EXPECT_EQ(merged["profile"], "soft");
  EXPECT_EQ(merged["filter"], "");
}

TEST(KitRequests, EnoughFailuresAreNoInterrupt) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out";
  RunTool("--suite smoke --max-failures 1 --jobs 1 --report " + out + " --plugin-dir " + kPlugins +
          "wrong_value");
  const Json report = Json::parse(ReadText(out + "/results.json"));
  EXPECT_EQ(report["interrupted"], false);
  EXPECT_GT(report["summary"]["not_run"], 0);
  EXPECT_EQ(report["reproductions"].size(), 1u);
}

// Mimic's claims, MUL of int8 apart and rounded as said.
std::string ClaimsOfRounding(const TempFolder& folder, const std::string& rounding) {
  std::string text =
      ReadText(std::string(NPUKIT_SOURCE_DIR) + "/conformance/faulty_plugins/Mimic.claims.yaml");
  const std::string all = "  - op: [ADD, SUB, MUL]\n    types: [float32, int8]\n";
  const size_t at = text.find(all);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, all.size(),
               "  - op: [ADD, SUB]\n    types: [float32, int8]\n"
               "  - {op: MUL, types: [float32]}\n"
               "  - {op: MUL, types: [int8], rounding: " +
                   rounding + "}\n");
  return folder.File(rounding + ".claims.yaml", text);
}

TEST(KitRequests, WhatIsClaimedToRoundOnceMay) {
  const TempFolder folder;
  const auto judge = [&](const std::string& plugin, const std::string& rounding, int code) {
    return RunJson(fmt::format("--plugin-dir {}{} --claims {} --suite options --filter "
                               "'MUL_int8_(NONE|equal)/numerics.oracle'",
                               kPlugins, plugin, ClaimsOfRounding(folder, rounding)),
                   code);
  };
  const Json rounded = judge("mul_rounds_once", "once", 0);
  EXPECT_EQ(rounded["verdict"], "conformant");
  EXPECT_GT(rounded["summary"]["rounded_once"], 0);
  judge("mul_rounds_once", "twice", 1);
  // Who rounds as TFLite does may claim it as well; and nothing else is forgiven.
  EXPECT_EQ(judge("healthy", "once", 0)["summary"]["rounded_once"], 0);
  judge("truncates_negatives", "once", 1);
  judge("ignores_zero_point", "once", 1);
}

// A case's values are asked in the worker that was asked for its selection. What fails there alone is
// no pass.
TEST(KitRequests, AFailureThatIsNotSeenAgainStands) {
  const std::string plugin = " --plugin-dir " + kPlugins + "selects_at_first --max-failures 0";
  const std::string smoke = "--suite smoke --filter FULLY_CONNECTED_int8.*/";
  const Json alone = RunJson(smoke + "numerics.oracle" + plugin, 0);
  EXPECT_EQ(alone["cases"][0]["result"], "passed");
  const Json shared = RunJson(smoke + "'(partition.selection|numerics.oracle)'" + plugin, 1);
  ASSERT_EQ(shared["cases"].size(), 2u);
  EXPECT_EQ(shared["cases"][0]["result"], "passed");
  EXPECT_EQ(shared["cases"][1]["result"], "failed");
  EXPECT_THAT(shared["cases"][1]["detail"],
              HasSubstr("selects nothing, although it claims ops of this model "
                        "(after smoke/FULLY_CONNECTED_int8_16x8/partition.selection in one "
                        "process; alone it passed)"));
}

}  // namespace
}  // namespace npukit::conformance

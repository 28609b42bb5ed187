// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit reduce as users run it, on plugins with planted faults: what is left is what the fault needs.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;

constexpr LiteRtElementType kFloat = kLiteRtElementTypeFloat32;

std::string PluginWith(const std::string& fault) {
  return " --plugin-dir " NPUKIT_BUILD_DIR "/faulty_plugins/" + fault;
}

// Twelve ops of which the sixth subtracts; the last reads the first.
std::string SaveChain(int32_t width = 8) {
  ModelBuilder m;
  Tensor* x = m.Input("x", kFloat, {1, width});
  Tensor* k = m.Constant<float>("k", {1}, {0.5f});
  Tensor* first = nullptr;
  Tensor* last = x;
  for (int i = 0; i < 12; ++i) {
    Tensor* next = m.Value(fmt::format("t{}", i), kFloat, {1, width});
    if (i == 5) {
      m.AddOp(kLiteRtOpCodeTflSub, {last, x}, {next});
    } else if (i == 11) {
      m.AddOp(kLiteRtOpCodeTflAdd, {last, first}, {next});
    } else if (i % 2 == 0) {
      m.AddOp(kLiteRtOpCodeTflAdd, {last, k}, {next});
    } else {
      m.AddOp(kLiteRtOpCodeTflMul, {last, k}, {next});
    }
    if (i == 0) first = next;
    last = next;
  }
  m.Output(last);
  m.AddSignature("serving_default");
  const std::string path = TestFolder() + "chain.tflite";
  EXPECT_TRUE(SaveModel(*m.BuildUnchecked(), path));
  return path;
}

// The wrong values go into an op of the CPU: no output of the model leaves the NPU.
TEST(Reduce, FindsDifferencesInsideAModel) {
  ModelBuilder m;
  Tensor* x = m.Input("x", kFloat, {1, 8});
  Tensor* y = m.Input("y", kFloat, {1, 8});
  Tensor* difference = m.Value("difference", kFloat, {1, 8});
  Tensor* sign = m.Value("sign", kFloat, {1, 8});
  m.AddOp(kLiteRtOpCodeTflSub, {x, y}, {difference});
  m.AddOp(kLiteRtOpCodeTflSign, {difference}, {sign});
  m.Output(sign);
  m.AddSignature("serving_default");
  const std::string path = TestFolder() + "inside.tflite";
  ASSERT_TRUE(SaveModel(*m.BuildUnchecked(), path));
  const VerbResult result = RunVerb("reduce " + path + PluginWith("swaps_operands") +
                                    " --while differs --json -o " + TestFolder() + "inside");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_EQ(result.json()["ops"][0]["op"], "SUB");
}

// The command that a result names, "npukit run ...", as RunVerb takes it.
VerbResult RunCommand(const Json& result) {
  return RunVerb(result["command"].get<std::string>().substr(std::string("npukit ").size()));
}

TEST(Reduce, LeavesWhatTheFaultNeeds) {
  struct Case {
    const char* fault;
    const char* arguments;
    size_t ops;
    const char* op;    // of the first that is left; empty: any
    int command_code;  // of the command that shows it; -1: not run
  };
  const Case cases[] = {
      {"swaps_operands", " --while differs", 1, "SUB", 1},
      {"swaps_operands", "", 1, "SUB", 1},
      {"crashes_in_invoke", " --while crashes", 1, "", -1},
      {"crashes_in_compile", "", 1, "", -1},
      {"hangs_in_compile", " --while hangs --timeout 1", 1, "", -1},
      {"deep_networks_nan", " --while differs", 9, "", 1},
      {"healthy", " --while slower-than 1ns", 1, "", 0},
  };
  for (const Case& c : cases) {
    const std::string folder = TestFolder() + c.fault;
    const VerbResult result = RunVerb("reduce " + SaveChain() + PluginWith(c.fault) + c.arguments +
                                      " --json -o " + folder);
    ASSERT_EQ(result.exit_code, 0) << c.fault << result.error;
    const Json json = result.json();
    EXPECT_EQ(json["ops_before"], 12);
    EXPECT_EQ(json["ops_after"], c.ops) << c.fault << result.out;
    if (*c.op != 0) {
      EXPECT_EQ(json["ops"][0]["op"], c.op);
    }
    const auto model = LoadModel(json["output"].get<std::string>());
    ASSERT_TRUE(model) << model.Error();
    EXPECT_EQ((*model)->main_subgraph().ops().size(), c.ops);
    EXPECT_EQ((*model)->main_subgraph().inputs.size(), json["inputs"].size());
    if (c.command_code >= 0) {
      EXPECT_EQ(RunCommand(json).exit_code, c.command_code) << c.fault;
    }
  }
}

TEST(Reduce, MakesShapesSmaller) {
  const VerbResult result =
      RunVerb("reduce " + SaveChain(20'000) + PluginWith("declines_large") +
              " --while compile-fails --json -o " + TestFolder() + "small.tflite");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const Json json = result.json();
  EXPECT_EQ(json["ops_after"], 1);
  EXPECT_EQ(json["output"], TestFolder() + "small.tflite");
  EXPECT_EQ(RunCommand(json).exit_code, 1);
  // The fault begins somewhere below; one step smaller it is not there any more.
  const auto model = LoadModel(TestFolder() + "small.tflite");
  ASSERT_TRUE(model);
  EXPECT_LT((*model)->main_subgraph().inputs[0]->shape.back(), 20'000);
}

TEST(Reduce, GoesOnWhereItWas) {
  const std::string command = "reduce " + SaveChain() + PluginWith("swaps_operands") +
                              " --while differs --json -o " + TestFolder() + "again";
  const VerbResult part = RunVerb(command + " --max-trials 3");
  EXPECT_EQ(part.exit_code, 0) << part.error;
  EXPECT_THAT(part.error, HasSubstr("--max-trials"));
  const VerbResult first = RunVerb(command);
  ASSERT_EQ(first.exit_code, 0) << first.error;
  EXPECT_EQ(first.json()["remembered_trials"], 3);
  EXPECT_GT(first.json()["trials"], 0);
  const VerbResult second = RunVerb(command);
  ASSERT_EQ(second.exit_code, 0) << second.error;
  EXPECT_EQ(second.json()["trials"], 0);
  EXPECT_EQ(second.json()["ops"], first.json()["ops"]);
  // Another question, another reduction.
  const VerbResult other = RunVerb(command + " --seed 9");
  EXPECT_EQ(other.json()["remembered_trials"], 0);
}

TEST(Reduce, CanBeInterrupted) {
  const std::string folder = TestFolder() + "out";
  const std::string command = "timeout -s INT 3 " NPUKIT_BUILD_DIR "/bin/npukit-reduce " +
                              SaveChain() + PluginWith("hangs_in_compile") +
                              " --while hangs --timeout 2 -o " + folder + " >" + TestFolder() +
                              "stdout 2>" + TestFolder() + "stderr";
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_THAT(ReadTextFile(TestFolder() + "stderr"), HasSubstr("interrupted"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/model.tflite"));
}

TEST(Reduce, SaysWhatIsWrong) {
  const std::string model = SaveChain();
  struct Case {
    std::string arguments;
    int exit_code;
    const char* message;
  };
  const Case cases[] = {
      {model, 2, "--plugin-dir"},
      {model + PluginWith("healthy") + " --while wrong", 2, "--while 'wrong'"},
      {model + PluginWith("healthy"), 1, "nothing is wrong"},
      {model + PluginWith("healthy") + " --while crashes", 1, "does not show 'crashes'"},
      {model + PluginWith("swaps_operands") + " --while differs --message elsewhere", 1,
       "found: differs"},
      {model + PluginWith("healthy") + " --signature none", 2, "no signature 'none'"},
      {model + PluginWith("healthy") + " --resize none=1,2", 2,
       "there is no input 'none' to resize"},
      {model + PluginWith("healthy") + " --spec none=1 --while differs", 2,
       "no plugin knows the compile spec 'none'"},
      {model + PluginWith("healthy") + " --plugin none", 2, "no plugin named \"none\""},
      {"/nonexistent.tflite" + PluginWith("healthy"), 3, "/nonexistent.tflite"},
      {model + " --plugin-dir /nonexistent", 3, "/nonexistent"},
      {model + " --plugin-dir " + TestFolder(), 3, "no compiler plugin"},
      {model + " --while crashes --plugin-dir " + TestFolder(), 3, "no compiler plugin"},
      {model + PluginWith("healthy") + " --soc nope", 2, "no SoC model \"nope\""},
      {model + PluginWith("healthy") + " --soc nope --while compile-fails", 2, "no SoC model"},
  };
  for (const Case& c : cases) {
    const VerbResult result = RunVerb("reduce " + c.arguments + " -o " + TestFolder() + "out");
    EXPECT_EQ(result.exit_code, c.exit_code) << c.arguments << result.error;
    EXPECT_THAT(result.error, HasSubstr(c.message)) << c.arguments;
  }
}

// Where the NPU's values leave the bounds, diff is a failure.
TEST(Diff, FailsBeyondTheBounds) {
  const std::string model = SaveChain();
  EXPECT_EQ(RunVerb("diff " + model + PluginWith("healthy")).exit_code, 0);
  for (const char* fault : {"swaps_operands", "wrong_value", "few_ulps_off"}) {
    const VerbResult result = RunVerb("diff " + model + PluginWith(fault) + " --json");
    EXPECT_EQ(result.exit_code, 1) << fault << result.error;
    EXPECT_THAT(result.error, HasSubstr("beyond the bounds")) << fault;
    EXPECT_GT(result.json()["beyond_bounds"], 0) << fault;
  }
}

}  // namespace
}  // namespace npukit

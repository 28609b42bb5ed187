// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// `npukit bench --sweep` with AcmeCorp's compiler and simulator, as a user calls it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/model/samples/language_model.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit {
namespace {

using Json = nlohmann::json;

using ::testing::HasSubstr;

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class AcmeSweep : public testing::Test {
 protected:
  struct Result {
    int exit_code = -1;
    std::string out;
    std::string error;
  };

  void SetUp() override {
    folder_ = testing::TempDir() + "npukit_sweep_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    ASSERT_TRUE(SaveModel(*Sample("gated_classifier_int8"), Path("model.tflite")));
    Write("grid.yaml",
          "base: acme_a1\naxes:\n  - {array.rows: [16, 32], array.cols: [16, 32]}\n"
          "  - {scratchpad.bytes: [131072, 1048576]}\n  - {dram.bytes_per_cycle: [4, 16]}\n");
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name)) << text;
  }
  Result Sweep(const std::string& arguments) const {
    const std::string command = NPUKIT_BUILD_DIR "/bin/npukit-bench " + Path("model.tflite") +
                                " --plugin-dir " + kPluginDir + " --sweep " + Path("grid.yaml") +
                                " " + arguments + " >" + Path("out") + " 2>" + Path("error");
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadText(Path("out")),
            ReadText(Path("error"))};
  }

  std::string folder_;
};

TEST_F(AcmeSweep, TimesEveryPointAndFindsTheFront) {
  const Result one = Sweep("--json");
  ASSERT_EQ(one.exit_code, 0) << one.error;
  const Json json = Json::parse(one.out);
  ASSERT_EQ(json["points"].size(), 8u);
  EXPECT_EQ(json["failed"], 0);
  for (const Json& point : json["points"]) {
    EXPECT_EQ(point["cpu_ops"], 0);
    EXPECT_GT(point["cycles"].get<double>(), 0);
    EXPECT_GE(point["cycles"].get<double>(), point["roofline_cycles"].get<double>());
  }
  // More bandwidth takes fewer cycles; each point is compiled anew, so a larger array does, too.
  const auto cycles = [&](size_t point) { return json["points"][point]["cycles"].get<double>(); };
  for (size_t point = 0; point < 8; point += 2) EXPECT_LT(cycles(point + 1), cycles(point));
  EXPECT_LT(cycles(7), cycles(3));
  // The cheapest is on the front whatever it takes, and so is the fastest.
  EXPECT_TRUE(json["points"][0]["front"].get<bool>());
  size_t fastest = 0;
  for (size_t point = 1; point < 8; ++point)
    fastest = cycles(point) < cycles(fastest) ? point : fastest;
  EXPECT_EQ(json["front"][0].get<size_t>(), fastest);
  // The point that is acme_a1 itself.
  const std::string bench = NPUKIT_BUILD_DIR "/bin/npukit-bench " + Path("model.tflite") +
                            " --plugin-dir " + kPluginDir + " --jit --runs 1 --json >" +
                            Path("bench");
  ASSERT_EQ(std::system(bench.c_str()), 0);
  EXPECT_EQ(Json::parse(ReadText(Path("bench")))["cycles"].get<double>(), cycles(7));
  EXPECT_EQ(Sweep("--json --jobs 3").out, one.out);
}

// As bench measures it: tokens at a position, caches in one buffer.
TEST_F(AcmeSweep, OfALanguageModelIsOfAPosition) {
  auto shape = *FindLanguageModel("toy_gemma_int8");
  shape.context = 256;
  shape.prefill = {};
  const auto model = BuildLanguageModel(shape);
  ASSERT_TRUE(model) << model.Error().Message();
  ASSERT_TRUE(SaveModel(**model, Path("model.tflite")));
  Write("grid.yaml", "base: acme_a1\naxes:\n  - {dram.bytes_per_cycle: [16]}\n");
  const auto cycles = [&](const std::string& position) {
    const Result result = Sweep("--signature decode --json " + position);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    return Json::parse(result.out)["points"][0]["cycles"].get<double>();
  };
  EXPECT_EQ(cycles(""), cycles("--position 255"));
  EXPECT_LT(cycles("--position 63"), cycles("--position 64"));
  const std::string bench =
      NPUKIT_BUILD_DIR "/bin/npukit-bench " + Path("model.tflite") + " --plugin-dir " + kPluginDir +
      " --signature decode --position 63 --jit --runs 1 --json >" + Path("bench");
  ASSERT_EQ(std::system(bench.c_str()), 0);
  const Json measured = Json::parse(ReadText(Path("bench")));
  const Json swept = Json::parse(Sweep("--signature decode --position 63 --json").out)["points"][0];
  EXPECT_EQ(swept["cycles"], measured["cycles"]);
  EXPECT_DOUBLE_EQ(swept["tokens_per_second"], measured["token"]["tokens_per_second"]);
  // What a file has of one step is not taken for another's.
  const std::string resumed = "--signature decode --resume --csv " + Path("steps.csv");
  EXPECT_EQ(Sweep(resumed + " --position 63").exit_code, 0);
  EXPECT_EQ(Sweep(resumed + " --position 63").exit_code, 0);
  const Result other = Sweep(resumed + " --position 64");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, HasSubstr("steps.csv:2: is of the position '63', not '64'"));
  const Result outside = Sweep("--signature decode --position 256");
  EXPECT_EQ(outside.exit_code, 2);
  EXPECT_THAT(outside.error, HasSubstr("within the 256 positions"));
}

TEST_F(AcmeSweep, ShardsAreMergedByPuttingFilesTogether) {
  ASSERT_EQ(Sweep("--csv " + Path("whole.csv")).exit_code, 0);
  std::string merged;
  for (const char* shard : {"0/3", "1/3", "2/3"}) {
    const Result result =
        Sweep(std::string("--shard ") + shard + " --jobs 2 --csv " + Path("shard.csv"));
    ASSERT_EQ(result.exit_code, 0) << result.error;
    merged += ReadText(Path("shard.csv"));
  }
  Write("merged.csv", merged);
  const Result resumed = Sweep("--csv " + Path("merged.csv") + " --resume --json");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_EQ(resumed.out, Sweep("--json").out);
  EXPECT_EQ(ReadText(Path("merged.csv")), ReadText(Path("whole.csv")));
  // A file of something else is not built upon.
  Write("merged.csv", "x,1\n");
  const Result wrong = Sweep("--csv " + Path("merged.csv") + " --resume");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.error, HasSubstr("merged.csv:1: "));
}

// As those that an interrupted sweep did not come to: a shard leaves the others' points alone.
TEST_F(AcmeSweep, WhatFailedAndIsNotRunAgainIsKept) {
  Write("grid.yaml", "base: acme_a1\naxes: [{dram.bytes_per_cycle: [4, 16]}]\n");
  const std::string head =
      "model,signature,position,point,dram.bytes_per_cycle,cycles,roofline_cycles,microseconds,"
      "tokens_per_second,utilisation,energy_pj,npu_ops,cpu_ops,error\n";
  const std::string second = Path("model.tflite") + ",,,1,16,,,,,,,0,0,no licence\n";
  Write("rows.csv", head + Path("model.tflite") + ",,,0,4,,,,,,,0,0,no licence\n" + second);
  const Result part = Sweep("--shard 0/2 --resume --json --csv " + Path("rows.csv"));
  EXPECT_EQ(part.exit_code, 1) << part.error;
  EXPECT_THAT(ReadText(Path("rows.csv")), HasSubstr(second));
  EXPECT_EQ(Json::parse(part.out)["failed"], 1);
  // Whoever resumes all runs it again.
  const Result all = Sweep("--resume --json --csv " + Path("rows.csv"));
  EXPECT_EQ(all.exit_code, 0) << all.error;
  EXPECT_THAT(ReadText(Path("rows.csv")), ::testing::Not(HasSubstr("no licence")));
}

TEST_F(AcmeSweep, AHostileGridIsWrongUsageAndSaysWhere) {
  struct Case {
    std::string grid, says;
  };
  for (const Case& c :
       {Case{"base: acme_a1\naxes:\n  - {array.rows: [32, 0]}\n", "grid.yaml:3:23: array.rows: 0"},
        Case{"base: acme_a1\naxes:\n  - {array.rowz: [32]}\n", "grid.yaml:3:19: array.rowz: 32"},
        Case{"base: acme_a9\naxes: [{array.rows: [32]}]\n", "base 'acme_a9'"},
        Case{"base: gone.yaml\naxes: [{array.rows: [32]}]\n", "gone.yaml"},
        Case{"base: acme_a1\naxes: [{array.rows: [3\n", "grid.yaml:3:1: "},
        Case{"", "grid.yaml:1:1: "}}) {
    Write("grid.yaml", c.grid);
    const Result result = Sweep("");
    EXPECT_EQ(result.exit_code, 2) << c.grid << result.error;
    EXPECT_THAT(result.error, HasSubstr(c.says));
  }
  std::filesystem::remove(Path("grid.yaml"));
  EXPECT_EQ(Sweep("").exit_code, 2);
}

TEST_F(AcmeSweep, WhatMakesNoSenseIsWrongUsage) {
  for (const char* flags : {"--shard 3/2", "--shard x", "--jobs 0", "--resume", "--soc acme_a0"})
    EXPECT_EQ(Sweep(flags).exit_code, 2) << flags;
  Write("model.tflite", "no model");
  EXPECT_EQ(Sweep("").exit_code, 3);
}

// A chip on which nothing fits leaves all to the CPU; the sweep goes on.
TEST_F(AcmeSweep, PointsThatAreTooSmallAreReported) {
  Write("grid.yaml", "base: acme_a1\naxes: [{scratchpad.bytes: [1024, 1048576]}]\n");
  const Result result = Sweep("--json");
  const Json json = Json::parse(result.out);
  ASSERT_EQ(json["points"].size(), 2u);
  EXPECT_GT(json["points"][0]["cpu_ops"].get<int>(), 0);
  EXPECT_EQ(json["front"], Json::array({1}));
}

}  // namespace
}  // namespace npukit

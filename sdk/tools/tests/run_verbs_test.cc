// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// run, bench and diff as users run them: fields, files, exit codes, messages. The NPU is the
// runtime's test device.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr LiteRtElementType kFloat = kLiteRtElementTypeFloat32;
const std::string kPlugins = NPUKIT_BUILD_DIR "/test_plugins";
const std::string kDevice = kPlugins + "/dispatch/healthy";

std::vector<float> ReadFloats(const std::string& path) {
  const std::string bytes = ReadTextFile(path);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

class RunVerbs : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("npukit_run_") +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  VerbResult Call(const std::string& command) const {
    const std::string line =
        NPUKIT_BUILD_DIR "/bin/npukit-" + command + " >" + Path("out") + " 2>" + Path("error");
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadTextFile(Path("out")),
            ReadTextFile(Path("error"))};
  }

  // y = x + x, dynamic in its first dimension; on the test device z = x * y too if `compiled`.
  std::string SaveModelFile(bool compiled) const {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {compiled ? 1 : -1, 2});
    Tensor* y = b.Value("y", kFloat, {compiled ? 1 : -1, 2});
    b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
    b.Output(y);
    if (compiled) {
      const std::string text = "TESTDEV 1\nfn f mul\n";
      Tensor* z = b.Value("z", kFloat, {1, 2});
      Op* op = b.AddCustomOp(kDispatchOpCustomCode, {}, {x, y}, {z});
      op->dispatch = DispatchInfo{
          .entry_point = "f",
          .bytecode = b.model().buffers().Add(
              SharedBytes::Copy({reinterpret_cast<const uint8_t*>(text.data()), text.size()}))};
      b.Output(z);
    }
    auto model = b.Build();
    EXPECT_TRUE(model) << model.Error();
    const std::string path = Path(compiled ? "compiled.tflite" : "plain.tflite");
    EXPECT_TRUE(SaveModel(**model, path));
    return path;
  }

  std::string SaveInput(const std::vector<float>& values,
                        const std::string& name = "in.bin") const {
    std::ofstream(Path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
    return Path(name);
  }

  std::filesystem::path folder_;
};

TEST_F(RunVerbs, RunWritesOutputsAndReports) {
  const VerbResult result = Call("run " + SaveModelFile(false) + " --in " + SaveInput({1, 2}) +
                                 " --out-prefix " + Path("out_") + " --json");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(ReadFloats(Path("out_0.bin")), ElementsAre(2, 4));
  const Json json = result.json();
  EXPECT_EQ(json["inputs"][0]["name"], "x");
  EXPECT_EQ(json["inputs"][0]["dtype"], "float32");
  EXPECT_EQ(json["inputs"][0]["shape"], Json({1, 2}));
  EXPECT_EQ(json["inputs"][0]["file"], Path("in.bin"));
  EXPECT_EQ(json["outputs"][0]["file"], Path("out_0.bin"));
  EXPECT_EQ(json["placement"]["npu_ops"], 0);
  EXPECT_EQ(json["placement"]["cpu_ops"], 1);
  EXPECT_EQ(json["placement"]["partitions"], 0);
}

TEST_F(RunVerbs, RunIsDeterministicBySeed) {
  const std::string model = SaveModelFile(false);
  for (const char* seed : {"5", "5", "6"}) {
    static int number = 0;
    ASSERT_EQ(Call("run " + model + " --seed " + seed + " --out-prefix " +
                   Path(fmt::format("s{}_", number++)))
                  .exit_code,
              0);
  }
  EXPECT_EQ(ReadTextFile(Path("s0_0.bin")), ReadTextFile(Path("s1_0.bin")));
  EXPECT_NE(ReadTextFile(Path("s0_0.bin")), ReadTextFile(Path("s2_0.bin")));
}

TEST_F(RunVerbs, RunResizes) {
  const VerbResult result = Call("run " + SaveModelFile(false) + " --resize x=2,2 --in " +
                                 SaveInput({1, 2, 3, 4}) + " --out-prefix " + Path("out_"));
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(ReadFloats(Path("out_0.bin")), ElementsAre(2, 4, 6, 8));
}

// A dynamic batch run at 0: nothing to compute is no error, and where something is one, it has a reason.
TEST_F(RunVerbs, ABatchOfNoneRuns) {
  const std::string model = SaveModelFile(false) + " --resize x=0,2 ";
  const std::string nothing = " --plugin-dir " + kPlugins + "/selects_nothing";
  for (const std::string& place : {std::string(), " --jit" + nothing}) {
    const VerbResult ran =
        Call("run " + model + place + " --stats --top 2 --json --out-prefix " + Path("none_"));
    ASSERT_EQ(ran.exit_code, 0) << place << ran.error;
    EXPECT_EQ(ran.json()["outputs"][0]["shape"], Json({0, 2}));
    EXPECT_TRUE(std::filesystem::exists(Path("none_0.bin")));
    EXPECT_EQ(std::filesystem::file_size(Path("none_0.bin")), 0u);
    EXPECT_EQ(Call("bench --runs 2 " + model + place).exit_code, 0);
  }
  const VerbResult differs = Call("diff " + model + nothing);
  EXPECT_EQ(differs.exit_code, 1);
  EXPECT_THAT(differs.error, HasSubstr("nothing to compare: "));
  EXPECT_THAT(differs.error, HasSubstr("selected no op of the model"));
}

// Only the dispatch library is left to hear of anything.
TEST_F(RunVerbs, WhatIsForCompilersIsWrongUsageOnACompiledModel) {
  const std::string folder = TestFolder() + "both";
  std::filesystem::create_directories(folder);
  for (const std::string& from : {kDevice, kPlugins + "/takes_specs"}) {
    for (const auto& file : std::filesystem::directory_iterator(from)) {
      if (file.path().extension() != ".so") continue;
      std::filesystem::remove(std::filesystem::path(folder) / file.path().filename());
      std::filesystem::create_symlink(file.path(),
                                      std::filesystem::path(folder) / file.path().filename());
    }
  }
  const std::string place = Path("place.yaml");
  std::ofstream(place) << "place:\n  - {op: 0, on: cpu}\n";
  const std::string compiled = " has no effect: the model is compiled already";
  const std::pair<std::string, std::string> cases[] = {
      {"--plugin takes_specs", "--plugin" + compiled},
      {"--placement " + place, "--placement" + compiled},
      {"--max-partitions 1", "--max-partitions" + compiled},
      {"--on-compile-failure split", "--on-compile-failure" + compiled},
      {"--fold-constants", "--fold-constants" + compiled},
      {"--soc nope", "no SoC model \"nope\": expected one of "},
      {"--spec unknown=1",
       "--spec 'unknown=1': the model is compiled already, and its dispatch library "
       "does not know the compile spec 'unknown'"},
      {"--spec '#0:k=1'", "does not know the compile spec 'k'"},
  };
  for (const std::string verb : {"run ", "bench --runs 1 "}) {
    const std::string command = verb + SaveModelFile(true) + " --plugin-dir " + folder + " ";
    for (const auto& [options, message] : cases) {
      const VerbResult result = Call(command + options);
      EXPECT_EQ(result.exit_code, 2) << options << "\n" << result.error;
      EXPECT_THAT(result.error, HasSubstr(message)) << options;
    }
    EXPECT_EQ(Call(command + "--spec k=1").exit_code, 0);
  }
}

TEST_F(RunVerbs, FoldersThatAreNotThereOrNotUsedAreTold) {
  const std::string model = SaveModelFile(false);
  const std::string plugins = " --plugin-dir " + kPlugins + "/selects_all";
  for (const std::string& verb :
       {"run " + model + " --jit", "bench " + model, "explain " + model, "diff " + model}) {
    const VerbResult packages = Call(verb + plugins + " --op-package-dir /nope");
    EXPECT_EQ(packages.exit_code, 3) << verb;
    EXPECT_THAT(packages.error, HasSubstr("--op-package-dir: /nope is not a folder")) << verb;
  }
  for (const std::string& verb : {"run " + model, "explain " + model, std::string("info")}) {
    const VerbResult local = Call(verb + plugins + " --device local: --device-dir /nope");
    EXPECT_EQ(local.exit_code, 2) << verb;
    EXPECT_THAT(local.error, HasSubstr("--device-dir needs a device: with --device local: "))
        << verb;
  }
}

TEST_F(RunVerbs, RunUsesTheDeviceAndWritesATrace) {
  const VerbResult result = Call("run " + SaveModelFile(true) + " --plugin-dir " + kDevice +
                                 " --in " + SaveInput({3, 4}) + " --out-prefix " + Path("out_") +
                                 " --trace " + Path("trace.json") + " --json");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(ReadFloats(Path("out_1.bin")), ElementsAre(18, 32));
  EXPECT_EQ(result.json()["placement"]["npu_ops"], 1);
  EXPECT_EQ(result.json()["placement"]["partitions"], 1);
  const Json trace = Json::parse(ReadTextFile(Path("trace.json")));
  ASSERT_TRUE(trace["traceEvents"].is_array());
  bool host_step = false;
  bool device_event = false;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    host_step |= event["pid"] == 1 && event["name"] == "DISPATCH_OP";
    device_event |= event["pid"] != 1 && event["name"] == "mul" && event["dur"] == 1.5;
  }
  EXPECT_TRUE(host_step);
  EXPECT_TRUE(device_event);
}

TEST_F(RunVerbs, RunSaysWhatIsWrong) {
  const std::string model = SaveModelFile(false);
  struct Case {
    std::string command;
    int exit_code;
    const char* message;
  };
  const Case cases[] = {
      {"run", 2, "MODEL"},
      {"run /nonexistent.tflite", 3, "/nonexistent.tflite"},
      {"run " + model + " --in " + SaveInput({1, 2, 3}, "long.bin"), 2,
       "expected 8 bytes, found 12"},
      {"run " + model + " --in /nonexistent.bin", 2, "/nonexistent.bin"},
      {"run " + model + " --in " + SaveInput({1, 2}) + " " + Path("in.bin"), 2,
       "has 1 input ('x' float32[1,2]), "},
      {"run " + model + " --resize x", 2, "--resize 'x'"},
      {"run " + model + " --resize nothing=1,2", 2,
       "there is no input 'nothing' to resize; there is 'x'["},
      {"bench " + model + " --resize nothing=1,2", 2,
       "there is no input 'nothing' to resize; there is 'x'["},
      {"diff " + model + " --resize nothing=1,2 --plugin-dir " + kPlugins + "/selects_all", 2,
       "there is no input 'nothing' to resize"},
      {"run " + model + " --signature s", 2, "there is no signature 's'; "},
      {"run " + model + " --device-dir " + kPlugins, 2, "--device-dir requires --device"},
      {"info --plugin-dir " + kPlugins + "/selects_all --device bogus:", 2,
       "no such kind of device; expected local:, exec:"},
      {"run " + model + " --threads 0", 2, "--threads"},
      {"run " + SaveModelFile(true), 3, "--plugin-dir"},
      {"run " + SaveModelFile(true) + " --plugin-dir /nonexistent", 3, "/nonexistent"},
      {"run " + model + " --plugin-dir /nonexistent", 3, "/nonexistent"},
      {"run " + model + " --plugin-dir /nonexistent --jit", 3, "/nonexistent"},
      {"bench " + model + " --plugin-dir /nonexistent", 3, "/nonexistent"},
      {"bench " + model + " --plugin-dir /nonexistent --jit", 3, "/nonexistent"},
      {"diff " + model + " --plugin-dir /nonexistent", 3, "/nonexistent"},
      {"explain " + model + " --plugin-dir /nonexistent", 3, "/nonexistent"},
      {"apply " + model + " -o " + Path("out.tflite") + " --plugin-dir /nonexistent", 3,
       "/nonexistent"},
      {"info --plugin-dir /nonexistent", 3, "/nonexistent"},
      {"run " + model + " --out-prefix /nonexistent/x", 1, "/nonexistent/x0.bin"},
      {"diff " + model, 2, "--plugin-dir"},
      {"bench " + model + " --sweep g.yaml --runs 3", 2, "--runs"},
      {"bench " + model + " --sweep g.yaml --require-npu=x", 2, "--require-npu=x: expected"},
      {"diff " + model + " --plugin-dir " + kDevice, 3, "no compiler plugin"},
      {"diff " + model + " --plugin-dir " + kPlugins + "/selects_nothing", 1, "selected no op"},
      {"diff " + model + " --plugin-dir " + kPlugins + "/fails_in_compile", 1,
       "nothing to compare"},
      {"diff " + model + " --plugin-dir " + kPlugins + "/selects_all", 3, "nothing to compare"},
      {"diff " + model + " --plugin-dir " + kPlugins + "/create_fails", 3, "nothing to compare"},
      {"apply " + model + " -o " + Path("out.tflite") + " --plugin-dir " + kPlugins +
           "/takes_specs --soc t1 --spec soc_model=t2",
       2, "--spec 'soc_model=t2': names the SoC model 't2', and 't1'"},
      {"bench " + model + " --runs 0", 2, "--runs"},
      {"bench " + model + " --position 3", 2, "--position"},
  };
  for (const Case& c : cases) {
    const VerbResult result = Call(c.command);
    EXPECT_EQ(result.exit_code, c.exit_code) << c.command;
    EXPECT_THAT(result.error, HasSubstr(c.message)) << c.command;
  }
}

// One line, and only where a plugin was named for nothing.
TEST_F(RunVerbs, APlainModelWithAPluginAndWithoutJitIsTold) {
  const std::string model = SaveModelFile(false);
  const std::string plugins = " --plugin-dir " + kPlugins + "/selects_all";
  for (const std::string verb : {"run ", "bench --runs 1 "}) {
    const VerbResult told = Call(verb + model + plugins + " --json");
    EXPECT_EQ(told.exit_code, 0);
    EXPECT_EQ(
        told.error,
        fmt::format("npukit {}: {} is not compiled and runs on the CPU; --jit compiles it for "
                    "the NPU\n",
                    verb.substr(0, verb.find(' ')), model));
    EXPECT_EQ(Call(verb + model + " --json").error, "");
    EXPECT_EQ(Call(verb + SaveModelFile(true) + " --plugin-dir " + kDevice + " --json").error, "");
    const VerbResult required = Call(verb + model + plugins + " --require-npu");
    EXPECT_EQ(required.exit_code, 1);
    EXPECT_THAT(required.error, ::testing::Not(HasSubstr("is not compiled and runs")));
  }
}

TEST_F(RunVerbs, AnUnusedPluginIsNeverSilent) {
  const std::string model = SaveModelFile(false);
  EXPECT_THAT(Call("run " + model + " --plugin-dir " + kDevice).out,
              AllOf(HasSubstr("all on the CPU"), HasSubstr("--jit")));
  EXPECT_THAT(Call("run " + model + " --jit --plugin-dir " + kPlugins + "/selects_nothing").out,
              HasSubstr("selected no op"));
}

// Where the NPU was asked for and does not run, the exit code says so.
TEST_F(RunVerbs, TheNpuIsRequiredWhereItIsAskedFor) {
  const std::string model = SaveModelFile(false);
  const std::string npu = SaveModelFile(true) + " --plugin-dir " + kDevice;
  const std::string in = " --plugin-dir " + kPlugins;
  struct Case {
    std::string arguments;
    int exit_code;
    const char* message;
  };
  const Case cases[] = {
      {model + " --jit --plugin-dir " + kDevice, 3, "no compiler plugin"},
      {model + " --jit" + in + "/create_fails", 3, "nothing runs on the NPU"},
      {model + " --jit" + in + "/fails_in_compile", 1, "nothing runs on the NPU"},
      {model + " --jit" + in + "/selects_all", 3, "nothing runs on the NPU"},
      {model + " --jit" + in + "/selects_nothing", 0, ""},
      {model + " --jit --require-npu" + in + "/selects_nothing", 1, "selected no op"},
      {"--require-npu " + model, 1, "--require-npu: 0 of "},
      {"--require-npu=0 " + model, 2, "above 0"},
      {"--require-npu=all " + model, 2, "--require-npu=all"},
      {"--require-npu " + npu, 0, ""},
      {"--require-npu=10 " + npu, 0, ""},
      {"--require-npu=100 " + npu, 1, "100% are required"},
      {"'--require-npu=ops 50' " + npu, 0, ""},
      {"--require-npu=ops 51 " + npu, 1, "1 of 2 ops run on the NPU (50.0%, 51% are required)"},
      {"--require-npu ops 51% " + npu, 1, "51% are required"},
      {"--require-npu 51 " + npu, 1, "51% are required"},
      {"--require-npu=ops:50 " + npu, 0, ""},
      {"--require-npu=macs " + npu, 0, ""},
      {"--require-npu=macs 90 " + npu, 0, ""},  // what is left on the CPU multiplies nothing
      {"--require-npu=macs " + model, 1, "0 of 0 MACs run on the NPU"},
      {"--require-npu=ops90 " + npu, 2, "--require-npu=ops90"},
      {"--require-npu=macs=101 " + npu, 2, "up to 100"},
      {model + " --soc-file " + model, 2, "--soc-file without --jit"},
      {model + " --soc t1" + in + "/selects_all", 2, "--soc without --jit"},
      {model + " --plugin selects_all" + in + "/selects_all", 2, "--plugin without --jit"},
      {model + " --spec k=v" + in + "/takes_specs", 2, "--spec without --jit"},
      {model + " --max-partitions 1" + in + "/selects_all", 2, "--max-partitions without --jit"},
      {model + " --jit --plugin nobody" + in + "/selects_all", 2,
       "no plugin named \"nobody\"; there is: selects_all"},
      {model + " --jit --plugin nobody" + in + "/create_fails", 3, "no plugin named \"nobody\""},
      {model + " --jit --soc t9" + in + "/selects_all", 2, "no SoC model \"t9\": expected one of"},
  };
  for (const char* verb : {"run ", "bench "}) {
    for (const Case& c : cases) {
      const VerbResult result = Call(verb + c.arguments);
      EXPECT_EQ(result.exit_code, c.exit_code) << verb << c.arguments << "\n" << result.error;
      EXPECT_THAT(result.error, HasSubstr(c.message)) << verb << c.arguments;
    }
  }
  const std::string apply =
      "apply " + model + " -o " + Path("not_made.tflite") + in + "/selects_nothing --require-npu";
  EXPECT_EQ(Call(apply).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(Path("not_made.tflite")));
}

TEST_F(RunVerbs, BenchReportsTheDevicesMetrics) {
  const VerbResult result =
      Call("bench " + SaveModelFile(true) + " --plugin-dir " + kDevice + " --runs 3 --json");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const Json json = result.json();
  EXPECT_EQ(json["soc"], "test_soc");
  EXPECT_EQ(json["cycles"], 100);
  EXPECT_EQ(json["macs"], 1000);
  EXPECT_EQ(json["npu_mac_fraction"], 1.0);
  EXPECT_EQ(json["utilisation"], 0.625);
  EXPECT_TRUE(json["energy_pj"].is_null());
  EXPECT_TRUE(json["roofline_cycles"].is_null());
  EXPECT_GT(json["host_ms"]["median"], 0.0);
  EXPECT_LE(json["host_ms"]["min"], json["host_ms"]["median"]);
  ASSERT_EQ(json["per_op"].size(), 2u);
  EXPECT_EQ(json["per_op"][0]["op"], "ADD");
  EXPECT_EQ(json["per_op"][1]["name"], "a/b");
  EXPECT_EQ(json["per_op"][1]["cycles"], 60);
}

}  // namespace
}  // namespace npukit

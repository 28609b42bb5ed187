// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a user asks the compiling verbs for by name, and is not there: exit code 2, and a sentence with what was asked for and what
// there is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;

const std::string kPlugins = NPUKIT_BUILD_DIR "/test_plugins";

// ADD of a tensor to itself.
std::string ModelPath() {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
  b.Output(y);
  auto model = b.Build();
  const std::string path = TestFolder() + "asked.tflite";
  EXPECT_TRUE(model && SaveModel(**model, path));
  return path;
}

TEST(WrongRequests, AreWrongUsageInEveryVerbThatCompiles) {
  const std::string place = TestFolder() + "place.yaml";
  std::ofstream(place) << "place:\n  - {partition: 7, on: cpu}\n";
  const std::string listed = TestFolder() + "listed.yaml";
  std::ofstream(listed) << "plugins: [takes_specs, nobody]\n";
  const std::string on_nobody = TestFolder() + "on_nobody.yaml";
  std::ofstream(on_nobody) << "place:\n  - {op: 0, on: nobody}\n";
  const std::string nobody = TestFolder() + "nobody.yaml";
  std::ofstream(nobody) << "specs:\n  - {key: k, value: v, plugin: nobody}\n";
  struct Case {
    std::string options;
    std::string message;
  };
  const Case cases[] = {
      {"--spec x=v", "--spec 'x=v': no plugin knows the compile spec 'x'"},
      {"--spec nobody:k=v",
       "--spec 'nobody:k=v': no plugin \"nobody\" takes part: expected one of takes_specs"},
      {"--spec '#9:k=v'", "--spec '#9:k=v': no partition 9: there "},
      {"--spec takes_specs:x=v", "--spec 'takes_specs:x=v': "},
      {"--spec x", "--spec 'x': there is no '='"},
      {"--spec k=@/nowhere", "/nowhere: No such file or directory"},
      {"--placement " + place, place + ":2:5: no partition 7: there "},
      {"--placement " + nobody, "no plugin named \"nobody\"; there is: takes_specs"},
      {"--placement " + nobody, nobody + ":2:32: "},
      {"--placement " + listed, listed + ":1:24: "},
      {"--placement " + on_nobody, on_nobody + ":2:17: "},
      {"--placement /nowhere.yaml", "/nowhere.yaml: No such file or directory"},
      {"--soc t9", "no SoC model \"t9\": expected one of "},
      {"--soc-file /nowhere", "--soc-file: /nowhere is not a file"},
      {"--plugin nobody", "no plugin named \"nobody\"; there is: takes_specs"},
      {"--on-compile-failure spli", "spli not in {fail,split}"},
      {"--device-dir /nowhere", "--device-dir requires --device"},
  };
  const std::string model = ModelPath();
  const std::string out = " -o " + TestFolder() + "refused.tflite ";
  for (const std::string& verb :
       {"apply " + model + out, "explain " + model + " ", "run " + model + " --jit ",
        "bench " + model + " --jit ", "diff " + model + " "}) {
    for (const Case& c : cases) {
      const VerbResult result =
          RunVerb(verb + c.options + " --plugin-dir " + kPlugins + "/takes_specs");
      EXPECT_EQ(result.exit_code, 2) << verb << c.options << "\n" << result.error;
      EXPECT_THAT(result.error, HasSubstr(c.message)) << verb << c.options;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(TestFolder() + "refused.tflite"));
}

TEST(WrongRequests, NumbersThatMakeNoSense) {
  const std::string model = ModelPath();
  const std::string whole = "expected a whole number from 0 on, found '-1'";
  const std::pair<std::string, std::string> cases[] = {
      {"run " + model + " --seed -1", "--seed: " + whole},
      {"bench " + model + " --seed -1", "--seed: " + whole},
      {"sample elementwise_float --seed -1 -o " + model, "--seed: " + whole},
      {"inspect " + model + " --op -1", "--op: " + whole},
      {"inspect " + model + " --op 0 --subgraph -1", "--subgraph: " + whole},
      {"compare a b --max-abs nan", "--max-abs: expected a number of at least 0, found 'nan'"},
      {"compare a b --max-abs -5", "--max-abs: expected a number of at least 0, found '-5'"},
      {"compare a b --max-rel -1", "--max-rel: expected a number of at least 0, found '-1'"},
  };
  for (const auto& [command, message] : cases) {
    const VerbResult result = RunVerb(command);
    EXPECT_EQ(result.exit_code, 2) << command << "\n" << result.error;
    EXPECT_THAT(result.error, HasSubstr(message)) << command;
  }
}

// What would be ignored in silence: options that say more of another one, which is not given.
TEST(WrongRequests, OptionsThatWouldDoNothing) {
  const std::string model = ModelPath();
  const std::string numbers = TestFolder() + "numbers.txt";
  std::ofstream(numbers) << "1 2 3 4\n";
  const std::pair<std::string, std::string> cases[] = {
      {"run " + model + " --mean 1", "--mean requires --in"},
      {"bench " + model + " --std 1", "--std requires --in"},
      {"diff " + model + " --mean 1", "--mean requires --in"},
      {"run " + model + " --resize-filter nearest", "--resize-filter requires --in"},
      {"run " + model + " --mean 1 --in " + numbers, "--mean: no file of --in is an image"},
      {"run " + model + " --std 1 --in " + numbers, "--std: no file of --in is an image"},
      {"run " + model + " --resize-filter nearest --in " + numbers,
       "--resize-filter: no file of --in is an image"},
      {"run " + model + " --out-format npy", "--out-format requires --out-prefix"},
      {"run " + model + " --labels x", "--labels requires --top"},
      {"run " + model + " --reset-state", "--reset-state requires --repeat"},
      {"generate " + model + " --prompt 1 --top-k 3", "--top-k requires --temperature"},
      {"inspect " + model + " --subgraph 1", "--subgraph requires --op"},
      {"inspect " + model + " --yaml --op 0", "excludes --"},
      {"inspect " + model + " --yaml --json", "excludes --"},
      {"compare " + numbers + " " + numbers + " --dtype int8",
       "--dtype: neither file is raw bytes"},
      {"compare " + numbers + " " + numbers + " --shape 4", "--shape: neither file is raw bytes"},
      {"sample -o " + model, "--output requires NAME"},
      {"sample --seed 7", "--seed requires NAME"},
      {"sample --layers 7", "NAME is missing: layers and the like are a language model's"},
      {"sample elementwise_float --json", "excludes "},
      {"man run -o " + TestFolder(), "excludes "},
      {"new contoso --list", "excludes "},
  };
  for (const auto& [command, message] : cases) {
    const VerbResult result = RunVerb(command);
    EXPECT_EQ(result.exit_code, 2) << command << "\n" << result.error;
    EXPECT_THAT(result.error, HasSubstr(message)) << command;
  }
}

TEST(WrongRequests, CompilingAtLoadNeedsAFolderOfPlugins) {
  const std::string model = ModelPath();
  const std::string wanted = "--plugin-dir is required (or --device-dir, with --compile-on-device)";
  const std::string language = TestFolder() + "language.tflite";
  ASSERT_EQ(RunVerb("sample toy_gemma --layers 1 -o " + language).exit_code, 0);
  for (const std::string& verb : {"run " + model + " --jit", "bench " + model + " --jit",
                                  "diff " + model, "apply " + model + " -o x", "explain " + model,
                                  "generate " + language + " --jit --prompt 1"}) {
    const VerbResult result = RunVerb(verb);
    EXPECT_EQ(result.exit_code, 2) << verb << "\n" << result.error;
    EXPECT_THAT(result.error, HasSubstr(wanted)) << verb;
  }
  const VerbResult beyond = RunVerb("generate " + language + " --prompt \"1 99999999\"");
  EXPECT_EQ(beyond.exit_code, 2) << beyond.error;
  EXPECT_THAT(beyond.error, HasSubstr("--prompt: token 99999999: expected 0 to 511"));
}

}  // namespace
}  // namespace npukit

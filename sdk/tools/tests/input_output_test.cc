// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What `npukit run` takes and gives, and `npukit compare`, as users call them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr LiteRtElementType kFloat = kLiteRtElementTypeFloat32;

std::string Write(const std::string& name, const std::string& content) {
  const std::string path = TestFolder() + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string FloatsText(std::initializer_list<float> values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), std::data(values), bytes.size());
  return bytes;
}

// d = x - y, of two floats each.
std::string Difference() {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1, 2});
  Tensor* y = b.Input("y", kFloat, {1, 2});
  Tensor* d = b.Value("d", kFloat, {1, 2});
  b.AddOp(kLiteRtOpCodeTflSub, SubOptions{}, {x, y}, {d});
  b.Output(d);
  auto model = b.Build();
  EXPECT_TRUE(model) << model.Error();
  const std::string path = TestFolder() + "difference.tflite";
  const auto saved = SaveModel(**model, path);
  EXPECT_TRUE(saved) << saved.Error();
  return path;
}

TEST(Inputs, HaveNamesAndKinds) {
  const std::string model = Difference();
  const std::string x = Write("x.txt", "10, 20\n");
  const std::string y = Write("y.bin", FloatsText({1, 2}));
  const std::string prefix = TestFolder() + "out_";
  const VerbResult run = RunVerb(
      fmt::format("run {} --in y={} {} --out-prefix {} --out-format npy --stats --top 1 --json",
                  model, y, x, prefix));
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const Json report = run.json();
  EXPECT_EQ(report["inputs"][0]["file"], x);
  EXPECT_EQ(report["inputs"][1]["file"], y);
  const Json& output = report["outputs"][0];
  EXPECT_EQ(output["file"], prefix + "0.npy");
  EXPECT_EQ(output["statistics"]["max"], 18);
  EXPECT_EQ(output["top"][0]["value"], 18);
  EXPECT_THAT(output["top"][0]["index"], ElementsAre(0, 1));
  const std::string expected = Write("expected.txt", "9 18");
  const VerbResult other = RunVerb(fmt::format("compare {} {}", expected, prefix + "0.npy"));
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.out, HasSubstr("other shapes"));
  // An array that a run wrote is an input again.
  const VerbResult again =
      RunVerb(fmt::format("run {} --in {} {} --stats --top 2 --labels {}", model, prefix + "0.npy",
                          y, Write("labels.txt", "cat\ndog\n")));
  ASSERT_EQ(again.exit_code, 0) << again.error;
  EXPECT_THAT(again.out, AllOf(HasSubstr("min 8, max 16, mean 12"), HasSubstr("16 at [0,1] dog"),
                               HasSubstr("8 at [0,0] cat")));
}

TEST(Inputs, ErrorsNameFileAndInput) {
  const std::string model = Difference();
  const std::string x = Write("x.txt", "10 20");
  struct {
    std::string arguments;
    std::vector<std::string> says;
  } const kCases[] = {
      {x, {"without a file is 'y' float32[1,2]"}},
      {"y=" + x, {"without a file is 'x' float32[1,2]"}},
      {x + " " + x + " " + x, {"one file too many"}},
      {"z=" + x + " " + x, {"no input 'z'", "'x' float32[1,2]"}},
      {"x=" + x + " x=" + x, {"gets both"}},
      {x + " " + Write("short.bin", "abc"), {"short.bin", "input 'y'", "8 bytes, found 3"}},
      {x + " " + Write("word.txt", "1 two"), {"word.txt", "line 1", "'two'"}},
      {x + " nothing.npy", {"nothing.npy"}},
  };
  for (const auto& c : kCases) {
    const VerbResult run = RunVerb(fmt::format("run {} --in {}", model, c.arguments));
    EXPECT_EQ(run.exit_code, 2) << c.arguments;
    for (const std::string& text : c.says) EXPECT_THAT(run.error, HasSubstr(text));
  }
}

TEST(Compare, TellsHowFarFilesAreApart) {
  const std::string a = Write("a.bin", FloatsText({1, 2, 3, 4}));
  const std::string b = Write("b.bin", FloatsText({1, 2.25F, 3, 4}));
  EXPECT_EQ(RunVerb(fmt::format("compare {} {} --dtype float32", a, a)).exit_code, 0);
  const VerbResult apart =
      RunVerb(fmt::format("compare {} {} --dtype float32 --shape 2,2 --json", a, b));
  EXPECT_EQ(apart.exit_code, 1) << apart.error;
  const Json tensor = apart.json()["tensors"][0];
  EXPECT_EQ(tensor["outside_elems"], 1);
  EXPECT_EQ(tensor["max_abs"], 0.25);
  EXPECT_EQ(tensor["max_rel"], 0.125);
  EXPECT_THAT(tensor["outside"][0]["index"], ElementsAre(0, 1));
  EXPECT_EQ(RunVerb(fmt::format("compare {} {} --dtype float32 --max-abs 0.25", a, b)).exit_code,
            0);
  EXPECT_EQ(RunVerb(fmt::format("compare {} {} --dtype float32 --max-rel 0.1", a, b)).exit_code, 1);
  const VerbResult type = RunVerb(fmt::format("compare {} {} --dtype float3", a, b));
  EXPECT_EQ(type.exit_code, 2);
  EXPECT_THAT(type.error, HasSubstr("--dtype 'float3' is no type of numbers; there are float32, "));
  EXPECT_EQ(RunVerb(fmt::format("compare {} {} --shape 1,x", a, b)).exit_code, 2);
  EXPECT_EQ(RunVerb(fmt::format("compare {} nothing.bin", a)).exit_code, 3);
}

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// inspect, unpack, pack and run on bundles, as users run them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sdk/host/model/bundle/bundle.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;

std::string InTemp(const std::string& name) {
  return ::testing::TempDir() + "npukit_bundle_" + name;
}

// y = op(x)
std::string OneOp(const std::string& name, LiteRtOpCode code) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
  b.AddOp(code, {x}, {y});
  b.Output(y);
  const std::string path = InTemp(name);
  const auto model = b.Build();
  EXPECT_TRUE(model && SaveModel(**model, path));
  return path;
}

SharedBytes Contents(const std::string& path) {
  auto file = MapFile(path);
  EXPECT_TRUE(file) << path;
  return file ? *file : SharedBytes();
}

// Two models and settings.
std::string TaskPath() {
  Bundle bundle;
  bundle.format = BundleFormat::kTask;
  for (const char* name : {"NEGATIVE", "METADATA", "ROOT"}) {
    bundle.sections.emplace_back().name = name;
  }
  const std::string settings = "settings";
  const std::vector<SharedBytes> contents = {Contents(OneOp("neg.tflite", kLiteRtOpCodeTflNeg)),
                                             SharedBytes::Take({settings.begin(), settings.end()}),
                                             Contents(OneOp("sqrt.tflite", kLiteRtOpCodeTflSqrt))};
  const std::string path = InTemp("two.task");
  const auto written = WriteBundle(bundle, contents, path);
  EXPECT_TRUE(written) << written.Error().Message();
  return path;
}

TEST(BundleVerbs, InspectTellsOfSectionsAndOfTheirModels) {
  const std::string path = TaskPath();
  const VerbResult whole = RunVerb("inspect " + path + " --json");
  ASSERT_EQ(whole.exit_code, 0) << whole.error;
  const auto report = whole.json();
  EXPECT_EQ(report["format"], "task");
  ASSERT_EQ(report["sections"].size(), 3u);
  EXPECT_EQ(report["sections"][1]["name"], "METADATA");
  EXPECT_EQ(report["sections"][1]["size_bytes"], 8);
  EXPECT_EQ(report["sections"][1]["model"], false);
  EXPECT_EQ(report["sections"][2]["model"], true);
  const VerbResult part = RunVerb("inspect " + path + "#ROOT");
  EXPECT_EQ(part.exit_code, 0) << part.error;
  EXPECT_THAT(part.out, HasSubstr("SQRT"));
  const VerbResult none = RunVerb("inspect " + path + "#METADATA");
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.error, HasSubstr("the bundle has no model 'METADATA'; its models are: "
                                    "NEGATIVE, ROOT"));
}

TEST(BundleVerbs, RunTakesTheModelThatIsNamed) {
  const std::string path = TaskPath();
  EXPECT_EQ(RunVerb("run " + path + "#NEGATIVE --json").exit_code, 0);
  const VerbResult unnamed = RunVerb("run " + path);
  EXPECT_EQ(unnamed.exit_code, 3);
  EXPECT_THAT(unnamed.error, HasSubstr("the bundle has several models, say which"));
}

TEST(BundleVerbs, UnpackedAndPackedAgainAllElseIsKept) {
  const std::string path = TaskPath();
  const std::string folder = InTemp("parts");
  std::filesystem::remove_all(folder);
  const VerbResult unpacked = RunVerb("unpack " + path + " -o " + folder);
  ASSERT_EQ(unpacked.exit_code, 0) << unpacked.error;
  EXPECT_EQ(ReadTextFile(folder + "/NEGATIVE.tflite"), ReadTextFile(InTemp("neg.tflite")));
  EXPECT_EQ(ReadTextFile(folder + "/METADATA"), "settings");
  const std::string packed = InTemp("packed.task");
  const VerbResult pack =
      RunVerb("pack " + path + " --section ROOT=" + folder + "/NEGATIVE.tflite -o " + packed);
  ASSERT_EQ(pack.exit_code, 0) << pack.error;
  EXPECT_THAT(RunVerb("inspect " + packed + "#ROOT").out, HasSubstr("NEG"));
  // The other way round it is the same file again.
  const std::string again = InTemp("again.task");
  EXPECT_EQ(RunVerb("pack " + packed + " --section ROOT=" + folder + "/ROOT.tflite -o " + again)
                .exit_code,
            0);
  EXPECT_EQ(ReadTextFile(again), ReadTextFile(path));
}

TEST(BundleVerbs, UnpackTellsOfWhatIsCompressed) {
  Bundle bundle;
  bundle.format = BundleFormat::kTask;
  const std::string settings = "settings";
  const SharedBytes bytes = SharedBytes::Take({settings.begin(), settings.end()});
  bundle.sections.emplace_back().name = "METADATA";
  BundleSection& tokenizer = bundle.sections.emplace_back();
  tokenizer.name = "TOKENIZER";
  tokenizer.method = 8;
  tokenizer.bytes = bytes;
  const std::string path = InTemp("compressed.task");
  ASSERT_TRUE(WriteBundle(bundle, std::vector<SharedBytes>{bytes, bytes}, path));
  const std::string folder = InTemp("rest");
  const VerbResult run = RunVerb("unpack " + path + " -o " + folder);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.error, HasSubstr("compressed members are left out"));
  EXPECT_THAT(run.error, HasSubstr("TOKENIZER"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/TOKENIZER"));
  EXPECT_EQ(ReadTextFile(folder + "/METADATA"), settings);
}

// A bundle of raw sections by these names.
std::string WriteTask(const std::string& path, const std::vector<std::string>& names) {
  Bundle bundle;
  bundle.format = BundleFormat::kTask;
  std::vector<SharedBytes> contents;
  for (size_t i = 0; i < names.size(); ++i) {
    bundle.sections.emplace_back().name = names[i];
    contents.push_back(SharedBytes::Take({static_cast<uint8_t>('0' + i)}));
  }
  const auto written = WriteBundle(bundle, contents, path);
  EXPECT_TRUE(written) << written.Error().Message();
  return path;
}

TEST(BundleVerbs, UnpackOverwritesNoSectionByAnother) {
  const std::string path = WriteTask(InTemp("twice.task"), {"a/b.txt", "a_b.txt", "a_b_2.txt"});
  const std::string folder = InTemp("twice");
  std::filesystem::remove_all(folder);
  const VerbResult run = RunVerb("unpack " + path + " -o " + folder + " --json");
  ASSERT_EQ(run.exit_code, 0) << run.error;
  std::set<std::string> files;
  for (int i = 0; i < 3; ++i) {
    const std::string file = run.json()["sections"][i]["file"];
    files.insert(file);
    EXPECT_EQ(ReadTextFile(file), fmt::format("{}", i)) << file;
  }
  EXPECT_THAT(files, ::testing::ElementsAre(folder + "/a_b.txt", folder + "/a_b_2.txt",
                                            folder + "/a_b_2_2.txt"));
}

TEST(BundleVerbs, UnpackDoesNotOverwriteTheBundle) {
  const std::string folder = InTemp("self");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string path = WriteTask(folder + "/self.task", {"first", "self.task"});
  const std::string before = ReadTextFile(path);
  const VerbResult run = RunVerb("unpack " + path + " -o " + folder);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.error, HasSubstr("would be written over the bundle itself"));
  EXPECT_EQ(ReadTextFile(path), before);
  EXPECT_FALSE(std::filesystem::exists(folder + "/first"));
}

TEST(BundleVerbs, SayWhatIsWrong) {
  const std::string path = TaskPath();
  const std::string model = InTemp("neg.tflite");
  const std::string out = " -o " + InTemp("out");
  const struct {
    std::string command;
    int exit_code;
    std::string message;
  } cases[] = {
      {"unpack " + model + out, 3, "is neither a .litertlm nor a .task bundle"},
      {"pack " + model + out, 3, "is neither a .litertlm nor a .task bundle"},
      {"pack " + path + " --section OTHER=" + model + out, 2,
       "there is no section 'OTHER', only NEGATIVE, METADATA, ROOT"},
      {"pack " + path + " --section ROOT" + out, 2, "expected the section's name and a file"},
      {"inspect " + model + "#0", 3, "is no bundle, of which a part could be named"},
      {"inspect " + path + " --op 0", 2, "is a bundle; name one of its models"},
  };
  for (const auto& test : cases) {
    const VerbResult run = RunVerb(test.command);
    EXPECT_EQ(run.exit_code, test.exit_code) << test.command;
    EXPECT_THAT(run.error, HasSubstr(test.message)) << test.command;
  }
}

}  // namespace
}  // namespace npukit

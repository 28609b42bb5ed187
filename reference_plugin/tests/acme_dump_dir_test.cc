// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The compile spec "dump_dir": the values of the compiler's stages as files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "npukit/compile_spec.h"
#include "reference_plugin/tests/acme_plugin.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string FreshFolder(const std::string& name) {
  const std::string folder = testing::TempDir() + "npukit_" + name;
  fs::remove_all(folder);
  return folder;
}

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

int64_t CountOf(const std::string& what, const std::string& text) {
  int64_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Elementwise ops whose values together exceed acme_a0's scratchpad (so that they run in strips),
// and a RESHAPE that costs nothing once fused.
std::unique_ptr<Model> Stages() {
  constexpr auto kType = kLiteRtElementTypeInt8;
  const std::vector<int32_t> shape = {1, 64, 64, 32};
  ModelBuilder b;
  Tensor* x = b.Input("x", kType, shape, PerTensor(0.05f, -3));
  Tensor* z = b.Input("z", kType, shape, PerTensor(0.03f, 4));
  Tensor* c = b.Constant<int8_t>("c", {32}, std::vector<int8_t>(32, 77), PerTensor(0.01f, 3));
  Tensor* sum = b.Value("sum", kType, shape, PerTensor(0.08f, 1));
  Tensor* positive = b.Value("positive", kType, shape, PerTensor(0.08f, 1));
  Tensor* scaled = b.Value("scaled", kType, shape, PerTensor(0.06f, 2));
  Tensor* flat = b.Value("flat", kType, {1, 64 * 64 * 32}, PerTensor(0.06f, 2));
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, z}, {sum}, 2);
  b.AddOp(kLiteRtOpCodeTflRelu, {sum}, {positive}, 2);
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {positive, c}, {scaled}, 2);
  b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{{1, 64 * 64 * 32}}, {scaled}, {flat});
  b.Output(flat);
  auto model = b.Build();
  EXPECT_TRUE(model) << model.Error().Message();
  return std::move(*model);
}

SessionOptions DumpInto(const std::string& folder) {
  SessionOptions options{.plugin_dir = kPluginDir, .jit = true};
  options.placement.specs.push_back(
      {.spec = {.key = NPUKIT_SPEC_DUMP_DIR, .bytes = {folder.begin(), folder.end()}},
       .where = "test"});
  return options;
}

// Why the model did not go to the NPU; empty if it did.
std::string CompileInto(const std::string& folder, bool keep_intermediates = false) {
  SessionOptions options = DumpInto(folder);
  if (keep_intermediates) {
    options.placement.specs.push_back(
        {.spec = {.key = NPUKIT_SPEC_KEEP_INTERMEDIATES, .bytes = {'1'}}, .where = "test"});
  }
  const auto session = Session::Create(Sample("autoencoder_int8"), options);
  return session ? (*session)->placement().fallback_reason : session.Error().Message();
}

TEST(DumpDir, EveryStageWritesItsValue) {
  const std::string folder = FreshFolder("dump_stages") + "/below";
  const std::string model = testing::TempDir() + "npukit_dump.tflite";
  ASSERT_TRUE(SaveModel(*Sample("autoencoder_int8"), model));
  const std::string command = NPUKIT_BUILD_DIR "/bin/npukit-apply " + model + " -o " + model +
                              ".out --plugin-dir " + kPluginDir + " --dump-dir " + folder +
                              " >/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(FilesIn(folder),
              ElementsAre("acme_partition_0.1-legalise.txt", "acme_partition_0.2-fuse.txt",
                          "acme_partition_0.3-strips.txt", "acme_partition_0.4-placement.txt",
                          "acme_partition_0.5-tasks.txt", "acme_partition_0.6-schedule.txt",
                          "acme_partition_0.7-scratchpad.txt", "acme_partition_0.8-order.txt",
                          "acme_partition_0.9-code.txt"));
  for (const std::string& file : FilesIn(folder))
    EXPECT_NE(TextOf(folder + "/" + file), "") << file;
  const std::string tasks = TextOf(folder + "/acme_partition_0.5-tasks.txt");
  const std::string order = TextOf(folder + "/acme_partition_0.8-order.txt");
  EXPECT_THAT(order, HasSubstr(" wait "));
  EXPECT_THAT(tasks, testing::Not(HasSubstr(" wait ")));
  // Loads of weights become tasks of their own.
  EXPECT_EQ(std::count(order.begin(), order.end(), '\n'),
            std::count(tasks.begin(), tasks.end(), '\n') + CountOf(" m handle ", tasks));
}

TEST(DumpDir, SecondEntryPointsAreDumpedToo) {
  const std::string folder = FreshFolder("dump_intermediates");
  EXPECT_EQ(CompileInto(folder, /*keep_intermediates=*/true), "");
  EXPECT_TRUE(fs::exists(folder + "/acme_partition_0.9-code.txt"));
  EXPECT_TRUE(fs::exists(folder + "/acme_partition_0#intermediates.9-code.txt"));
}

// A change of any stage shows here, in the stage where it begins; NPUKIT_UPDATE_GOLDENS takes the
// new values.
TEST(DumpDir, StagesHaveTheirGoldenValues) {
  const std::string folder = FreshFolder("dump_goldens");
  SessionOptions options = DumpInto(folder);
  options.soc = "acme_a0";
  const auto session = Session::Create(Stages(), options);
  ASSERT_TRUE(session) << session.Error().Message();
  ASSERT_EQ((*session)->placement().cpu_ops, 0u);
  const std::string goldens = NPUKIT_SOURCE_DIR "/reference_plugin/tests/stages_golden/";
  const bool updating = std::getenv("NPUKIT_UPDATE_GOLDENS") != nullptr;
  const std::vector<std::string> files = FilesIn(folder);
  ASSERT_EQ(files.size(), 9u);
  for (const std::string& file : files) {
    const std::string golden = goldens + file.substr(file.find('.') + 1);
    if (updating) std::ofstream(golden) << TextOf(folder + "/" + file);
    EXPECT_EQ(TextOf(folder + "/" + file), TextOf(golden)) << golden;
  }
}

TEST(DumpDir, AFolderThatCannotBeMadeIsAnError) {
  const std::string file = FreshFolder("dump_file");
  std::ofstream(file) << "in the way";
  EXPECT_THAT(CompileInto(file), HasSubstr("kLiteRtStatusErrorFileIO"));
  EXPECT_THAT(CompileInto(""), HasSubstr("kLiteRtStatusErrorInvalidArgument"));
}

}  // namespace
}  // namespace npukit

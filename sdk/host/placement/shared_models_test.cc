// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Real models, and what LiteRT v2.1.4's own host makes of some of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "sdk/host/model/graph/dispatch_op.h"
#include "sdk/host/model/graph/model_diff.h"
#include "sdk/host/model/graph/model_verifier.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/placement/partition_by_selector.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

namespace fs = std::filesystem;

class SharedModels : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(SharedDir() + "/models")) {
      GTEST_SKIP() << "no folder " << SharedDir()
                   << "/models: the tests on real models are left out";
    }
  }
};

std::vector<std::string> FilesIn(const std::string& folder, const std::string& ending) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().string().ends_with(ending)) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::unique_ptr<Model> MustLoad(const std::string& path) {
  auto model = LoadModel(path);
  EXPECT_TRUE(model) << model.Error().Message();
  return model ? std::move(*model) : nullptr;
}

// What LiteRT's example plugin selects.
litert::Expected<SelectorAnswer> SelectLikeTheExample(Subgraph& subgraph) {
  SelectorAnswer answer;
  for (const auto& op : subgraph.ops()) {
    const bool is_float = !op->inputs.empty() && op->inputs[0] != nullptr &&
                          op->inputs[0]->element_type == kLiteRtElementTypeFloat32;
    const auto* composite = op->OptionsAs<StableHLOCompositeOptions>();
    const bool is_norm = composite != nullptr && composite->name == "odml.rms_norm";
    if (is_norm || (is_float && op->code == kLiteRtOpCodeTflMul)) {
      answer.selection.push_back({op.get(), 0});
    } else if (is_float && op->code == kLiteRtOpCodeTflSub) {
      answer.selection.push_back({op.get(), 1});
    }
  }
  return answer;
}

std::map<std::string, int> OpsOutside(const Subgraph& subgraph) {
  std::map<std::string, int> count;
  for (const auto& op : subgraph.ops()) {
    if (!IsDispatchOp(*op)) ++count[OpName(*op)];
  }
  return count;
}

size_t CountDispatch(const Subgraph& subgraph) {
  return static_cast<size_t>(std::count_if(subgraph.ops().begin(), subgraph.ops().end(),
                                           [](const auto& op) { return IsDispatchOp(*op); }));
}

// LiteRT splits a partition at every unselected op in between; we never need more partitions,
// and leave the same ops outside.
TEST_F(SharedModels, PartitionsAreNeverSmallerThanLiteRts) {
  const std::string compiled = SharedDir() + "/litert_compiled";
  if (!fs::is_directory(compiled)) GTEST_SKIP() << "no folder " << compiled;
  const std::string ending = ".partitioned.tflite";
  int compared = 0;
  for (const std::string& path : FilesIn(compiled, ending)) {
    const std::string name = fs::path(path).filename().string();
    const std::string plain = name.substr(0, name.size() - ending.size()) + ".tflite";
    const std::string here = compiled + "/" + plain;
    SCOPED_TRACE(name);
    const auto theirs = MustLoad(path);
    const auto model = MustLoad(fs::exists(here) ? here : SharedDir() + "/models/" + plain);
    ASSERT_TRUE(theirs && model);
    const auto ours = PartitionBySelector(*model, SelectLikeTheExample);
    ASSERT_TRUE(ours) << ours.Error().Message();
    EXPECT_EQ(OpsOutside(ours->outer->main_subgraph()), OpsOutside(theirs->main_subgraph()));
    EXPECT_LE(ours->partitions.size(), CountDispatch(theirs->main_subgraph()));
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

TEST_F(SharedModels, CopiesAreEqualToTheByte) {
  for (const std::string& path : FilesIn(SharedDir() + "/models", ".tflite")) {
    const auto model = MustLoad(path);
    ASSERT_TRUE(model);
    const auto copy = CopyModel(*model);
    EXPECT_EQ(FirstDifference(*model, *copy), std::nullopt) << path;
    const auto bytes = SerializeModel(*model);
    const auto copied_bytes = SerializeModel(*copy);
    ASSERT_TRUE(bytes && copied_bytes);
    EXPECT_EQ(*bytes, *copied_bytes) << path;
  }
}

TEST_F(SharedModels, EveryModelCompilesSavesAndLoads) {
  const auto plugin = LoadedPlugin::Load(
      NPUKIT_BUILD_DIR "/test_plugins/selects_all/libLiteRtCompilerPlugin_selects_all.so");
  ASSERT_TRUE(plugin) << plugin.Error().Message();
  int wholly = 0;
  for (const std::string& path : FilesIn(SharedDir() + "/models", ".tflite")) {
    SCOPED_TRACE(path);
    const auto model = MustLoad(path);
    ASSERT_TRUE(model);
    const LoadedPlugin* const plugins[] = {&*plugin};
    const auto result = ApplyPlugins(*model, plugins);
    ASSERT_TRUE(result) << result.Error().Message();
    const auto verified = VerifyModel(*result->model);
    EXPECT_TRUE(verified) << verified.Error().Message();
    auto bytes = SerializeModel(*result->model);
    ASSERT_TRUE(bytes) << bytes.Error().Message();
    const auto again = ParseModel(SharedBytes::Copy(*bytes), path);
    ASSERT_TRUE(again) << again.Error().Message();
    EXPECT_EQ((*again)->operator_codes.size(), result->model->operator_codes.size());
    const auto bytes_again = SerializeModel(**again);
    ASSERT_TRUE(bytes_again);
    EXPECT_EQ(*bytes_again, *bytes);
    wholly += result->partitions.size() == 1 && result->npu_op_count() == result->ops.size();
    // Without state or effects an unbroken selection is one partition per subgraph.
    EXPECT_LE(result->partitions.size(), model->subgraphs().size());
  }
  EXPECT_GE(wholly, 20);
}

}  // namespace
}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tool on a model that lies in a file.

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "conformance/runner/testing/kit_tool.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"
#include "tests/support/shared_dir.h"
#include "tests/support/temporary_folder.h"

namespace npukit::conformance {
namespace {

TEST(KitModelFile, IsConformant) {
  const std::string model = SharedDir() + "/models/ad01_int8.tflite";
  if (!std::filesystem::exists(model))
    GTEST_SKIP() << model << " is absent: no model of a file is judged";
  const Json report =
      RunJson(Healthy() + "--suite abi --model " + model + " --filter '^model/'", 0);
  EXPECT_EQ(report["verdict"], "conformant");
}

// Beyond the table an error would be right, and the model would fail by it.
TEST(KitModelFile, IsAskedForRowsOfItsTables) {
  ModelBuilder b;
  std::vector<float> rows(20);
  std::iota(rows.begin(), rows.end(), 0.0f);
  Tensor* table = b.Constant<float>("table", {5, 4}, rows);
  Tensor* places = b.Input("places", kLiteRtElementTypeInt32, {16});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {16, 4});
  b.AddOp(kLiteRtOpCodeTflGather, {table, places}, {y}, 2);
  b.Output(y);
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/lookup.tflite";
  ASSERT_TRUE(SaveModel(*b.BuildUnchecked(), path));
  const Json report = RunJson(Healthy() + "--suite abi --model " + path + " --filter '^model/'", 0);
  EXPECT_EQ(report["verdict"], "conformant") << report.dump(1);
}

}  // namespace
}  // namespace npukit::conformance

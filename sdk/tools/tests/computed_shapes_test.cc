// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What explain says of a model that computes with shapes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;

TEST(Explain, TellsOfShapesThatCouldBeComputedBeforehand) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {4});
  Tensor* shape = b.Value("shape", kLiteRtElementTypeInt32, {1});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
  b.AddOp(kLiteRtOpCodeTflShape, ShapeOptions{.out_type = TensorType::kInt32}, {x}, {shape});
  b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{}, {x, shape}, {y});
  b.Output(y);
  const auto model = b.Build();
  ASSERT_TRUE(model) << model.Error();
  const std::string path = ::testing::TempDir() + "npukit_computes_shapes.tflite";
  ASSERT_TRUE(SaveModel(**model, path));
  const std::string command =
      "explain " + path + " --plugin-dir " + NPUKIT_BUILD_DIR "/test_plugins/takes_add --json";
  const Json found = RunVerb(command).json();
  EXPECT_EQ(found["ops"].size(), 2u);
  EXPECT_THAT(found["warnings"].dump(), HasSubstr("--fold-constants computes them"));
  const Json folded = RunVerb(command + " --fold-constants").json();
  EXPECT_EQ(folded["ops"].size(), 1u);
  EXPECT_EQ(folded["warnings"], Json::array());
}

}  // namespace
}  // namespace npukit

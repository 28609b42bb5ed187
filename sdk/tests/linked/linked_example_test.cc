// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs the program that docs/linked-plugins.md shows, compiled as it stands there.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/expect_ok.h"
#include "sdk/tests/output_of.h"

namespace npukit {
namespace {

std::string WriteModel(const std::string& name, LiteRtOpCode code) {
  ModelBuilder builder;
  Tensor* x = builder.Input("x", kLiteRtElementTypeFloat32, {1, 4});
  Tensor* y = builder.Value("y", kLiteRtElementTypeFloat32, {1, 4});
  builder.AddOp(code, {x}, {y});
  builder.Output(y);
  builder.AddSignature("serving_default");
  const std::string path = ::testing::TempDir() + name + ".tflite";
  Ok(SaveModel(*Ok(builder.Build()), path));
  return path;
}

TEST(LinkedExample, RunsItsModelOnTheNpuAndOthersOnTheCpu) {
  const std::string run = NPUKIT_LINKED_EXAMPLE " ";
  EXPECT_EQ(OutputOf(run + WriteModel("linked_abs", kLiteRtOpCodeTflAbs)), "NPU: 1.5 2 3 0\n");
  EXPECT_EQ(OutputOf(run + WriteModel("linked_neg", kLiteRtOpCodeTflNeg)), "CPU: 1.5 -2 3 -0\n");
}

}  // namespace
}  // namespace npukit

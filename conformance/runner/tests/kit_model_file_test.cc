// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tool on a model that lies in a file.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "conformance/runner/testing/kit_tool.h"
#include "tests/support/shared_dir.h"

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

}  // namespace
}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What users read of a sample network that they compile and run with AcmeCorp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;

const std::string kPlugins = " --plugin-dir " NPUKIT_BUILD_DIR "/lib";

std::string SampleModel() {
  std::string path = TestFolder() + "elementwise.tflite";
  EXPECT_EQ(RunVerb("sample elementwise_float -o " + path).exit_code, 0);
  return path;
}

TEST(SampleVerbs, WhatIsCompiledAlreadyIsToldFromWhatNobodyTakes) {
  const std::string compiled = TestFolder() + "compiled.tflite";
  ASSERT_EQ(RunVerb("apply " + SampleModel() + " -o " + compiled + kPlugins).exit_code, 0);
  const VerbResult again =
      RunVerb("apply " + compiled + " -o " + TestFolder() + "again.tflite" + kPlugins);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.error, HasSubstr(compiled + " is compiled already (1 of 1 ops are dispatch "
                                                "ops) and is written unchanged"));
  EXPECT_THAT(RunVerb("inspect " + compiled).out, HasSubstr("compiled for: AcmeCorp ("));
}

// An op whose work another's pieces do has no events of its own.
TEST(SampleVerbs, AProfileSaysWhatWasNotMeasured) {
  const std::string command = "run " + SampleModel() + " --jit" + kPlugins + " --profile";
  const VerbResult result = RunVerb(command + " --json");
  ASSERT_EQ(result.exit_code, 0) << result.error;
  const Json report = result.json();
  size_t unmeasured = 0;
  for (const Json& op : report["profile"]) {
    EXPECT_EQ(op["cycles"].is_null(), op["events"] == 0) << op;
    if (op["events"] == 0) ++unmeasured;
  }
  EXPECT_GT(unmeasured, 0u);
  EXPECT_THAT(RunVerb(command).out, HasSubstr(": not measured\n"));
}

}  // namespace
}  // namespace npukit

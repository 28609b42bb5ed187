// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What reports say of where a model ran.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kLibraries = NPUKIT_BUILD_DIR "/lib";

std::string ModelPath() {
  const std::string path = TestFolder() + "model.tflite";
  EXPECT_EQ(RunVerb("sample elementwise_float -o " + path).exit_code, 0);
  return path;
}

TEST(ReportedPlaces, ADevicesLibraryIsAFileAndADevice) {
  const std::string compiled = TestFolder() + "compiled.tflite";
  ASSERT_EQ(RunVerb("apply " + ModelPath() + " --plugin AcmeCorp --plugin-dir " + kLibraries +
                    " -o " + compiled)
                .exit_code,
            0);
  const std::string address =
      fmt::format("exec:{}/bin/npukit-worker --cache {}cache", NPUKIT_BUILD_DIR, TestFolder());
  const VerbResult result =
      RunVerb(fmt::format("run {} --plugin-dir {} --device '{}'", compiled, kLibraries, address));
  ASSERT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.out,
              HasSubstr(fmt::format("  dispatch: {}/libLiteRtDispatch_AcmeCorp.so on {} "
                                    "(AcmeCorp, ",
                                    kLibraries, address)));
  EXPECT_THAT(result.out, Not(HasSubstr("linked:")));
}

}  // namespace
}  // namespace npukit

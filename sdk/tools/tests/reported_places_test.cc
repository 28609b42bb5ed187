// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What reports say of where a model was compiled for, and where it ran.

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

TEST(ReportedPlaces, ApplyNamesTheChip) {
  const std::string apply = "apply " + ModelPath() + " --plugin-dir " + kLibraries +
                            " --plugin AcmeCorp -o " + TestFolder() + "compiled.tflite ";
  const std::string file = NPUKIT_SOURCE_DIR "/simulator/hw/soc/acme_a2.yaml";
  const struct {
    std::string options, text, soc;
  } cases[] = {
      {"", "\n  SoC model: acme_a1 (the default: the first that the plugin lists)\n", "acme_a1"},
      {"--soc acme_a0", "\n  SoC model: acme_a0\n", "acme_a0"},
      {"--soc-file " + file, "\n  SoC model: as in " + file + "\n", ""},
  };
  for (const auto& c : cases) {
    const VerbResult text = RunVerb(apply + c.options);
    EXPECT_EQ(text.exit_code, 0) << text.error;
    EXPECT_THAT(text.out, HasSubstr(c.text)) << c.options;
    const VerbResult json = RunVerb(apply + c.options + " --json");
    EXPECT_EQ(json.json()["plugins"][0]["soc"], c.soc) << c.options;
  }
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

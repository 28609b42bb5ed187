// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sdk/tests/run_verb.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;

// What the plugin itself said of it, in the command's own error.
TEST(FailedCalls, AreToldInThePluginsWords) {
  const std::string output = TestFolder() + "out.tflite";
  const std::string model = TestFolder() + "model.tflite";
  ASSERT_EQ(RunVerb("sample elementwise_float -o " + model).exit_code, 0);
  const struct {
    const char* plugin;
    const char* words;
  } rows[] = {{"fails_in_compile",
               "LiteRtCompilerPluginCompile gave kLiteRtStatusErrorCompilation: op 1 of 2 has "
               "no room"},
              {"fails_in_partition",
               "LiteRtCompilerPluginPartition gave kLiteRtStatusErrorRuntimeFailure: no licence"}};
  for (const auto& row : rows) {
    const std::string from =
        std::string(" --plugin-dir " NPUKIT_BUILD_DIR "/test_plugins/") + row.plugin;
    const std::string commands[] = {"apply " + model + " -o " + output + from,
                                    "run " + model + " --jit" + from, "explain " + model + from,
                                    "diff " + model + from};
    for (const std::string& command : commands) {
      // It places ops, and does not compile.
      if (command.starts_with("explain") && row.plugin == std::string("fails_in_compile")) continue;
      const VerbResult failed = RunVerb(command);
      EXPECT_EQ(failed.exit_code, 1) << command;
      const std::string own = "npukit " + command.substr(0, command.find(' ')) + ": ";
      const size_t at = failed.error.find(own);
      ASSERT_NE(at, std::string::npos) << command << "\n" << failed.error;
      EXPECT_THAT(failed.error.substr(at), HasSubstr(row.words)) << command;
    }
  }
}

TEST(FailedCalls, OfADevicesPluginsCountForInfo) {
  const std::string folder = TestFolder() + "device";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/libLiteRtCompilerPlugin_X.so") << "no library";
  const VerbResult result =
      RunVerb("info --device exec:" NPUKIT_BUILD_DIR "/bin/npukit-worker --device-dir " + folder +
              " --json");
  const Json plugins = result.json()["device"]["plugins"];
  ASSERT_EQ(plugins.size(), 1u) << result.error;
  EXPECT_TRUE(plugins[0].contains("error"));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.error, HasSubstr("1 libraries can't be used"));
}

}  // namespace
}  // namespace npukit

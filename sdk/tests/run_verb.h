// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Calls a verb of the build as a user does.

#ifndef NPUKIT_SDK_TESTS_RUN_VERB_H_
#define NPUKIT_SDK_TESTS_RUN_VERB_H_

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace npukit {

using Json = nlohmann::json;

struct VerbResult {
  int exit_code = -1;
  std::string out;
  std::string error;
  Json json() const { return Json::parse(out); }
};

inline std::string ReadTextFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder of the running test's own, which exists.
inline std::string TestFolder() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string folder =
      ::testing::TempDir() + "npukit_" + test->test_suite_name() + "_" + test->name() + "/";
  std::filesystem::create_directories(folder);
  return folder;
}

// "run model.tflite --json" of npukit-run.
inline VerbResult RunVerb(const std::string& command) {
  const std::string folder = TestFolder();
  const std::string line =
      NPUKIT_BUILD_DIR "/bin/npukit-" + command + " >" + folder + "stdout 2>" + folder + "stderr";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadTextFile(folder + "stdout"),
          ReadTextFile(folder + "stderr")};
}

}  // namespace npukit

#endif  // NPUKIT_SDK_TESTS_RUN_VERB_H_

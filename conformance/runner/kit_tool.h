// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: runs npukit-conform as its users do, as a process.

#ifndef NPUKIT_CONFORMANCE_RUNNER_KIT_TOOL_H_
#define NPUKIT_CONFORMANCE_RUNNER_KIT_TOOL_H_

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace npukit::conformance {

using nlohmann::json;

inline const std::string kTool = std::string(NPUKIT_BUILD_DIR) + "/bin/npukit-conform";
inline const std::string kPlugins = std::string(NPUKIT_BUILD_DIR) + "/faulty_plugins/";

struct Outcome {
  int code = -1;
  std::string out;  // standard output and standard error
};

inline Outcome RunTool(const std::string& arguments, const std::string& redirect = " 2>&1") {
  FILE* pipe = popen((kTool + " " + arguments + redirect).c_str(), "r");
  Outcome outcome;
  std::array<char, 4096> chunk;
  size_t got = 0;
  while ((got = fread(chunk.data(), 1, chunk.size(), pipe)) > 0)
    outcome.out.append(chunk.data(), got);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

inline json RunJson(const std::string& arguments, int expected_code) {
  const Outcome outcome = RunTool(arguments + " --json", " 2>/dev/null");
  EXPECT_EQ(outcome.code, expected_code) << arguments << "\n" << outcome.out.substr(0, 2000);
  return json::parse(outcome.out, nullptr, false);
}

inline std::string Healthy() { return "--plugin-dir " + kPlugins + "healthy "; }

// A folder of this test's own, gone with it.
class TempFolder {
 public:
  TempFolder() {
    path_ =
        std::filesystem::temp_directory_path() / ("npukit_kit_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  std::string File(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline std::string ReadText(const std::string& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_KIT_TOOL_H_

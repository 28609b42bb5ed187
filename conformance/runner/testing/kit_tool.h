// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: runs npukit-conform as its users do, as a process.

#ifndef NPUKIT_CONFORMANCE_RUNNER_TESTING_KIT_TOOL_H_
#define NPUKIT_CONFORMANCE_RUNNER_TESTING_KIT_TOOL_H_

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/temporary_folder.h"

namespace npukit::conformance {

using Json = nlohmann::json;

inline const std::string kTool = std::string(NPUKIT_BUILD_DIR) + "/bin/npukit-conform";
inline const std::string kPlugins = std::string(NPUKIT_BUILD_DIR) + "/faulty_plugins/";

struct Outcome {
  int code = -1;
  std::string out;  // standard output and standard error
};

inline Outcome RunTool(const std::string& arguments, const std::string& redirect = " 2>&1",
                       const std::string& tool = kTool) {
  FILE* pipe = popen((tool + " " + arguments + redirect).c_str(), "r");
  Outcome outcome;
  std::array<char, 4096> chunk;
  size_t got = 0;
  while ((got = fread(chunk.data(), 1, chunk.size(), pipe)) > 0)
    outcome.out.append(chunk.data(), got);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

inline Json RunJson(const std::string& arguments, int expected_code,
                    const std::string& tool = kTool) {
  const Outcome outcome = RunTool(arguments + " --json", " 2>/dev/null", tool);
  EXPECT_EQ(outcome.code, expected_code) << arguments << "\n" << outcome.out.substr(0, 2000);
  return Json::parse(outcome.out);
}

inline std::string Healthy() { return "--plugin-dir " + kPlugins + "healthy "; }

// A folder with files of a few lines.
class TempFolder {
 public:
  std::string File(const std::string& name, const std::string& text) const {
    std::ofstream(std::filesystem::path(path()) / name) << text;
    return (std::filesystem::path(path()) / name).string();
  }
  const std::string& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

// Empty if there is no such file.
inline std::string ReadText(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// The tool with the abi suite, a case for each of Mimic's claims and two profiles: a whole run
// takes a second. The tool finds suites and profiles from where it lies, so this is a copy of it.
class SmallKit {
 public:
  SmallKit() {
    namespace fs = std::filesystem;
    const fs::path root = folder_.path();
    const fs::path source = fs::path(NPUKIT_SOURCE_DIR) / "conformance";
    fs::create_directories(root / "bin");
    fs::create_directories(root / "share/npukit");
    fs::copy_file(kTool, root / "bin/npukit-conform");
    fs::create_directory_symlink(fs::path(NPUKIT_BUILD_DIR) / "lib", root / "lib");
    for (const char* kind : {"suites", "profiles"})
      fs::copy(source / "runner/testing/small_kit" / kind, root / "share/npukit" / kind);
    fs::copy_file(source / "suites/abi.yaml", root / "share/npukit/suites/abi.yaml");
    tool_ = (root / "bin/npukit-conform").string();
    const Outcome frozen = Run("freeze " + (root / "share/npukit/profiles").string());
    EXPECT_EQ(frozen.code, 0) << frozen.out;
  }

  Outcome Run(const std::string& arguments) const { return RunTool(arguments, " 2>&1", tool_); }
  Json RunForJson(const std::string& arguments, int expected_code) const {
    return RunJson(arguments, expected_code, tool_);
  }
  // In a file below share/npukit.
  void Edit(const std::string& file, const std::string& from, const std::string& to) const {
    const std::string path = folder_.path() + "/share/npukit/" + file;
    std::string text = ReadText(path);
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << file << " has no '" << from << "'";
    std::ofstream(path) << text.replace(at, from.size(), to);
  }
  // A place for the test's own files.
  const TempFolder& folder() const { return folder_; }
  std::string out(const std::string& name) const { return folder_.path() + "/out_" + name; }

 private:
  TempFolder folder_;
  std::string tool_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_TESTING_KIT_TOOL_H_

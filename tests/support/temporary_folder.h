// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A folder for what one test writes, gone with it.

#ifndef NPUKIT_TESTS_SUPPORT_TEMPORARY_FOLDER_H_
#define NPUKIT_TESTS_SUPPORT_TEMPORARY_FOLDER_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace npukit {

// Empty at first, in the folder that the environment gives tests (TEST_TMPDIR; else the system's). Copies
// of the process that end by exit() rather than _exit() would remove it, too.
class TemporaryFolder {
 public:
  TemporaryFolder() { EXPECT_NE(mkdtemp(path_.data()), nullptr) << path_; }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_ = testing::TempDir() + "npukit_XXXXXX";
};

}  // namespace npukit

#endif  // NPUKIT_TESTS_SUPPORT_TEMPORARY_FOLDER_H_

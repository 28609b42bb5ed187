// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: the .tflite files of the shared folder.

#ifndef NPUKIT_SDK_HOST_MODEL_TESTING_SHARED_MODELS_H_
#define NPUKIT_SDK_HOST_MODEL_TESTING_SHARED_MODELS_H_

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/shared_dir.h"

namespace npukit {

// Every .tflite file below a folder of the shared folder, sorted; empty if that is not there.
inline std::vector<std::string> SharedModels(const std::string& folder) {
  std::vector<std::string> paths;
  const std::filesystem::path root = std::filesystem::path(SharedDir()) / folder;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator it(root, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".tflite") paths.push_back(it->path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// What a test that needs the shared folder says when it is not there.
inline std::string NoSharedModels(const std::string& folder) {
  return "not tested: there are no .tflite files in " + SharedDir() + "/" + folder;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_TESTING_SHARED_MODELS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/shared_libraries.h"

#include <algorithm>
#include <filesystem>

namespace npukit {

std::vector<std::string> FindSharedLibraries(const std::string& folder, std::error_code& error) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->path().extension() == ".so" && entry->is_regular_file(ignored))
      paths.push_back(entry->path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace npukit

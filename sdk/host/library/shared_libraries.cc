// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/shared_libraries.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace npukit {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBelow = "/**";

template <typename Iterator>
void Collect(Iterator entry, std::error_code& error, std::vector<std::string>& paths) {
  for (; !error && entry != Iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->path().extension() == ".so" && entry->is_regular_file(ignored))
      paths.push_back(entry->path().string());
  }
}

}  // namespace

std::string FolderOf(const std::string& search) {
  return search.ends_with(kBelow) ? search.substr(0, search.size() - kBelow.size()) : search;
}

std::string WithFoldersBelow(const std::string& folder) {
  return folder.empty() || folder.ends_with(kBelow) ? folder : folder + std::string(kBelow);
}

std::vector<std::string> FindSharedLibraries(const std::string& search, std::error_code& error) {
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  const std::string folder = FolderOf(search);
  std::vector<std::string> paths;
  if (folder != search) {
    Collect(fs::recursive_directory_iterator(folder, kOptions, error), error, paths);
  } else {
    Collect(fs::directory_iterator(folder, kOptions, error), error, paths);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace npukit

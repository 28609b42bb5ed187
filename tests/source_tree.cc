// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

namespace npukit {
namespace {

namespace fs = std::filesystem;

bool IsSource(const fs::path& path) {
  const std::string extension = path.extension();
  return extension == ".h" || extension == ".cc" || extension == ".c" || extension == ".def";
}

}  // namespace

std::array<std::string, 2> PathsOf(const Include& include) {
  return {include.target, "sdk/include/" + include.target};
}

bool IsUnder(std::string_view path, std::string_view folder) {
  return path == folder ||
         (path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/');
}

bool IsTestFile(std::string_view path) {
  static const std::regex kTest(
      R"re((_test|_benchmark|_fuzz)\.\w+$|(^|/)(testing|tests|test_\w+)/)re");
  return std::regex_search(path.begin(), path.end(), kTest);
}

std::vector<Include> ReadIncludes(std::istream& in) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
  std::vector<Include> includes;
  std::string line;
  std::smatch match;
  while (std::getline(in, line)) {
    if (line.find('#') == std::string::npos || !std::regex_search(line, match, kInclude)) continue;
    includes.push_back({.target = match[2], .quoted = match[1] == "\""});
  }
  return includes;
}

std::vector<SourceFile> ReadSourceTree() {
  const fs::path root = NPUKIT_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const char* top :
       {"sdk", "simulator", "reference_plugin", "conformance", "templates", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      if (!entry.is_regular_file() || !IsSource(entry.path())) continue;
      std::ifstream in(entry.path());
      files.push_back(
          {.path = entry.path().lexically_relative(root), .includes = ReadIncludes(in)});
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace npukit

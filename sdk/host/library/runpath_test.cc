// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the built libraries and programs have others searched for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/host/library/elf_facts.h"

namespace npukit {
namespace {

namespace fs = std::filesystem;

struct BuiltFile {
  std::string path;
  std::string runpath;
};

// What lies in a folder of the build tree and below, as far as it is a library or program.
std::vector<BuiltFile> BuiltFiles(const std::string& folder) {
  std::vector<BuiltFile> built;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->is_regular_file()) continue;
    if (const auto facts = ReadElfFacts(entry->path().string()))
      built.push_back({.path = entry->path().string(), .runpath = facts->runpath});
  }
  return built;
}

// "::a", "a::b" and "a:" have an empty element, which means the current folder.
bool HasEmptyElement(std::string_view runpath) {
  return !runpath.empty() && (runpath.front() == ':' || runpath.back() == ':' ||
                              runpath.find("::") != std::string_view::npos);
}

bool IsPlugin(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return name.starts_with("libLiteRtCompilerPlugin") || name.starts_with("libLiteRtDispatch");
}

TEST(Runpath, TheCurrentFolderIsNotSearched) {
  for (const char* folder : {"/lib", "/lib-abi2.2", "/lib-abi2.3", "/bin", "/test_bin",
                             "/test_plugins", "/faulty_plugins", "/op_packages"}) {
    for (const BuiltFile& file : BuiltFiles(NPUKIT_BUILD_DIR + std::string(folder)))
      EXPECT_FALSE(HasEmptyElement(file.runpath)) << file.path << ": " << file.runpath;
  }
}

// A program with LiteRT linked in must not be given our host beside it.
TEST(Runpath, PluginsDoNotBringTheirHost) {
  size_t plugins = 0;
  for (const char* folder : {"/lib", "/lib-abi2.2", "/lib-abi2.3", "/test_plugins"}) {
    for (const BuiltFile& file : BuiltFiles(NPUKIT_BUILD_DIR + std::string(folder))) {
      if (!IsPlugin(file.path)) continue;
      ++plugins;
      EXPECT_EQ(file.runpath, "") << file.path;
    }
  }
  EXPECT_GT(plugins, 20u);
}

TEST(Runpath, EmptyElements) {
  for (const char* runpath : {":", ":/a", "/a:", "/a::/b"})
    EXPECT_TRUE(HasEmptyElement(runpath)) << runpath;
  for (const char* runpath : {"", "/a", "$ORIGIN:/b"})
    EXPECT_FALSE(HasEmptyElement(runpath)) << runpath;
}

}  // namespace
}  // namespace npukit

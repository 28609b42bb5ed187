// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/elf_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <utility>

#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kPlugin =
    NPUKIT_BUILD_DIR "/test_plugins/example_like/libLiteRtCompilerPlugin_example_like.so";

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string WriteTemporary(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + "npukit_elf_" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(ElfFacts, OfAPlugin) {
  const auto facts = ReadElfFacts(kPlugin);
  ASSERT_TRUE(facts) << facts.Error().Message();
  EXPECT_EQ(facts->soname, "libLiteRtCompilerPlugin_example_like.so");
  EXPECT_THAT(facts->needed, Contains("libLiteRt.so"));
  EXPECT_TRUE(facts->Exports("LiteRtCompilerPluginPartition"));
  EXPECT_FALSE(facts->Exports("LiteRtCompilerPluginPartitio"));
  EXPECT_FALSE(facts->Exports("LiteRtPushOp"));
  EXPECT_THAT(facts->imports, Contains("LiteRtPushOp"));
  EXPECT_TRUE(facts->ImportsPrefix("LiteRt"));
  EXPECT_FALSE(facts->ImportsPrefix("Nonsense"));
  // Every shared library of GCC's has this one, and none needs it.
  EXPECT_FALSE(facts->Imports("__gmon_start__"));
}

TEST(ElfFacts, OfTheHost) {
  const auto facts = ReadElfFacts(NPUKIT_BUILD_DIR "/lib/libLiteRt.so");
  ASSERT_TRUE(facts) << facts.Error().Message();
  EXPECT_EQ(facts->soname, "libLiteRt.so");
  EXPECT_TRUE(facts->Exports("LiteRtPushOp"));
}

// A file that has not been stripped has its exports in two tables.
TEST(ElfFacts, FunctionsComeOnce) {
  std::set<std::pair<uint64_t, std::string>> seen;
  const std::vector<ElfFunction> functions = ReadFunctions(kPlugin);
  for (const ElfFunction& function : functions) {
    EXPECT_TRUE(seen.emplace(function.address, function.name).second) << function.name;
  }
  EXPECT_THAT(functions,
              Contains(::testing::Field(&ElfFunction::name, "LiteRtCompilerPluginPartition")));
}

struct BadFile {
  const char* name;
  std::string bytes;
  const char* message;
};

std::string Patched(std::string bytes, size_t offset, char value) {
  bytes[offset] = value;
  return bytes;
}

// Of a device's library, which can't be loaded here, the exports are the same.
TEST(ElfFacts, OfAnotherMachine) {
  const std::string path = WriteTemporary("other.so", Patched(ReadFile(kPlugin), 18, 8));
  EXPECT_FALSE(ReadElfFacts(path));
  const auto here = ReadElfFacts(kPlugin);
  const auto facts = ReadElfFacts(path, ElfMachine::kAny);
  ASSERT_TRUE(facts) << facts.Error().Message();
  EXPECT_EQ(facts->exports, here->exports);
}

TEST(ElfFacts, WhatIsNoLibraryIsAnError) {
  const std::string good = ReadFile(kPlugin);
  ASSERT_GT(good.size(), 64u);
  const BadFile cases[] = {
      {"empty.so", "", "not an ELF file"},
      {"text.so", "hello", "not an ELF file"},
      {"magic.so", good.substr(0, 4), "not an ELF file"},
      {"head.so", good.substr(0, 4096), "cut off"},
      {"program.so", Patched(good, 16, 1), "ELF type 1"},
      {"machine.so", Patched(good, 18, 8), "built for machine 8"},
  };
  for (const BadFile& bad : cases) {
    const std::string path = WriteTemporary(bad.name, bad.bytes);
    const auto facts = ReadElfFacts(path);
    ASSERT_FALSE(facts) << bad.name;
    EXPECT_THAT(facts.Error().Message(), HasSubstr(bad.message)) << bad.name;
    EXPECT_THAT(facts.Error().Message(), HasSubstr(path));
    EXPECT_FALSE(LoadedPlugin::Load(path)) << bad.name;
  }
  EXPECT_FALSE(ReadElfFacts("/nowhere/lib.so"));
  EXPECT_FALSE(ReadElfFacts("/"));
}

TEST(ElfFacts, AFileThatChangesIsReadAgain) {
  const std::string good = ReadFile(kPlugin);
  const std::string path = WriteTemporary("changes.so", good);
  EXPECT_TRUE(ReadElfFacts(path));
  // As long as the first, and written at once.
  WriteTemporary("changes.so", Patched(good, 16, 1));
  EXPECT_FALSE(ReadElfFacts(path));
  const auto first = ReadElfFacts(kPlugin);
  const auto second = ReadElfFacts(kPlugin);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->exports, second->exports);
  EXPECT_EQ(first->needed, second->needed);
  EXPECT_EQ(first->build_id, second->build_id);
}

// A library cut off anywhere must be refused before it is mapped: opening it
// would end the process.
TEST(ElfFacts, NoLengthOfALibraryCrashes) {
  const std::string good = ReadFile(kPlugin);
  for (size_t length = 0; length < good.size(); length += 1 + length / 16) {
    const std::string path = WriteTemporary("cut.so", good.substr(0, length));
    const auto facts = ReadElfFacts(path);
    if (facts) continue;  // only the section headers are missing
    EXPECT_FALSE(LoadedPlugin::Load(path)) << length << " bytes";
  }
}

TEST(ElfFacts, FlippedBytesNeverCrashTheReader) {
  const std::string good = ReadFile(kPlugin);
  std::mt19937 random(3);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bytes = good;
    // The headers first: section headers stand at the end of the file.
    for (int flips = 0; flips < 8; ++flips) {
      const size_t reach = flips % 2 == 0 ? 1024 : bytes.size();
      const size_t at = random() % reach;
      bytes[flips % 4 < 2 ? at : bytes.size() - 1 - at] ^= static_cast<char>(1 << (random() % 8));
    }
    refused += !ReadElfFacts(WriteTemporary("flipped.so", bytes));
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace npukit

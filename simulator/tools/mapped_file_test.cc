// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/mapped_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace acme {
namespace {

class MappedFileTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }

  void Write(const std::vector<uint8_t>& bytes) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }

  const std::string path_ =
      (std::filesystem::path(::testing::TempDir()) / fmt::format("acme_mapped_{}", getpid()));
};

std::vector<uint8_t> ModuleWithConstants(size_t size_bytes) {
  Module module;
  module.producer = "test";
  module.constants = std::vector<uint8_t>(size_bytes, 1);
  return SerializeModule(module);
}

// How much of the mapping at `address` this process holds in memory.
size_t ResidentKilobytes(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const std::string begin = fmt::format("{:x}-", reinterpret_cast<uintptr_t>(address));
  bool is_there = false;
  size_t kilobytes = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.starts_with(begin)) is_there = true;
    if (is_there && sscanf(line.c_str(), "Rss: %zu kB", &kilobytes) == 1) return kilobytes;
  }
  ADD_FAILURE() << "no mapping at " << address;
  return 0;
}

TEST_F(MappedFileTest, HoldsNoMemoryOfWhatWasReadThrough) {
  constexpr size_t kConstantBytes = size_t{20} << 20;
  Write(ModuleWithConstants(kConstantBytes));
  const auto source = OpenModuleSource(path_);
  ASSERT_TRUE(source) << source.Error().Message();
  ModuleSource keeping = *source;
  keeping.passed = {};
  const std::vector<Module> kept = FindModules(keeping);
  EXPECT_GE(ResidentKilobytes(source->bytes.data()), kConstantBytes >> 10);
  const std::vector<Module> found = FindModules(*source);
  EXPECT_LE(ResidentKilobytes(source->bytes.data()), 1024U);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found, kept) << "the bytes come back when they are looked at";
}

TEST_F(MappedFileTest, ModulesKeepTheFile) {
  Write(ModuleWithConstants(100));
  std::vector<Module> found;
  {
    const auto source = OpenModuleSource(path_);
    ASSERT_TRUE(source) << source.Error().Message();
    found = FindModules(*source);
  }
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].constants, ConstantBytes(std::vector<uint8_t>(100, 1)));
}

TEST_F(MappedFileTest, ReadsAPipeOnce) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const std::vector<uint8_t> module = ModuleWithConstants(size_t{1} << 20);
  std::thread writer([&] { Write(module); });
  const auto source = OpenModuleSource(path_);
  writer.join();
  ASSERT_TRUE(source) << source.Error().Message();
  EXPECT_EQ(std::vector<uint8_t>(source->bytes.begin(), source->bytes.end()), module);
  EXPECT_EQ(FindModules(*source).size(), 1U);
}

TEST_F(MappedFileTest, SaysWhatItCannotRead) {
  const auto missing = OpenModuleSource(path_);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.Error().Code(), ErrorCode::kIo);
  EXPECT_NE(missing.Error().Message().find(path_), std::string::npos);
  EXPECT_FALSE(OpenModuleSource(::testing::TempDir()));
  Write({});
  const auto empty = OpenModuleSource(path_);
  ASSERT_TRUE(empty) << empty.Error().Message();
  EXPECT_TRUE(empty->bytes.empty());
}

}  // namespace
}  // namespace acme

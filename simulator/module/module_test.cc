// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/module.h"

#include <gtest/gtest.h>

#include "simulator/isa/program_builder.h"
#include "simulator/module/module_generated.h"

namespace acme {
namespace {

Module Sample() {
  ProgramBuilder b;
  b.Mark(1);
  b.Emit(isa::LdCopy{.binding = 2, .bytes = 64}, Post(1));
  b.Halt();
  Module module;
  module.soc_model = "acme_a1";
  module.program_key = 0x1234567890ABCDEFu;
  module.entries.push_back(
      {"main", {{"x", 64, false}, {"y", 32, true}}, 128, *b.Finish(), {0, 1, 2, 3, 4}, 77});
  module.entries.push_back({"empty", {}, 0, {}, {}, 0});
  module.constants = {1, 2, 3, 4, 5, 6, 7};
  module.debug = {{"conv", {0, 1}}, {"add", {}}};
  module.producer = "test";
  return module;
}

TEST(ModuleTest, RoundTrips) {
  const std::vector<uint8_t> bytes = SerializeModule(Sample());
  EXPECT_TRUE(LooksLikeModule(bytes));
  Expected<Module> parsed = ParseModule(bytes);
  ASSERT_TRUE(parsed) << parsed.Error().Message();
  EXPECT_EQ(*parsed, Sample());
  EXPECT_EQ(bytes, SerializeModule(*parsed));
  EXPECT_NE(parsed->FindEntry("main"), nullptr);
  EXPECT_EQ(parsed->FindEntry("other"), nullptr);
}

TEST(ModuleTest, EveryFlippedBitIsFound) {
  std::vector<uint8_t> bytes = SerializeModule(Sample());
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= 1 << (bit % 8);
    EXPECT_FALSE(ParseModule(bytes)) << "bit " << bit;
    bytes[bit / 8] ^= 1 << (bit % 8);
  }
  EXPECT_TRUE(ParseModule(bytes));
}

TEST(ModuleTest, EveryTruncationIsFound) {
  const std::vector<uint8_t> bytes = SerializeModule(Sample());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<uint8_t> cut(bytes.begin(), bytes.begin() + size);
    EXPECT_FALSE(ParseModule(cut)) << size;
  }
}

TEST(ModuleTest, IsFoundInsideOtherBytes) {
  const std::vector<uint8_t> module = SerializeModule(Sample());
  std::vector<uint8_t> file(13, 'A');
  for (int i = 0; i < 2; ++i) {
    file.insert(file.end(), {'A', 'C', 'M', 'E', 0, 1});
    file.insert(file.end(), module.begin(), module.end());
  }
  const auto found = FindModules(file);
  ASSERT_EQ(found.size(), 2u);
  for (const auto& bytes : found) EXPECT_EQ(*ParseModule(bytes), Sample());
  EXPECT_TRUE(FindModules({}).empty());
}

std::vector<uint8_t> WithSharedEntries(bool shares_code, uint64_t size_bytes) {
  flatbuffers::FlatBufferBuilder builder;
  builder.ForceDefaults(true);
  const auto name = builder.CreateString(std::string(shares_code ? 1 : 1600, 'n'));
  const auto code = builder.CreateVector(std::vector<uint8_t>(shares_code ? 1600 : 0));
  const auto entry = fb::CreateEntryPoint(builder, name, 0, 0, code);
  const auto entries =
      builder.CreateVector(std::vector<flatbuffers::Offset<fb::EntryPoint>>(1000, entry));
  fb::FinishModuleBuffer(builder, fb::CreateModule(builder, kIsaVersionMajor, kIsaVersionMinor, 0,
                                                   0, entries, 0, 0, 0, size_bytes, 0));
  std::vector<uint8_t> bytes(builder.GetBufferPointer(),
                             builder.GetBufferPointer() + builder.GetSize());
  EXPECT_TRUE(ResealModule(bytes));
  return bytes;
}

// Entries that share one text or one program: as many copies as a file likes.
TEST(ModuleTest, WhatIsSharedDoesNotFillTheMemory) {
  for (const bool shares_code : {false, true}) {
    const size_t size_bytes = WithSharedEntries(shares_code, 0).size();
    const auto parsed = ParseModule(WithSharedEntries(shares_code, size_bytes));
    ASSERT_FALSE(parsed) << shares_code;
    EXPECT_NE(parsed.Error().Message().find("larger than its file"), std::string::npos)
        << parsed.Error().Message();
  }
}

TEST(ModuleTest, RefusesAnotherIsaVersion) {
  Module module = Sample();
  module.isa_major = kIsaVersionMajor + 1;
  Expected<Module> parsed = ParseModule(SerializeModule(module));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.Error().Code(), ErrorCode::kIncompatible);
  EXPECT_EQ(parsed.Error().Message(), "made for ISA version 2.15, this is 1.15");
}

}  // namespace
}  // namespace acme

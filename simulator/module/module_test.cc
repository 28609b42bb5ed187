// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/module.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulator/isa/program_builder.h"
#include "simulator/module/module_checksum.h"
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

TEST(ModuleTest, HasNoMoreBytesThanItIsSaidToHaveAtMost) {
  Module large = Sample();
  for (int i = 0; i < 100; ++i) {
    large.entries.push_back({fmt::format("e{}", i), {{"x", 1, false}}, 0, {}, {1}, 0});
    large.entries.back().variants.resize(3, {.guards = {{}, {}}});
    large.debug.push_back({"a name", {1, 2, 3}});
  }
  for (const Module& module : {Sample(), Module(), large}) {
    const size_t size_bytes = SerializeModule(module).size();
    EXPECT_GE(MostBytes(module), size_bytes);
    EXPECT_LE(MostBytes(module), 6 * size_bytes + 1024);
  }
  large.constants = ConstantBytes({static_cast<const uint8_t*>(nullptr), kMaxModuleBytes}, nullptr);
  EXPECT_GT(MostBytes(large), kMaxModuleBytes);
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
  EXPECT_EQ(FindModules({.bytes = file}), (std::vector<Module>{Sample(), Sample()}));
  EXPECT_TRUE(FindModules({}).empty());
}

// Modules that lie over the ends of the stretches in which a file is read.
TEST(ModuleTest, IsFoundWhereverItStands) {
  Module large = Sample();
  large.constants = std::vector<uint8_t>(size_t{9} << 20, 'A');
  const std::vector<uint8_t> module = SerializeModule(large);
  for (const size_t begin : {size_t{0}, size_t{3}, size_t{4096}, kStretchBytes - 8,
                             kStretchBytes - 7, kStretchBytes - 4, kStretchBytes}) {
    std::vector<uint8_t> file(begin, 'A');
    file.insert(file.end(), module.begin(), module.end());
    const uint8_t* passed = nullptr;  // the last stretch's end
    const std::vector<Module> found =
        FindModules({.bytes = file, .owner = {}, .passed = [&](std::span<const uint8_t> stretch) {
                       passed = stretch.data() + stretch.size();
                     }});
    EXPECT_EQ(passed, file.data() + file.size()) << begin;
    ASSERT_EQ(found.size(), 1u) << begin;
    EXPECT_EQ(found[0], large) << begin;
  }
}

// Borrowed constants are the file's bytes where these are aligned; a copy elsewhere.
TEST(ModuleTest, ConstantsStayInTheSource) {
  const std::vector<uint8_t> bytes = SerializeModule(Sample());
  const auto in = [](const ConstantBytes& constants, std::span<const uint8_t> all) {
    return constants.data() >= all.data() && constants.data() < all.data() + all.size();
  };
  const Expected<Module> borrowed = ParseModuleInPlace({.bytes = bytes});
  ASSERT_TRUE(borrowed);
  EXPECT_TRUE(in(borrowed->constants, bytes));
  EXPECT_FALSE(in(ParseModule(bytes)->constants, bytes));
  std::vector<uint8_t> shifted(1);
  shifted.insert(shifted.end(), bytes.begin(), bytes.end());
  const std::span<const uint8_t> odd = std::span<const uint8_t>(shifted).subspan(1);
  const Expected<Module> copied = ParseModuleInPlace({.bytes = odd});
  ASSERT_TRUE(copied);
  EXPECT_FALSE(in(copied->constants, shifted));
  EXPECT_EQ(*copied, Sample());
}

// The owner lives as long as constants that it keeps.
TEST(ModuleTest, ConstantsKeepTheirOwner) {
  auto bytes = std::make_shared<const std::vector<uint8_t>>(SerializeModule(Sample()));
  const std::weak_ptr<const std::vector<uint8_t>> kept = bytes;
  ConstantBytes constants = ParseModuleInPlace({.bytes = *bytes, .owner = bytes})->constants;
  bytes.reset();
  EXPECT_FALSE(kept.expired());
  EXPECT_EQ(constants, Sample().constants);
  constants = {};
  EXPECT_TRUE(kept.expired());
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

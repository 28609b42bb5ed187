// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/hw/hardware.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "simulator/hw/doubled_hardware.h"

namespace acme {
namespace {

TEST(HardwareTest, BuiltinModelsHaveTheirSizes) {
  struct Case {
    std::string_view name;
    int64_t array, scratchpad_bytes;
  };
  for (const Case& c : {Case{"acme_a0", 16, 256 << 10}, Case{"acme_a1", 32, 1 << 20},
                        Case{"acme_a2", 64, 4 << 20}}) {
    Expected<Hardware> hw = BuiltinHardware(c.name);
    ASSERT_TRUE(hw) << hw.Error().Message();
    EXPECT_EQ(hw->name, c.name);
    EXPECT_EQ(hw->array_rows, c.array);
    EXPECT_EQ(hw->array_cols, c.array);
    EXPECT_EQ(hw->scratchpad_bytes, c.scratchpad_bytes);
    EXPECT_EQ(hw->vector_lanes, 2 * hw->array_cols);
  }
}

TEST(HardwareTest, BuiltinModelsAreWhatTheirDescriptionsSay) {
  for (const std::string_view name : BuiltinSocModels()) {
    const Expected<Hardware> parsed = ParseHardware(*BuiltinHardwareYaml(name), name);
    ASSERT_TRUE(parsed) << parsed.Error().Message();
    EXPECT_EQ(*BuiltinHardware(name), *parsed) << name;
  }
}

TEST(HardwareTest, DescriptionsReadBackAsTheyWere) {
  for (const std::string_view name : BuiltinSocModels()) {
    Hardware hardware = *BuiltinHardware(name);
    hardware.name = "a \"chip\" \\ of: mine\n#";
    const Expected<Hardware> parsed = ParseHardware(HardwareYaml(hardware), name);
    ASSERT_TRUE(parsed) << parsed.Error().Message();
    EXPECT_EQ(hardware, *parsed) << name;
  }
}

TEST(HardwareTest, OneThingIsDoubled) {
  const Hardware plain = *BuiltinHardware("acme_a1");
  EXPECT_EQ(Doubled(plain, "array")->PeakMacsPerCycle(), 2 * plain.PeakMacsPerCycle());
  EXPECT_EQ(Doubled(plain, "bandwidth")->dram_bytes_per_cycle, 2 * plain.dram_bytes_per_cycle);
  EXPECT_EQ(Doubled(plain, "vector")->vector_lanes_16, 2 * plain.vector_lanes_16);
  Hardware wanted = plain;
  wanted.name = "acme_a1 with twice the scratchpad";
  wanted.scratchpad_bytes = 2 << 20;
  EXPECT_EQ(*Doubled(plain, "scratchpad"), wanted);
  EXPECT_EQ(DoubledResources().size(), 4u);
  EXPECT_EQ(Doubled(plain, "luck").Error().Code(), ErrorCode::kNotFound);
  wanted.scratchpad_bytes = 16 << 20;
  EXPECT_EQ(Doubled(wanted, "scratchpad").Error().Code(), ErrorCode::kInvalidArgument);
}

TEST(HardwareTest, EmptyNameIsTheDefault) {
  ASSERT_TRUE(BuiltinHardware(""));
  EXPECT_EQ(BuiltinHardware("")->name, kDefaultSocModel);
}

TEST(HardwareTest, UnknownModelNamesTheKnownOnes) {
  Expected<Hardware> hw = BuiltinHardware("acme_x9");
  ASSERT_FALSE(hw);
  EXPECT_EQ(hw.Error().Code(), ErrorCode::kNotFound);
  EXPECT_EQ(hw.Error().Message(),
            "unknown SoC model acme_x9; known: acme_a0, acme_a1, acme_a2, acme_edge128, "
            "acme_edge256, gemmini_like");
}

TEST(HardwareTest, ErrorsCarryLineAndColumn) {
  struct Case {
    std::string_view yaml, message;
  };
  const Case cases[] = {
      {"name: x\nbase: acme_a1\narray:\n  rows: 0\n",
       "t.yaml:4:9: array.rows: 0 is not in 1 .. 256"},
      {"name: x\nbase: acme_a1\narray:\n  rowz: 8\n",
       "t.yaml:4:3: there is no hardware field array.rowz"},
      {"name: x\nbase: acme_a1\narray:\n  overlap: maybe\n",
       "t.yaml:4:12: array.overlap: maybe is not true or false"},
      {"name: x\nbase: acme_a1\nenergy: {dram_byte_pj: -1}\n",
       "t.yaml:3:24: energy.dram_byte_pj: -1 is not a number of at least 0"},
      {"name: x\nbase: nothing\n",
       "t.yaml:2:7: unknown SoC model nothing; known: acme_a0, acme_a1, acme_a2, acme_edge128, "
       "acme_edge256, gemmini_like"},
      {"name: x\n", "t.yaml:1:1: array.rows is missing (or name a model with 'base:')"},
      {"base: acme_a1\n", "t.yaml:1:1: name is missing"},
      {"name: [\n", "t.yaml:2:1: end of sequence flow not found"},
      {"- 1\n", "t.yaml:1:1: a hardware description must hold keys and values"},
      {"name: x\nbase: acme_a1\narray: 3\n", "t.yaml:3:8: array must hold keys and values"},
  };
  for (const Case& c : cases) {
    Expected<Hardware> hw = ParseHardware(c.yaml, "t.yaml");
    ASSERT_FALSE(hw) << c.yaml;
    EXPECT_EQ(hw.Error().Message(), c.message);
  }
}

TEST(HardwareTest, BaseIsOverridden) {
  Expected<Hardware> hw =
      ParseHardware("name: x\nbase: acme_a1\ndram: {bytes_per_cycle: 64}\n", "t");
  ASSERT_TRUE(hw) << hw.Error().Message();
  Hardware expected = *BuiltinHardware("acme_a1");
  expected.name = "x";
  expected.dram_bytes_per_cycle = 64;
  EXPECT_EQ(*hw, expected);
}

TEST(HardwareTest, FieldsOfLaterVersionsMayBeLeftOut) {
  const Hardware a1 = *BuiltinHardware("acme_a1");
  EXPECT_EQ(a1.tile_rows, 1);
  EXPECT_EQ(a1.tile_cols, 1);
  EXPECT_EQ(a1.pipeline_cycles, 0);
  EXPECT_EQ(a1.weight_swap_cycles, 1);
  EXPECT_FALSE(a1.load_used_rows);
  EXPECT_FALSE(a1.drain_used_columns);
  EXPECT_EQ(a1.row_groups, 2);
  EXPECT_EQ(BuiltinHardware("acme_a0")->col_groups, 1);
  // No program depends on them.
  Hardware mesh = *BuiltinHardware("gemmini_like");
  EXPECT_EQ(mesh.tile_rows, 2);
  EXPECT_EQ(mesh.weight_swap_cycles, 0);
  EXPECT_TRUE(mesh.drain_used_columns);
  EXPECT_EQ(mesh.ProgramKey(), a1.ProgramKey());
  ASSERT_TRUE(SetHardwareField(mesh, "tile_cols", "4"));
  EXPECT_EQ(mesh.tile_cols, 4);
  EXPECT_FALSE(SetHardwareField(mesh, "array.tile_cols", "0"));
  EXPECT_FALSE(SetHardwareField(mesh, "array.load_used_rows", "1"));
}

TEST(HardwareTest, AFileMayBeTheBaseOfAnother) {
  const auto write = [](const std::string& name, const std::string& text) {
    const std::string path = testing::TempDir() + "npukit_hw_" + name;
    std::ofstream(path) << text;
    return path;
  };
  write("a.yaml", "name: a\nbase: acme_a0\narray: {rows: 8}\n");
  const auto b = ReadHardwareFile(write("b.yaml", "base: npukit_hw_a.yaml\nname: b\n"));
  ASSERT_TRUE(b) << b.Error().Message();
  EXPECT_EQ(b->name, "b");
  EXPECT_EQ(b->array_rows, 8);
  EXPECT_EQ(b->array_cols, 16);
  const auto own = ReadHardwareFile(write("c.yaml", "base: npukit_hw_c.yaml\nname: c\n"));
  ASSERT_FALSE(own);
  EXPECT_NE(own.Error().Message().find("files name each other"), std::string::npos);
  for (const std::string& file :
       {write("d.yaml", "base: npukit_hw_none.yaml\nname: d\n"), testing::TempDir()})
    EXPECT_FALSE(ReadHardwareFile(file)) << file;
  const auto large = ReadHardwareFile(write("large.yaml", std::string((1 << 20) + 1, ' ')));
  ASSERT_FALSE(large);
  EXPECT_NE(large.Error().Message().find("larger than a mebibyte"), std::string::npos);
}

TEST(HardwareTest, SetFieldBySeveralNames) {
  Hardware hw = *BuiltinHardware("acme_a1");
  ASSERT_TRUE(SetHardwareField(hw, "dram.bytes_per_cycle", "8"));
  EXPECT_EQ(hw.dram_bytes_per_cycle, 8);
  ASSERT_TRUE(SetHardwareField(hw, "dram_bytes_per_cycle", "32"));
  EXPECT_EQ(hw.dram_bytes_per_cycle, 32);
  ASSERT_TRUE(SetHardwareField(hw, "banks", "4"));
  EXPECT_EQ(hw.scratchpad_banks, 4);
  Expected<void> rows = SetHardwareField(hw, "rows", "4");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.Error().Message(),
            "hardware field rows is ambiguous: array and accumulators have it");
}

TEST(HardwareTest, ProgramKeyFollowsWhatProgramsDependOn) {
  const Hardware a1 = *BuiltinHardware("acme_a1");
  Hardware other = a1;
  other.name = "other";
  other.dram_bytes_per_cycle = 1;
  other.scratchpad_banks = 2;
  EXPECT_EQ(a1.ProgramKey(), other.ProgramKey());
  other.scratchpad_bytes /= 2;
  EXPECT_NE(a1.ProgramKey(), other.ProgramKey());
}

}  // namespace
}  // namespace acme

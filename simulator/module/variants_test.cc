// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "simulator/isa/program_builder.h"
#include "simulator/module/verify.h"

namespace acme {
namespace {

using Kind = ModuleGuard::Kind;

template <class T>
bool PassesOf(const ModuleGuard& guard, const std::vector<T>& elems) {
  return Passes(guard, {reinterpret_cast<const uint8_t*>(elems.data()), elems.size() * sizeof(T)});
}

TEST(ModuleGuard, BelowIsAskedOfEveryElement) {
  const ModuleGuard guard = {.kind = Kind::kBelow, .limit = 64};
  EXPECT_TRUE(PassesOf<int32_t>(guard, {0, 63, 5}));
  EXPECT_FALSE(PassesOf<int32_t>(guard, {0, 64, 5}));
  EXPECT_FALSE(PassesOf<int32_t>(guard, {0, 63, -1}));
  EXPECT_FALSE(PassesOf<int32_t>(guard, {std::numeric_limits<int32_t>::min()}));
}

TEST(ModuleGuard, HiddenIsAskedOfEveryRow) {
  const ModuleGuard guard = {.kind = Kind::kHidden, .limit = 2, .row_elems = 4, .margin = 100};
  EXPECT_TRUE(PassesOf<float>(guard, {-50, 0, -100, -1000, -1000, 7, -93, -93}));
  EXPECT_FALSE(PassesOf<float>(guard, {-50, 0, -100, -1000, -1000, 7, -93, -92.5f}));
  EXPECT_FALSE(PassesOf<float>(guard, {-50, 0, -100, -99, -1000, 7, -93, -93}));
  // A row that is hidden as a whole has shares in all of it.
  EXPECT_FALSE(PassesOf<float>(guard, {-1000, -1000, -1000, -1000}));
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(PassesOf<float>(guard, {0, -infinity, -infinity, -infinity}));
  EXPECT_FALSE(PassesOf<float>(guard, {-infinity, -infinity, -infinity, -infinity}));
}

TEST(ModuleGuard, NothingIsHiddenBesideWhatIsNoNumber) {
  const ModuleGuard guard = {.kind = Kind::kHidden, .limit = 2, .row_elems = 4, .margin = 100};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (size_t at = 0; at < 4; ++at) {
    std::vector<float> row = {0, 0, -1000, -1000};
    row[at] = nan;
    EXPECT_FALSE(PassesOf(guard, row)) << at;
  }
}

TEST(ModuleGuard, UnsetIsAskedOfEveryRow) {
  const ModuleGuard guard = {.kind = Kind::kUnset, .limit = 2, .row_elems = 3};
  EXPECT_TRUE(PassesOf<uint8_t>(guard, {1, 0, 0, 0, 1, 0}));
  EXPECT_FALSE(PassesOf<uint8_t>(guard, {1, 0, 0, 0, 1, 1}));
  EXPECT_FALSE(PassesOf<uint8_t>(guard, {1, 0, 0, 0, 0, 0}));
}

// Position, a mask of two rows of four, and what comes out.
ModuleEntry EntryOf(std::vector<ModuleVariant> variants) {
  return {.name = "main",
          .bindings = {{"position", 4, false}, {"mask", 32, false}, {"y", 4, true}},
          .variants = std::move(variants)};
}

TEST(ChooseVariant, TakesTheFirstThatPasses) {
  const auto below = [](uint32_t limit) {
    return ModuleVariant{.guards = {{.kind = Kind::kBelow, .binding = 0, .limit = limit}}};
  };
  const ModuleEntry entry = EntryOf({below(8), below(16)});
  EXPECT_TRUE(CheckGuards(entry));
  const auto choose = [&](int32_t position) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&position);
    const std::vector<const uint8_t*> bindings = {bytes, nullptr, nullptr};
    return ChooseVariant(entry, bindings);
  };
  EXPECT_EQ(choose(7), 0u);
  EXPECT_EQ(choose(8), 1u);
  EXPECT_EQ(choose(16), std::nullopt);
}

TEST(CheckGuards, RefusesWhatCannotBeAsked) {
  const auto refuses = [](const ModuleGuard& guard) {
    const auto checked = CheckGuards(EntryOf({{.guards = {guard}}}));
    return !checked && checked.Error().Code() == ErrorCode::kInvalidProgram;
  };
  EXPECT_FALSE(refuses({.kind = Kind::kHidden, .binding = 1, .limit = 2, .row_elems = 4}));
  EXPECT_TRUE(refuses({.kind = Kind::kBelow, .binding = 2, .limit = 2})) << "an output";
  EXPECT_TRUE(refuses({.kind = Kind::kBelow, .binding = 3, .limit = 2})) << "none";
  EXPECT_TRUE(refuses({.kind = Kind::kHidden, .binding = 1, .limit = 2, .row_elems = 3}));
  EXPECT_TRUE(refuses({.kind = Kind::kHidden, .binding = 1, .limit = 2, .row_elems = 0}));
  EXPECT_TRUE(refuses({.kind = Kind::kHidden, .binding = 1, .limit = 5, .row_elems = 4}));
  EXPECT_TRUE(refuses({.kind = Kind::kHidden, .binding = 1, .limit = 0, .row_elems = 4}));
}

TEST(Describe, NamesTheInput) {
  const ModuleEntry entry = EntryOf({});
  EXPECT_EQ(Describe({.kind = Kind::kBelow, .binding = 0, .limit = 64}, entry),
            "'position' is in [0, 64)");
  EXPECT_EQ(Describe({.kind = Kind::kHidden, .binding = 1, .limit = 2, .row_elems = 4, .margin = 9},
                     entry),
            "of each 4 of 'mask' those from 2 on are 9 below the largest");
}

TEST(SerializeModule, KeepsVariants) {
  ProgramBuilder b;
  b.Halt();
  Module module;
  module.soc_model = "acme_a1";
  module.entries.push_back(EntryOf(
      {{.guards =
            {{.kind = Kind::kHidden, .binding = 1, .limit = 2, .row_elems = 4, .margin = 4096}},
        .code = *b.Finish(),
        .roofline_cycles = {1, 2, 3, 4, 5},
        .macs = 6}}));
  const auto read = ParseModule(SerializeModule(module));
  ASSERT_TRUE(read) << read.Error().Message();
  EXPECT_EQ(*read, module);
}

// A run for time takes the entry point's own program, and asks nothing of the others.
TEST(VerifyOwnProgram, LooksAtThatAlone) {
  ProgramBuilder b;
  b.Halt();
  const Hardware hardware = *BuiltinHardware("acme_a1");
  Module module;
  module.soc_model = hardware.name;
  module.program_key = hardware.ProgramKey();
  module.entries.push_back(EntryOf({{}}));
  ModuleEntry& entry = module.entries.front();
  entry.code = *b.Finish();
  EXPECT_FALSE(VerifyModule(module, hardware)) << "the variant has no code";
  EXPECT_TRUE(VerifyOwnProgram(module, entry, hardware));
  EXPECT_EQ(VerifyOwnProgram(module, entry, *BuiltinHardware("acme_a2")).Error().Code(),
            ErrorCode::kIncompatible);
  entry.workspace_bytes = kMaxWorkspaceBytes + 1;
  EXPECT_FALSE(VerifyOwnProgram(module, entry, hardware));
  entry.workspace_bytes = 0;
  entry.code.clear();
  EXPECT_FALSE(VerifyOwnProgram(module, entry, hardware));
}

}  // namespace
}  // namespace acme

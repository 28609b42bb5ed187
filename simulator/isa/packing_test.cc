// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/packing.h"

#include <gtest/gtest.h>

#include <random>

#include "simulator/isa/program_builder.h"

namespace acme {
namespace {

TEST(PackingTest, WhatIsTheSameIsLeftOut) {
  ProgramBuilder b;
  b.Emit(isa::MLoadW{.addr = 0x100, .k = 16, .n = 16, .k_stride = 16, .n_stride = 1}, Wait(2));
  b.Emit(isa::VNop{});
  b.Emit(isa::MLoadW{.addr = 0x200, .k = 16, .n = 16, .k_stride = 16, .n_stride = 1}, Wait(2));
  b.Halt();
  const std::vector<Word> code = *b.Finish();
  const std::vector<uint32_t> ends = PackedEnds(code);
  EXPECT_EQ(ends[1] - ends[0], 3u);
  EXPECT_EQ(ends[2] - ends[1], 4u) << "a byte of the address";
  EXPECT_EQ(ends[3] - ends[2], 3u);
}

TEST(PackingTest, BlocksBeginAnew) {
  ProgramBuilder b;
  for (size_t i = 0; i < 2 * kPackedBlock; ++i) b.SetA(1, 0x1234);
  b.Halt();
  const std::vector<uint32_t> ends = PackedEnds(*b.Finish());
  EXPECT_EQ(ends[kPackedBlock] - ends[kPackedBlock - 1], ends[0]);
  EXPECT_EQ(ends[kPackedBlock + 1] - ends[kPackedBlock], 3u);
}

TEST(PackingTest, UnpackedItIsTheSameAgain) {
  std::mt19937 random(1);
  std::vector<Word> code(100);
  for (Word& word : code) {
    for (uint32_t& part : word.w) part = random() & (random() % 3 == 0 ? 0u : 0xFF00FFu);
    word.w[0] = (word.w[0] & ~0xFFu) | random() % 5;
  }
  const std::vector<uint8_t> packed = PackInstructions(code);
  EXPECT_EQ(packed.size(), PackedEnds(code).back());
  const auto unpacked = UnpackInstructions(packed);
  ASSERT_TRUE(unpacked);
  EXPECT_EQ(*unpacked, code);
}

TEST(PackingTest, TellsWhereTheBytesEnd) {
  ProgramBuilder b;
  b.SetA(1, 0x1234);
  b.Halt();
  std::vector<uint8_t> packed = PackInstructions(*b.Finish());
  packed.pop_back();
  const auto unpacked = UnpackInstructions(packed);
  ASSERT_FALSE(unpacked);
  EXPECT_EQ(unpacked.Error().Message(), "the packed code ends within an instruction");
}

}  // namespace
}  // namespace acme

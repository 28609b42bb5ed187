// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/packing.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

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

// The packed form as packing.h describes it, written and read: what PackedEnds counts is enough to have
// the instructions again.
using Bytes = std::array<uint8_t, kInstructionBytes>;

std::vector<uint8_t> Pack(const std::vector<Word>& code) {
  std::vector<uint8_t> packed;
  std::map<uint8_t, Bytes> last;
  for (size_t i = 0; i < code.size(); ++i) {
    if (i % kPackedBlock == 0) last.clear();
    const auto bytes = std::bit_cast<Bytes>(code[i]);
    Bytes& before = last[bytes[0]];
    std::vector<uint8_t> apart;
    uint32_t differs = 0;
    for (size_t b = 1; b < bytes.size(); ++b) {
      if (bytes[b] == before[b]) continue;
      differs |= 1U << (b - 1);
      apart.push_back(bytes[b]);
    }
    packed.insert(packed.end(), {bytes[0], static_cast<uint8_t>(differs & 0xFF),
                                 static_cast<uint8_t>(differs >> 8)});
    packed.insert(packed.end(), apart.begin(), apart.end());
    before = bytes;
  }
  return packed;
}

std::vector<Word> Unpack(const std::vector<uint8_t>& packed) {
  std::vector<Word> code;
  std::map<uint8_t, Bytes> last;
  for (size_t at = 0; at < packed.size();) {
    if (code.size() % kPackedBlock == 0) last.clear();
    Bytes& bytes = last[packed[at]];
    bytes[0] = packed[at];
    const uint32_t differs = packed[at + 1] | packed[at + 2] << 8;
    at += 3;
    for (size_t b = 1; b < bytes.size(); ++b) {
      if ((differs >> (b - 1) & 1) != 0) bytes[b] = packed[at++];
    }
    code.push_back(std::bit_cast<Word>(bytes));
  }
  return code;
}

TEST(PackingTest, UnpackedItIsTheSameAgain) {
  std::mt19937 random(1);
  std::vector<Word> code(100);
  for (Word& word : code) {
    for (uint32_t& part : word.w) part = random() & (random() % 3 == 0 ? 0u : 0xFF00FFu);
    word.w[0] = (word.w[0] & ~0xFFu) | random() % 5;
  }
  const std::vector<uint8_t> packed = Pack(code);
  EXPECT_EQ(packed.size(), PackedEnds(code).back());
  EXPECT_EQ(Unpack(packed), code);
}

}  // namespace
}  // namespace acme

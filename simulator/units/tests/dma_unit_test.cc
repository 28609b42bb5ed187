// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/dma_unit.h"

#include <gtest/gtest.h>

#include <vector>

#include "simulator/units/testing/unit_rig.h"

namespace acme {
namespace {

// ld.nd by its loop nest.
void ReferenceLoad(const isa::LdNd& i, const DmaState& s, const uint8_t* dram, uint8_t* spm) {
  auto extent = [&](int d) { return s.shape[d] + (i.pad ? s.pad_lo[d] + s.pad_hi[d] : 0); };
  Extents index;
  for (index[3] = 0; index[3] < extent(3); ++index[3]) {
    for (index[2] = 0; index[2] < extent(2); ++index[2]) {
      for (index[1] = 0; index[1] < extent(1); ++index[1]) {
        for (index[0] = 0; index[0] < extent(0); ++index[0]) {
          int64_t to = i.spm, from = i.dram;
          bool inside = true;
          for (int d = 0; d < 4; ++d) {
            const int64_t at = index[d] - (i.pad ? s.pad_lo[d] : 0);
            inside = inside && at >= 0 && at < s.shape[d];
            to += index[d] * s.spm_stride[d];
            from += at * (d == 0 ? i.elem_bytes : s.dram_stride[d]);
          }
          uint64_t fill = s.pad_value;
          std::memcpy(spm + to, inside ? dram + from : reinterpret_cast<const uint8_t*>(&fill),
                      i.elem_bytes);
        }
      }
    }
  }
}

TEST(DmaUnitTest, LoadsMatchTheLoopNest) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    UnitRig rig(seed);
    std::vector<uint8_t> dram(1 << 14);
    for (uint8_t& byte : dram) byte = static_cast<uint8_t>(rig.Pick(0, 255));
    rig.units.memory().buffers = {dram.data()};
    const uint32_t elem = 1u << rig.Pick(0, 3);
    const int32_t e = static_cast<int32_t>(elem);
    auto n = [&] { return static_cast<uint32_t>(rig.Pick(1, 5)); };
    const isa::LdShape shape{n(), n(), n(), n()};
    rig.Do(shape);
    rig.Do(isa::LdDramStride{rig.Pick(0, 9) * e, rig.Pick(0, 60), rig.Pick(0, 300)});
    // Every order of the dimensions in the scratchpad, some with gaps.
    const int32_t gap = rig.Pick(0, 1) * e;
    const int32_t widths[4] = {e, 8 * e + gap, 64 * e + 8 * gap, 512 * e};
    const int turn = rig.Pick(0, 3);
    rig.Do(isa::LdSpmStride{widths[turn], widths[(turn + 1) % 4], widths[(turn + 2) % 4],
                            widths[(turn + 3) % 4]});
    rig.Do(isa::LdPad{static_cast<uint32_t>(rig.random()), 1, 0, 0, 2, 1, 1, 0, 1});
    const isa::LdNd load{
        .binding = 0, .dram = 777, .spm = 100, .elem_bytes = elem, .pad = seed % 2 == 0};
    std::vector<uint8_t> expected(rig.At(0), rig.At(0) + rig.hardware.scratchpad_bytes);
    ReferenceLoad(load, rig.state.load, dram.data(), expected.data());
    rig.Do(load);
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), rig.At(0))) << "seed " << seed;
  }
}

TEST(DmaUnitTest, StoreTransposes) {
  UnitRig rig(1);
  std::vector<uint8_t> dram(64, 0);
  rig.units.memory().buffers = {nullptr, dram.data()};
  rig.Do(isa::StShape{3, 4, 1, 1});
  rig.Do(isa::StDramStride{3, 0, 0});
  rig.Do(isa::StSpmStride{4, 1, 0, 0});
  rig.Do(isa::StNd{.binding = 1, .dram = 5, .spm = 10, .elem_bytes = 1});
  for (int i1 = 0; i1 < 4; ++i1) {
    for (int i0 = 0; i0 < 3; ++i0) EXPECT_EQ(dram[5 + i1 * 3 + i0], *rig.At(10 + i0 * 4 + i1));
  }
}

TEST(DmaUnitTest, CopiesBytes) {
  UnitRig rig(2);
  std::vector<uint8_t> dram(64);
  for (int i = 0; i < 64; ++i) dram[i] = static_cast<uint8_t>(i);
  rig.units.memory().buffers = {nullptr, dram.data()};
  rig.Do(isa::LdCopy{.binding = 1, .dram = 3, .spm = 1000, .bytes = 5});
  EXPECT_EQ(*rig.At(1004), 7);
  rig.Do(isa::StCopy{.binding = 1, .dram = 50, .spm = 1000, .bytes = 5});
  EXPECT_EQ(dram[50], 3);
  EXPECT_EQ(dram[54], 7);
  EXPECT_EQ(dram[55], 55);
}

// Bytes of two int4 each, every one of the 256.
TEST(DmaUnitTest, UnpacksInt4) {
  UnitRig rig(3);
  std::vector<uint8_t> dram(256);
  for (int i = 0; i < 256; ++i) dram[i] = static_cast<uint8_t>(i);
  rig.units.memory().buffers = {dram.data()};
  rig.Do(isa::LdShape{16, 16, 1, 1});
  rig.Do(isa::LdDramStride{16, 0, 0});
  rig.Do(isa::LdSpmStride{1, 40, 0, 0});
  rig.Do(isa::LdNd{.binding = 0, .spm = 8, .elem_bytes = 1, .unpack = true});
  for (int i = 0; i < 256; ++i) {
    const int at = 8 + i / 16 * 40 + i % 16 * 2;
    const int low = i % 16, high = i / 16;
    EXPECT_EQ(static_cast<int8_t>(*rig.At(at)), low < 8 ? low : low - 16) << i;
    EXPECT_EQ(static_cast<int8_t>(*rig.At(at + 1)), high < 8 ? high : high - 16) << i;
  }
}

void PutIndices(UnitRig& rig, int64_t addr, const std::vector<int32_t>& indices) {
  for (size_t i = 0; i < indices.size(); ++i)
    StoreAs(rig.At(addr + 4 * static_cast<int64_t>(i)), indices[i]);
}

// Rows of 3 bytes.
TEST(DmaUnitTest, GathersRows) {
  UnitRig rig(4);
  std::vector<uint8_t> dram(30);
  for (int i = 0; i < 30; ++i) dram[i] = static_cast<uint8_t>(i);
  rig.units.memory().buffers = {dram.data()};
  PutIndices(rig, 500, {9, 0, 4, 9});
  rig.Do(isa::LdShape{3, 1, 1, 4});
  rig.Do(isa::LdDramStride{0, 0, 3});
  rig.Do(isa::LdSpmStride{1, 0, 0, 5});
  rig.Do(isa::LdIndex{.addr = 500, .last = 9});
  const isa::LdGather gather{.binding = 0, .spm = 100, .elem_bytes = 1};
  rig.Do(gather);
  ASSERT_FALSE(rig.units.BadIndex());
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(*rig.At(100 + row * 5 + i), (std::vector{9, 0, 4, 9})[row] * 3 + i);
  }
  for (const int32_t bad : {10, -1, INT32_MAX, INT32_MIN}) {
    PutIndices(rig, 508, {bad});
    rig.units.memory().bad_index.reset();
    rig.Do(gather);
    ASSERT_TRUE(rig.units.BadIndex()) << bad;
    EXPECT_EQ(rig.units.BadIndex()->index, bad);
    EXPECT_EQ(rig.units.BadIndex()->position, 2);
    EXPECT_EQ(rig.units.BadIndex()->last, 9);
  }
}

TEST(DmaUnitTest, GathersRowsOfInt4) {
  UnitRig rig(5);
  std::vector<uint8_t> dram = {0x21, 0x43, 0x65, 0x87, 0xA9, 0xCB};
  rig.units.memory().buffers = {dram.data()};
  PutIndices(rig, 0, {2, 1});
  rig.Do(isa::LdShape{2, 1, 1, 2});
  rig.Do(isa::LdDramStride{0, 0, 2});
  rig.Do(isa::LdSpmStride{1, 0, 0, 4});
  rig.Do(isa::LdIndex{.addr = 0, .last = 2});
  rig.Do(isa::LdGather{.binding = 0, .spm = 64, .elem_bytes = 1, .unpack = true});
  const std::vector<int> expected = {-7, -6, -5, -4, 5, 6, 7, -8};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(static_cast<int8_t>(*rig.At(64 + i)), expected[i]) << i;
}

// A box of 2 x 2 elements of two bytes, at an index that is moved into range.
TEST(DmaUnitTest, ScattersAndClamps) {
  for (const auto& [index, place] : {std::pair{1, 1}, {3, 3}, {7, 3}, {-5, 0}, {INT32_MIN, 0}}) {
    UnitRig rig(6);
    std::vector<uint8_t> dram(24, 0xEE);
    rig.units.memory().buffers = {nullptr, dram.data()};
    PutIndices(rig, 0, {index});
    rig.Do(isa::StShape{2, 2, 1, 1});
    rig.Do(isa::StDramStride{12, 0, 2});
    rig.Do(isa::StSpmStride{2, 4, 0, 0});
    rig.Do(isa::StIndex{.addr = 0, .last = 3, .clamp = true});
    rig.Do(isa::StScatter{.binding = 1, .dram = 0, .spm = 64, .elem_bytes = 2});
    ASSERT_FALSE(rig.units.BadIndex());
    for (int i = 0; i < 24; ++i) {
      const int at = i % 12 - 2 * place;
      const bool inside = at >= 0 && at < 4;
      EXPECT_EQ(dram[i], inside ? *rig.At(64 + i / 12 * 4 + at) : 0xEE) << index << " " << i;
    }
  }
}

}  // namespace
}  // namespace acme

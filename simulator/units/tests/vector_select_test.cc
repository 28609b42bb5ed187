// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "simulator/units/testing/unit_rig.h"

namespace acme {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(VectorSelectTest, ComparesAsIntegersAndAsFloats) {
  struct Case {
    Dtype dtype;
    uint32_t a;
    uint32_t b;
    std::array<int, 6> holds;  // eq ne lt le gt ge
  };
  const auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
  const Case cases[] = {
      {Dtype::kI32, 5, 5, {1, 0, 0, 1, 0, 1}},
      {Dtype::kI32, 0xFFFFFFFF, 0, {0, 1, 1, 1, 0, 0}},
      {Dtype::kI32, 0x7FFFFFFF, 0x80000000, {0, 1, 0, 0, 1, 1}},
      {Dtype::kI8, 0xFF, 1, {0, 1, 1, 1, 0, 0}},
      {Dtype::kU8, 0xFF, 1, {0, 1, 0, 0, 1, 1}},
      {Dtype::kBool, 0, 1, {0, 1, 1, 1, 0, 0}},
      {Dtype::kI16, 0x8000, 1, {0, 1, 1, 1, 0, 0}},
      {Dtype::kF32, bits(-0.0f), bits(0.0f), {1, 0, 0, 1, 0, 1}},
      {Dtype::kF32, bits(-1.5f), bits(2.0f), {0, 1, 1, 1, 0, 0}},
      {Dtype::kF32, bits(kNan), bits(1.0f), {0, 1, 0, 0, 0, 0}},
      {Dtype::kF32, bits(kNan), bits(kNan), {0, 1, 0, 0, 0, 0}},
  };
  for (const Case& test : cases) {
    for (int op = 0; op < 6; ++op) {
      UnitRig rig(1);
      StoreAs(rig.At(0), test.a);
      StoreAs(rig.At(64), test.b);
      rig.Do(isa::VShape{3, 2, 1, 1});
      rig.Do(isa::VView{View::kDst, 2, 10, 0, 0});
      rig.Do(isa::VCompare{
          .op = static_cast<CompareOp>(op), .dtype = test.dtype, .dst = 128, .a = 0, .b = 64});
      for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(*rig.At(128 + i / 3 * 10 + i % 3 * 2), test.holds[op])
            << NameOf(test.dtype) << " " << test.a << " " << test.b << " " << op;
      }
    }
  }
}

TEST(VectorSelectTest, LeavesWhatTheMaskDoesNotName) {
  for (const Dtype dtype : {Dtype::kI8, Dtype::kI16, Dtype::kF32, Dtype::kI64}) {
    UnitRig rig(2);
    const auto bytes = static_cast<int32_t>(SizeBytes(dtype));
    const std::vector<uint8_t> before(rig.At(0), rig.At(512));
    const std::vector<uint8_t> mask = {0, 1, 0xFF, 0};
    std::copy(mask.begin(), mask.end(), rig.At(1024));
    rig.Do(isa::VShape{4, 3, 1, 1});
    rig.Do(isa::VView{View::kDst, bytes, 4 * bytes, 0, 0});
    rig.Do(isa::VView{View::kA, 0, bytes, 0, 0});  // one element a row
    rig.Do(isa::VView{View::kB, 1, 0, 0, 0});      // one mask for all rows
    rig.Do(isa::VSelect{.dtype = dtype, .dst = 0, .a = 256, .b = 1024});
    for (int row = 0; row < 3; ++row) {
      for (int i = 0; i < 4; ++i) {
        const int at = (row * 4 + i) * bytes;
        const int from = mask[static_cast<size_t>(i)] != 0 ? 256 + row * bytes : at;
        EXPECT_TRUE(std::equal(rig.At(at), rig.At(at + bytes), before.begin() + from))
            << NameOf(dtype) << " " << row << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace acme

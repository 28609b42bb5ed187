// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// v.binary's quotients and remainders of integers.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "simulator/units/testing/unit_rig.h"

namespace acme {
namespace {

// Against quotients in binary64, which hold those of 32 bits.
TEST(VBinary, DividesIntegersTowardsTheLower) {
  constexpr int32_t kLow = std::numeric_limits<int32_t>::min();
  constexpr int32_t kHigh = std::numeric_limits<int32_t>::max();
  const std::vector<int32_t> numbers = {kLow, kLow + 1, -48, -7, -1, 0, 1, 6, 7, 2303, kHigh};
  for (const int32_t divisor : {kLow, -7, -1, 0, 1, 2, 48, kHigh}) {
    UnitRig rig(/*seed=*/1);
    const auto n = static_cast<int64_t>(numbers.size());
    rig.Do(isa::VShape{static_cast<uint32_t>(n), 1, 1, 1});
    for (const View view : {View::kDst, View::kA}) rig.Do(isa::VView{view, 4, 0, 0, 0});
    rig.Do(isa::VView{View::kB, 0, 0, 0, 0});
    for (int64_t k = 0; k < n; ++k) StoreAs(rig.At(4 * k), numbers[static_cast<size_t>(k)]);
    StoreAs(rig.At(512), divisor);
    rig.Do(isa::VBinary{
        .op = BinaryOp::kFloorDiv, .dtype = Dtype::kI32, .dst = 1024, .a = 0, .b = 512});
    rig.Do(isa::VBinary{
        .op = BinaryOp::kFloorMod, .dtype = Dtype::kI32, .dst = 2048, .a = 0, .b = 512});
    for (int64_t k = 0; k < n; ++k) {
      const double number = numbers[static_cast<size_t>(k)];
      const double quotient = divisor == 0 ? 0 : std::floor(number / divisor);
      const double rest = divisor == 0 ? 0 : number - quotient * divisor;
      EXPECT_EQ(LoadAs<int32_t>(rig.At(1024 + 4 * k)), quotient > kHigh ? kLow : quotient)
          << number << " / " << divisor;
      EXPECT_EQ(LoadAs<int32_t>(rig.At(2048 + 4 * k)), rest) << number << " mod " << divisor;
    }
  }
}

}  // namespace
}  // namespace acme

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/zeroed_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>

namespace acme {
namespace {

TEST(ZeroedArray, BeginsAsZerosAndIsClearedToZeros) {
  constexpr size_t kCount = 3000;  // not whole pages
  ZeroedArray<int32_t> words(kCount);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(words.data()) % 64, 0U);
  const auto is_zero = [](int32_t word) { return word == 0; };
  EXPECT_TRUE(std::all_of(words.data(), words.data() + kCount, is_zero));
  std::fill_n(words.data(), kCount, -1);
  words.Clear();
  EXPECT_TRUE(std::all_of(words.data(), words.data() + kCount, is_zero));
}

TEST(ZeroedArrayDeathTest, WhoeverGoesBeyondTheEndCrashes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ZeroedArray<uint8_t> bytes(8192);
  bytes.data()[8191] = 1;
  volatile uint8_t* const beyond = bytes.data() + 8192;
  EXPECT_DEATH(*beyond = 1, "");
}

TEST(ZeroedArray, MayBeEmpty) {
  ZeroedArray<int32_t> none(0);
  none.Clear();
}

TEST(ZeroedArray, MoreThanThereIsIsNoMemory) {
  EXPECT_THROW(ZeroedPages(std::numeric_limits<size_t>::max() - 5), std::bad_alloc);
  EXPECT_THROW(ZeroedPages(size_t{1} << 60), std::bad_alloc);
}

}  // namespace
}  // namespace acme

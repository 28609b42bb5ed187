// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/cc/internal/litert_flex_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace litert::internal {
namespace {

using Bytes = std::vector<uint8_t>;

// `bytes` must outlive the value.
FlexValue Root(const Bytes& bytes) { return FlexValue::Root(bytes.data(), bytes.size()); }

// What FlatBuffers' FlexBuffers builder writes for these values.
// {"a": 1, "bc": "hi", "eps": 0.5f}
Bytes MapBytes() {
  Bytes b = {
      'a', 0, 'b', 'c', 0, 2, 'h', 'i', 0, 'e', 'p', 's', 0,  // 0: keys "a" "bc", string, "eps"
      0,   0, 0,                                              // 13: padding to 4
  };
  const auto u32 = [&b](uint32_t v) {
    for (int i = 0; i < 4; ++i) b.push_back(static_cast<uint8_t>(v >> (8 * i)));
  };
  u32(3);        // 16: size of the keys
  u32(20 - 0);   // 20: "a"
  u32(24 - 2);   // 24: "bc"
  u32(28 - 9);   // 28: "eps"
  u32(32 - 20);  // 32: back to the keys
  u32(4);        // 36: the keys' width
  u32(3);        // 40: size of the map
  u32(1);        // 44: 1
  u32(48 - 6);   // 48: "hi"
  float eps = 0.5f;
  uint32_t bits;
  std::memcpy(&bits, &eps, 4);
  u32(bits);  // 52
  // 56: types: INT, STRING (of width 1), FLOAT
  b.insert(b.end(), {1 << 2, 5 << 2, (3 << 2) | 2});
  // 59: root: offset to the map, its type (map of width 4), root width
  b.insert(b.end(), {59 - 44, (9 << 2) | 2, 1});
  return b;
}

TEST(FlexMapTest, ReadsAMap) {
  const Bytes bytes = MapBytes();
  const FlexValue map = Root(bytes).AsMap();
  ASSERT_TRUE(map.IsMap());
  EXPECT_EQ(map.size(), 3u);
  EXPECT_EQ(map.Key(1), "bc");
  EXPECT_EQ(map["a"].AsInt32(), 1);
  EXPECT_EQ(map["bc"].AsString(), "hi");
  EXPECT_EQ(map["eps"].AsFloat(), 0.5f);
  EXPECT_TRUE(map["none"].IsNull());
  EXPECT_EQ(map["none"].AsInt64(), 0);
  EXPECT_EQ(map["bc"].AsFloat(), 0.0f);
}

TEST(FlexMapTest, ReadsScalars) {
  const Bytes minus_three = {0xfd, 1 << 2, 1};
  EXPECT_EQ(Root(minus_three).AsInt64(), -3);
  const Bytes unsigned_byte = {0xfd, 2 << 2, 1};
  EXPECT_EQ(Root(unsigned_byte).AsUInt64(), 253u);
  const Bytes boolean = {1, 26 << 2, 1};
  EXPECT_TRUE(Root(boolean).AsBool());
  const Bytes real = {0, 0, 0xc0, 0x3f, (3 << 2) | 2, 4};
  EXPECT_EQ(Root(real).AsDouble(), 1.5);
}

TEST(FlexMapTest, ReadsTypedAndUntypedVectors) {
  // [5, -1], a vector of ints of one byte.
  const Bytes typed_bytes = {2, 5, 0xff, 2, 11 << 2, 1};
  const FlexValue typed = Root(typed_bytes);
  ASSERT_EQ(typed.size(), 2u);
  EXPECT_EQ(typed[0].AsInt64(), 5);
  EXPECT_EQ(typed[1].AsInt64(), -1);
  EXPECT_TRUE(typed[2].IsNull());
  // [5, true], each with its type.
  const Bytes untyped_bytes = {2, 5, 1, 1 << 2, 26 << 2, 4, 10 << 2, 1};
  const FlexValue untyped = Root(untyped_bytes);
  ASSERT_EQ(untyped.size(), 2u);
  EXPECT_EQ(untyped[0].AsInt64(), 5);
  EXPECT_TRUE(untyped[1].IsBool());
}

// Reads everything that can be reached.
size_t Visit(const FlexValue& value, int depth) {
  size_t sum = static_cast<size_t>(value.AsInt64()) + value.AsString().size() +
               static_cast<size_t>(value.AsDouble() > 0);
  if (depth == 0) return sum;
  for (size_t i = 0; i < value.size() && i < 8; ++i) {
    sum += Visit(value[i], depth - 1) + value.Key(i).size();
  }
  return sum + static_cast<size_t>(value["eps"].AsInt64());
}

// Under the address sanitizer this shows that no byte beyond the buffer is read.
TEST(FlexMapTest, NeverReadsBeyondABrokenBuffer) {
  const Bytes good = MapBytes();
  size_t sum = 0;
  for (size_t size = 0; size < good.size(); ++size) {
    const Bytes head(good.begin(), good.begin() + static_cast<long>(size));
    const Bytes tail(good.end() - static_cast<long>(size), good.end());
    sum += Visit(Root(head), 3) + Visit(Root(tail), 3);
  }
  for (size_t at = 0; at < good.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      Bytes bad = good;
      bad[at] = static_cast<uint8_t>(value);
      sum += Visit(Root(bad), 3);
    }
  }
  SUCCEED() << sum;
}

}  // namespace
}  // namespace litert::internal

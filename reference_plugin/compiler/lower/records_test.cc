// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

namespace acme::compiler {
namespace {

using Bytes = std::vector<uint8_t>;

template <class T>
Bytes BytesOf(const std::vector<T>& elements) {
  Bytes bytes(elements.size() * sizeof(T));
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

// Little-endian: 40 bits of bias, then 32 of the multiplier and 8 of the shift, or a float64.
struct RecordCase {
  const char* name;
  Dtype dtype;  // of the results
  Rounding rounding;
  std::vector<FixedPoint> scales;
  std::vector<double> reals;
  Dtype bias_dtype;
  Bytes bias;  // empty: none
  int32_t channel;
  Bytes record;
};

class RecordTest : public testing::TestWithParam<RecordCase> {};

TEST_P(RecordTest, HasTheseBytes) {
  const RecordCase& c = GetParam();
  const Requantization requantization{.scales = c.scales, .reals = c.reals, .rounding = c.rounding};
  Value bias;
  bias.dtype = c.bias_dtype;
  bias.constant = c.bias;
  Bytes record = {0xee};  // what is there stays
  AppendRecord(requantization, c.bias.empty() ? nullptr : &bias, c.channel, c.dtype, record);
  EXPECT_EQ(record[0], 0xee);
  EXPECT_EQ(Bytes(record.begin() + 1, record.end()), c.record);
  EXPECT_EQ(RecordBytes(requantization, c.dtype), static_cast<int64_t>(c.record.size()));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RecordTest,
    testing::ValuesIn(std::vector<RecordCase>{
        {"NoBias",
         Dtype::kI8,
         Rounding::kDouble,
         {{0x40000001, -3}},
         {},
         Dtype::kI32,
         {},
         5,
         {0, 0, 0, 0, 0, 1, 0, 0, 0x40, 0xfd}},
        {"BiasOfTheChannel",
         Dtype::kI8,
         Rounding::kDouble,
         {{1, 2}},
         {},
         Dtype::kI32,
         BytesOf<int32_t>({7, -2}),
         1,
         {0xfe, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 2}},
        {"ScaleOfTheChannel",
         Dtype::kI8,
         Rounding::kDouble,
         {{1, 1}, {2, 2}},
         {},
         Dtype::kI32,
         BytesOf<int32_t>({7, 8}),
         1,
         {8, 0, 0, 0, 0, 2, 0, 0, 0, 2}},
        {"WideBias",
         Dtype::kI16,
         Rounding::kWide,
         {{1, 0}},
         {},
         Dtype::kI64,
         BytesOf<int64_t>({0x1234567890}),
         0,
         {0x90, 0x78, 0x56, 0x34, 0x12, 1, 0, 0, 0, 0}},
        {"NegativeWideBias",
         Dtype::kI16,
         Rounding::kWide,
         {{1, 0}},
         {},
         Dtype::kI64,
         BytesOf<int64_t>({-1}),
         0,
         {0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0}},
        {"RealScale",
         Dtype::kI8,
         Rounding::kReal,
         {},
         {1.0},
         Dtype::kI32,
         BytesOf<int32_t>({3}),
         0,
         {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
        {"Float",
         Dtype::kF32,
         Rounding::kDouble,
         {},
         {},
         Dtype::kF32,
         BytesOf<float>({0, 1.0f}),
         1,
         {0, 0, 0x80, 0x3f}},
        {"FloatNoBias", Dtype::kF32, Rounding::kDouble, {}, {}, Dtype::kF32, {}, 0, {0, 0, 0, 0}},
    }),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace acme::compiler

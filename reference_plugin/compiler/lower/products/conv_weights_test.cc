// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace acme::compiler {
namespace {

using Bytes = std::vector<uint8_t>;

Hardware A1() { return *BuiltinHardware("acme_a1"); }

// Filters of one pixel: {1, 2}, {3, 4}, {5, 6} ...
struct Filters {
  Filters(int32_t in_c, int32_t out_c) : bytes(static_cast<size_t>(in_c * out_c)) {
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i + 1);
    conv.in_c = in_c;
    conv.out_c = out_c;
    conv.geometry.w = {.in = 2, .out = 2};
    conv.w = 0;
    conv.requantize.scales = {{0x40000000, -1}};
    network.values.resize(1);
    network.values[0].constant = bytes;
  }
  Bytes bytes;
  Network network;
  Conv conv;
};

Bytes Plane(const ConvWeights& weights, const ChunkPlace& place, size_t bytes) {
  const Bytes& chunk = weights.chunks[static_cast<size_t>(place.chunk)].bytes;
  const auto begin = chunk.begin() + place.offset_bytes;
  return {begin, begin + static_cast<ptrdiff_t>(bytes)};
}

TEST(PackConvWeights, PlanesHaveTheReductionOutside) {
  Filters filters(2, 3);
  const ConvWeights weights = PackConvWeights(filters.conv, filters.network, 1, 1024, A1());
  ASSERT_EQ(weights.tiles.size(), 1u);
  ASSERT_EQ(weights.folds.size(), 1u);
  EXPECT_EQ(weights.tiles[0].cols, 3);
  EXPECT_EQ(Plane(weights, weights.tiles[0].planes[0], 6), (Bytes{1, 3, 5, 2, 4, 6}));
  const Bytes record = {0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0xff};
  EXPECT_EQ(Plane(weights, weights.tiles[0].records, 10), record);
  EXPECT_EQ(weights.tiles[0].planes[0].offset_bytes, 32) << "on a word, behind 30 of records";
  EXPECT_EQ(weights.total_bytes, 64);
}

// The second pixel's filters stand a position further to the right; what a column does not meet
// weighs nothing.
TEST(PackConvWeights, PixelsTogetherAreShiftedKernels) {
  Filters filters(2, 3);
  filters.conv.weight_zp = 9;
  const ConvWeights weights = PackConvWeights(filters.conv, filters.network, 2, 1024, A1());
  ASSERT_EQ(weights.folds.size(), 1u);
  EXPECT_EQ(weights.folds[0], (Fold{.taps_w = 2, .channels = 2}));
  ASSERT_EQ(weights.tiles[0].cols, 6);
  EXPECT_EQ(Plane(weights, weights.tiles[0].planes[0], 24), (Bytes{1, 3, 5, 9, 9, 9,  //
                                                                   2, 4, 6, 9, 9, 9,  //
                                                                   9, 9, 9, 1, 3, 5,  //
                                                                   9, 9, 9, 2, 4, 6}));
}

Bytes BytesOf(std::vector<float> values) {
  Bytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

struct FloatCase {
  const char* name;
  bool holes;  // the kernel has some
  int32_t pixels;
  std::vector<float> kernel;
  std::vector<float> plane;
};

class FloatPlanes : public testing::TestWithParam<FloatCase> {};

// What a column does not meet is a hole, -0; weights of -0 are none.
TEST_P(FloatPlanes, AreFilledUpWithHoles) {
  const FloatCase& test = GetParam();
  Filters filters(static_cast<int32_t>(test.kernel.size()), 1);
  filters.conv.dtype = Dtype::kF32;
  filters.conv.holes = test.holes;
  filters.bytes = BytesOf(test.kernel);
  filters.network.values[0].constant = filters.bytes;
  const ConvWeights weights =
      PackConvWeights(filters.conv, filters.network, test.pixels, 1024, A1());
  const Bytes expected = BytesOf(test.plane);
  EXPECT_EQ(Plane(weights, weights.tiles[0].planes[0], expected.size()), expected);
  EXPECT_EQ(HasHoles(filters.conv, test.pixels), test.holes || test.pixels > 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, FloatPlanes,
    testing::Values(FloatCase{"OnePixel", false, 1, {1.5f, -0.0f}, {1.5f, -0.0f}},
                    FloatCase{"OfHoles", true, 1, {1.5f, -0.0f}, {1.5f, -0.0f}},
                    FloatCase{"Together", false, 2, {1.5f}, {1.5f, -0.0f, -0.0f, 1.5f}},
                    FloatCase{"NegativeZero", false, 2, {-0.0f}, {0.0f, -0.0f, -0.0f, 0.0f}},
                    FloatCase{"HolesTogether", true, 2, {-0.0f}, {-0.0f, -0.0f, -0.0f, -0.0f}}),
    [](const auto& info) { return std::string(info.param.name); });

struct ChunkCase {
  int64_t chunk_bytes;
  size_t chunks;
};

class ConvWeightChunks : public testing::TestWithParam<ChunkCase> {};

// 30 bytes of records, 6 of the plane.
TEST_P(ConvWeightChunks, KeepWhatBelongsTogether) {
  Filters filters(2, 3);
  const ConvWeights weights =
      PackConvWeights(filters.conv, filters.network, 1, GetParam().chunk_bytes, A1());
  EXPECT_EQ(weights.chunks.size(), GetParam().chunks);
  EXPECT_EQ(weights.tiles[0].planes[0].offset_bytes, GetParam().chunks == 1 ? 32 : 0);
}

INSTANTIATE_TEST_SUITE_P(Cases, ConvWeightChunks,
                         testing::ValuesIn(std::vector<ChunkCase>{{36, 1}, {35, 2}, {1, 2}}));

TEST(PackConvWeights, ColumnsBeyondTheArrayAreATileMore) {
  Filters filters(1, 40);
  const ConvWeights weights = PackConvWeights(filters.conv, filters.network, 1, 4096, A1());
  ASSERT_EQ(weights.tiles.size(), 2u);
  EXPECT_EQ(weights.tiles[0].cols, 32);
  EXPECT_EQ(weights.tiles[1].first_col, 32);
  EXPECT_EQ(weights.tiles[1].cols, 8);
  EXPECT_EQ(Plane(weights, weights.tiles[1].planes[0], 8), (Bytes{33, 34, 35, 36, 37, 38, 39, 40}));
}

TEST(GroupColumns, TheLastMayHaveFewer) {
  Filters filters(1, 100);
  const ConvWeights weights = PackConvWeights(filters.conv, filters.network, 1, 4096, A1());
  ASSERT_EQ(weights.tiles.size(), 4u);
  const std::vector<ColumnGroup> groups = GroupColumns(weights, 3);
  EXPECT_EQ(groups, (std::vector<ColumnGroup>{{0, 3, 0, 96}, {3, 4, 96, 4}}));
  EXPECT_EQ(GroupColumns(weights, 4).size(), 1u);
}

}  // namespace
}  // namespace acme::compiler

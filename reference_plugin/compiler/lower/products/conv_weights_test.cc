// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <utility>
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

PackedConv Place(const Filters& filters, ConstantPool& constants, int32_t pixels = 1,
                 int64_t chunk_bytes = 1024) {
  return PlaceConvWeights(filters.conv, filters.network, pixels, chunk_bytes, A1(), constants);
}

TEST(PlaceConvWeights, ProgramsShareWhatTheyHaveAlike) {
  const Filters filters(2, 3);
  ConstantPool constants;
  constants.Add(Bytes{1});
  ConstantPool on_top = ConstantPool::OnTopOf(constants);
  const PackedConv first = Place(filters, on_top);
  ConstantPool other = ConstantPool::OnTopOf(constants);
  const PackedConv second = Place(filters, other);
  EXPECT_EQ(first.weights, second.weights);
  EXPECT_EQ(second.homes, (std::vector<DramPlace>{{kConstantsBinding, 64}}));
  EXPECT_EQ(Plane(*second.weights, second.weights->tiles[0].planes[0], 6),
            (Bytes{1, 3, 5, 2, 4, 6}));
}

TEST(PlaceConvWeights, WhatDiffersInAnythingIsPackedAnew) {
  Filters filters(2, 3);
  const Bytes other_bytes(6, 77);
  const std::vector<int32_t> bias(3, 5);
  const std::function<void(Filters&)> changes[] = {
      [](Filters&) {},
      [&](Filters& f) { f.network.values[0].constant = other_bytes; },
      [](Filters& f) { f.network.values[0].int4 = true; },
      [](Filters& f) { f.conv.weight_zp = 1; },
      [](Filters& f) { f.conv.requantize.scales[0].shift = -2; },
      [](Filters& f) {
        f.conv.requantize.scales.resize(3, {1, 1});
      },
      [](Filters& f) { f.conv.dtype = Dtype::kU8; },
      [](Filters& f) { std::swap(f.conv.in_c, f.conv.out_c); },
      [](Filters& f) { f.conv = Filters(1, 6).conv; },
      [](Filters& f) { f.conv.geometry.w.kernel = 2, f.conv.in_c = 1; },
      [](Filters& f) { f.conv.geometry.h.kernel = 2, f.conv.in_c = 1; },
      [&](Filters& f) {
        f.network.values.push_back({.dtype = Dtype::kI32});
        f.network.values.back().constant = {reinterpret_cast<const uint8_t*>(bias.data()), 12};
        f.conv.bias = 1;
      },
  };
  ConstantPool constants;
  std::vector<std::shared_ptr<const ConvWeights>> made;
  for (const auto& change : changes) {
    Filters changed(2, 3);
    changed.network.values[0].constant = filters.bytes;
    change(changed);
    for (const int32_t pixels : {1, 2}) {
      for (const int64_t chunk_bytes : {16, 1024}) {
        made.push_back(Place(changed, constants, pixels, chunk_bytes).weights);
        const ConvWeights alone =
            PackConvWeights(changed.conv, changed.network, pixels, chunk_bytes, A1());
        ASSERT_EQ(made.back()->chunks.size(), alone.chunks.size());
        for (size_t i = 0; i < alone.chunks.size(); ++i)
          EXPECT_EQ(made.back()->chunks[i].bytes, alone.chunks[i].bytes) << made.size();
      }
    }
  }
  const std::set<std::shared_ptr<const ConvWeights>> different(made.begin(), made.end());
  EXPECT_EQ(different.size(), made.size());
}

// Until then what they were made of stays as well: others' constants could come to stand there.
TEST(PlaceConvWeights, AreForgottenWithTheLastProgram) {
  Filters filters(2, 3);
  auto owned = std::make_shared<const Bytes>(filters.bytes);
  const std::weak_ptr<const Bytes> kept = owned;
  filters.network.values[0].constant = *owned;
  filters.network.values[0].owned = std::move(owned);
  ConstantPool constants;
  Place(filters, constants);
  filters.network.values[0] = {};
  EXPECT_FALSE(kept.expired());
  constants.Clear();
  EXPECT_TRUE(kept.expired());
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

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/diagnostics/random_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit {
namespace {

template <typename T>
std::vector<T> Random(LiteRtElementType type, bool quantized, uint64_t seed, uint64_t stream,
                      size_t count) {
  Tensor tensor;
  tensor.element_type = type;
  if (quantized) tensor.quantization.scale = {0.5f};
  std::vector<T> values(count);
  FillRandom(tensor, seed, stream, {reinterpret_cast<uint8_t*>(values.data()), count * sizeof(T)});
  return values;
}

// Pinned: a seed means the same inputs on every machine and in every release.
TEST(RandomInputs, ASeedGivesTheseValues) {
  const auto values = Random<float>(kLiteRtElementTypeFloat32, false, 1, 0, 3);
  EXPECT_EQ(values, Random<float>(kLiteRtElementTypeFloat32, false, 1, 0, 3));
  EXPECT_NE(values, Random<float>(kLiteRtElementTypeFloat32, false, 2, 0, 3));
  EXPECT_NE(values, Random<float>(kLiteRtElementTypeFloat32, false, 1, 1, 3));
  EXPECT_EQ(values[0], -2598660 * 0x1p-23f);
  EXPECT_EQ(values[1], -7615565 * 0x1p-23f);
  EXPECT_EQ(values[2], 7450492 * 0x1p-23f);
}

TEST(RandomInputs, FloatsCoverTheUnitInterval) {
  const auto values = Random<float>(kLiteRtElementTypeFloat32, false, 1, 0, 10000);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*low, -1.0f);
  EXPECT_LT(*low, -0.99f);
  EXPECT_LT(*high, 1.0f);
  EXPECT_GT(*high, 0.99f);
}

TEST(RandomInputs, QuantisedIntegersCoverTheirType) {
  const auto values = Random<int8_t>(kLiteRtElementTypeInt8, true, 1, 0, 10000);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -128);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 127);
}

TEST(RandomInputs, PlainIntegersAreSmallIndices) {
  const auto values = Random<int32_t>(kLiteRtElementTypeInt32, false, 1, 0, 1000);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), 0);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 3);
}

TEST(RandomInputs, IndicesStayBelowWhatTheyIndex) {
  Tensor tensor;
  tensor.element_type = kLiteRtElementTypeInt32;
  std::vector<int32_t> values(1000);
  FillRandom(tensor, 1, 0, {reinterpret_cast<uint8_t*>(values.data()), 4 * values.size()}, 2);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), 0);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 1);
  // Nothing fits an extent of 0; 0 is as wrong as any.
  FillRandom(tensor, 1, 0, {reinterpret_cast<uint8_t*>(values.data()), 4 * values.size()}, 0);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 0);
}

TEST(RandomInputs, TheExtentIsThatOfAllOpsThatIndexByATensor) {
  ModelBuilder b;
  Tensor* const x = b.Input("x", kLiteRtElementTypeFloat32, {5, 3, 2});
  Tensor* const rows = b.Input("rows", kLiteRtElementTypeInt32, {4});
  Tensor* const places = b.Input("places", kLiteRtElementTypeInt32, {4, 2});
  Tensor* const cast = b.Input("cast", kLiteRtElementTypeInt64, {2, 2});
  const auto value = [&](LiteRtElementType type, std::vector<int32_t> shape) {
    return b.Value("v", type, std::move(shape));
  };
  EXPECT_EQ(IndexedExtent(*rows), INT32_MAX);
  b.AddOp(kLiteRtOpCodeTflEmbeddingLookup, {rows, x},
          {value(kLiteRtElementTypeFloat32, {4, 3, 2})});
  EXPECT_EQ(IndexedExtent(*rows), 5);
  b.AddOp(kLiteRtOpCodeTflGather, GatherOptions{.axis = -1}, {x, rows},
          {value(kLiteRtElementTypeFloat32, {5, 3, 4})});
  EXPECT_EQ(IndexedExtent(*rows), 2);
  b.AddOp(kLiteRtOpCodeTflGatherNd, {x, places}, {value(kLiteRtElementTypeFloat32, {4, 2})});
  EXPECT_EQ(IndexedExtent(*places), 3) << "of the first two dimensions";
  Tensor* const narrow = value(kLiteRtElementTypeInt32, {2, 2});
  b.AddOp(kLiteRtOpCodeTflCast, {cast}, {narrow});
  Tensor* const flat = value(kLiteRtElementTypeInt32, {4});
  b.AddOp(kLiteRtOpCodeTflReshape, {narrow}, {flat});
  b.AddOp(kLiteRtOpCodeTflGather, GatherOptions{.axis = 1}, {x, flat},
          {value(kLiteRtElementTypeFloat32, {5, 4, 2})});
  EXPECT_EQ(IndexedExtent(*cast), 3);
  EXPECT_EQ(IndexedExtent(*x), INT32_MAX) << "it is what is indexed";
}

TEST(RandomInputs, HalvesStayInTheUnitInterval) {
  for (uint16_t bits : Random<uint16_t>(kLiteRtElementTypeFloat16, false, 1, 0, 1000)) {
    EXPECT_LT(bits & 0x7fff, 0x3c01) << bits;  // 1.0 at most
  }
}

}  // namespace
}  // namespace npukit

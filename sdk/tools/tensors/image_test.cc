// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace npukit::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kUInt8 = kLiteRtElementTypeUInt8;
constexpr auto kInt8 = kLiteRtElementTypeInt8;

// A PNG of 2x1 pixels: red, and half transparent green.
const std::vector<uint8_t> kPng = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0xf4,
    0x22, 0x7f, 0x8a, 0x00, 0x00, 0x00, 0x0f, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xf8,
    0xcf, 0xc0, 0xf0, 0x1f, 0x08, 0x1b, 0x00, 0x10, 0x79, 0x03, 0x7e, 0xc4, 0x18, 0x72, 0x90,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

std::vector<double> Values(const TensorData& data) {
  std::vector<double> values;
  for (int64_t i = 0; i < data.elems(); ++i)
    values.push_back(static_cast<double>(NumberAt(data.type, data.bytes, i)));
  return values;
}

Image Grey(int width, int height, std::vector<uint8_t> pixels) {
  return {.width = width, .height = height, .channels = 1, .pixels = std::move(pixels)};
}

TEST(Image, PngHasColoursAndOpacity) {
  const auto image = DecodeImage(kPng);
  ASSERT_TRUE(image) << image.Error();
  EXPECT_EQ(image->width, 2);
  EXPECT_EQ(image->height, 1);
  EXPECT_THAT(image->pixels, ElementsAre(255, 0, 0, 255, 0, 255, 0, 128));
  EXPECT_THAT(WithChannels(*image, 3).pixels, ElementsAre(255, 0, 0, 0, 255, 0));
  EXPECT_THAT(WithChannels(*image, 1).pixels, ElementsAre(76, 150));
}

TEST(Image, DamageIsAnError) {
  for (size_t size : {8, 20, 40}) {
    const auto image = DecodeImage(std::span(kPng).first(size));
    ASSERT_FALSE(image) << size;
    EXPECT_THAT(image.Error().Message(), HasSubstr("PNG: "));
  }
  const std::vector<uint8_t> jpeg = {0xff, 0xd8, 0xff, 0xe0, 0, 1};
  EXPECT_TRUE(LooksLikeImage(jpeg));
  const auto image = DecodeImage(jpeg);
  ASSERT_FALSE(image);
  EXPECT_THAT(image.Error().Message(), HasSubstr("JPEG: "));
}

TEST(Image, IsResizedBetweenPixelCentres) {
  const Image image = Grey(2, 2, {0, 100, 200, 100});
  EXPECT_THAT(Resized(image, 4, 1, Interpolation::kBilinear).pixels,
              ElementsAre(100, 100, 100, 100));
  EXPECT_THAT(Resized(image, 4, 2, Interpolation::kBilinear).pixels,
              ElementsAre(0, 25, 75, 100, 200, 175, 125, 100));
  EXPECT_THAT(Resized(image, 4, 2, Interpolation::kNearest).pixels,
              ElementsAre(0, 0, 100, 100, 200, 200, 100, 100));
}

TEST(ImageTensor, GivesPixelsOrNumbersAboutZero) {
  const Image image = Grey(2, 1, {0, 255});
  const auto floats =
      ImageTensor(image, {.type = kFloat, .shape = {1, 1, 2, 1}, .quantization = {}}, nullptr,
                  Interpolation::kBilinear);
  ASSERT_TRUE(floats) << floats.Error();
  EXPECT_THAT(Values(*floats), ElementsAre(-1, 1));
  const auto pixels = ImageTensor(image, {.type = kUInt8, .shape = {1, 2}, .quantization = {}},
                                  nullptr, Interpolation::kBilinear);
  ASSERT_TRUE(pixels) << pixels.Error();
  EXPECT_THAT(Values(*pixels), ElementsAre(0, 255));
  const auto centred = ImageTensor(image, {.type = kInt8, .shape = {1, 2, 1}, .quantization = {}},
                                   nullptr, Interpolation::kBilinear);
  ASSERT_TRUE(centred) << centred.Error();
  EXPECT_THAT(Values(*centred), ElementsAre(-128, 127));
}

TEST(ImageTensor, NormalisesEachChannelAndQuantises) {
  const Image image{.width = 1, .height = 2, .channels = 3, .pixels = {10, 20, 30, 40, 50, 60}};
  const Normalization by{.mean = {10, 20, 30}, .deviation = {10}, .source = "test"};
  const auto last = ImageTensor(image, {.type = kFloat, .shape = {1, 2, 1, 3}, .quantization = {}},
                                &by, Interpolation::kBilinear);
  ASSERT_TRUE(last) << last.Error();
  EXPECT_THAT(Values(*last), ElementsAre(0, 0, 0, 3, 3, 3));
  const auto first = ImageTensor(image, {.type = kFloat, .shape = {1, 3, 2, 1}, .quantization = {}},
                                 nullptr, Interpolation::kBilinear);
  ASSERT_TRUE(first) << first.Error();  // one channel in the last dimension, three rows
  const auto planes =
      ImageTensor(image, {.type = kFloat, .shape = {1, 3, 2, 2}, .quantization = {}}, &by,
                  Interpolation::kNearest);
  ASSERT_TRUE(planes) << planes.Error();
  EXPECT_THAT(Values(*planes), ElementsAre(0, 0, 3, 3, 0, 0, 3, 3, 0, 0, 3, 3));
  const auto stored = ImageTensor(
      image,
      {.type = kInt8, .shape = {2, 1, 3}, .quantization = {.scale = {0.5f}, .zero_point = {-1}}},
      &by, Interpolation::kBilinear);
  ASSERT_TRUE(stored) << stored.Error();
  EXPECT_THAT(Values(*stored), ElementsAre(-1, -1, -1, 5, 5, 5));
}

TEST(ImageTensor, ErrorsSayWhatWasExpected) {
  const Image image = Grey(1, 1, {0});
  const auto flat = ImageTensor(image, {.type = kFloat, .shape = {10}, .quantization = {}}, nullptr,
                                Interpolation::kBilinear);
  ASSERT_FALSE(flat);
  EXPECT_THAT(flat.Error().Message(), HasSubstr("found shape [10]"));
  const Normalization two{.mean = {1, 2}, .deviation = {1}, .source = "--mean and --std"};
  const auto means = ImageTensor(image, {.type = kFloat, .shape = {4, 4, 3}, .quantization = {}},
                                 &two, Interpolation::kBilinear);
  ASSERT_FALSE(means);
  EXPECT_THAT(means.Error().Message(), HasSubstr("1 or 3 means and deviations, found 2 and 1"));
  const auto wide =
      ImageTensor(image, {.type = kLiteRtElementTypeInt32, .shape = {4, 4, 3}, .quantization = {}},
                  nullptr, Interpolation::kBilinear);
  ASSERT_FALSE(wide);
  EXPECT_THAT(wide.Error().Message(), HasSubstr("int32 needs a mean"));
}

}  // namespace
}  // namespace npukit::tools

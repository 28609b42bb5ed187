// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/input_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "sdk/tools/tensors/comparison.h"
#include "sdk/tools/tensors/statistics.h"
#include "sdk/tools/tensors/text_numbers.h"
#include "sdk/tools/tensors/wav.h"

namespace npukit::tools {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kInt8 = kLiteRtElementTypeInt8;
constexpr auto kInt16 = kLiteRtElementTypeInt16;
constexpr auto kInt32 = kLiteRtElementTypeInt32;

std::vector<uint8_t> Bytes(std::string_view text) { return {text.begin(), text.end()}; }

TensorData Floats(std::vector<int64_t> shape, const std::vector<float>& values) {
  TensorData data{.name = {}, .type = kFloat, .shape = std::move(shape), .bytes = {}};
  data.bytes.resize(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(data.bytes.data(), values.data(), data.bytes.size());
  return data;
}

std::vector<double> Values(LiteRtElementType type, const std::vector<uint8_t>& bytes,
                           int64_t count) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<double>(NumberAt(type, bytes, i)));
  return values;
}

InputPort Port(LiteRtElementType type, std::vector<int32_t> shape, Quantization quantization = {}) {
  return {.name = "x",
          .type = type,
          .shape = std::move(shape),
          .quantization = std::move(quantization),
          .normalization = {}};
}

TEST(InputFile, KindsAreToldByTheirFirstBytes) {
  EXPECT_EQ(KindOf("a", Bytes("\x93NUMPY")), FileKind::kNpy);
  EXPECT_EQ(KindOf("a.bin", Bytes("\x93NUMPY")), FileKind::kBytes);
  EXPECT_EQ(KindOf("a", Bytes(std::string_view("RIFF\0\0\0\0WAVE", 12))), FileKind::kWav);
  EXPECT_EQ(KindOf("a", Bytes("\xff\xd8\xff")), FileKind::kImage);
  EXPECT_EQ(KindOf("a.txt", Bytes("1")), FileKind::kText);
  EXPECT_EQ(KindOf("a", Bytes("1")), FileKind::kBytes);
}

TEST(InputFile, ArraysBecomeTheInputsType) {
  const auto quantised =
      BytesForInput(Floats({2, 2}, {0.5F, -0.26F, 100, -100}),
                    Port(kInt8, {1, 2, 2}, {.scale = {0.5F}, .zero_point = {3}}));
  ASSERT_TRUE(quantised) << quantised.Error();
  EXPECT_THAT(Values(kInt8, quantised->bytes, 4), ElementsAre(4, 2, 127, -128));
  const auto whole = BytesForInput(Floats({2}, {3, -4}), Port(kInt32, {2}));
  ASSERT_TRUE(whole) << whole.Error();
  EXPECT_THAT(Values(kInt32, whole->bytes, 2), ElementsAre(3, -4));
  const auto broken = BytesForInput(Floats({2}, {3, 0.5F}), Port(kInt32, {2}));
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.Error().Message(),
              AllOf(HasSubstr("input 'x' int32[2]"), HasSubstr("float32[2]"),
                    HasSubstr("element 1 is 0.5"), HasSubstr("no scale")));
  const auto shape = BytesForInput(Floats({3}, {1, 2, 3}), Port(kFloat, {2}));
  ASSERT_FALSE(shape);
  EXPECT_THAT(shape.Error().Message(),
              AllOf(HasSubstr("float32[2]"), HasSubstr("found float32[3]"), HasSubstr("--resize")));
  EXPECT_FALSE(BytesForInput(Floats({2}, {300, 0}), Port(kInt8, {2})));
}

TEST(InputFile, TextHasNumbers) {
  const auto text = BytesForInput(FileKind::kText, Bytes("[1, 2.5] # first\n-3e1;nan"),
                                  Port(kFloat, {4}), Interpolation::kBilinear);
  ASSERT_TRUE(text) << text.Error();
  const auto values = Values(kFloat, text->bytes, 4);
  EXPECT_THAT(std::vector(values.begin(), values.begin() + 3), ElementsAre(1, 2.5, -30));
  EXPECT_TRUE(std::isnan(values[3]));
  const auto few =
      BytesForInput(FileKind::kText, Bytes("1 2"), Port(kFloat, {4}), Interpolation::kBilinear);
  ASSERT_FALSE(few);
  EXPECT_THAT(few.Error().Message(), HasSubstr("expected 4 numbers, found 2"));
  const auto word = ParseTextNumbers("1\n2 two\n");
  ASSERT_FALSE(word);
  EXPECT_THAT(word.Error().Message(), HasSubstr("line 2: expected a number, found 'two'"));
  const auto integers = ParseTextNumbers("7 8");
  ASSERT_TRUE(integers) << integers.Error();
  EXPECT_FALSE(integers->are_floats);
}

// Two channels of 16 bits: (-32768, 0), (16384, 16384).
std::vector<uint8_t> Wav(uint8_t format, uint8_t bits) {
  std::vector<uint8_t> file = Bytes(std::string_view("RIFF\0\0\0\0WAVEfmt \x10\0\0\0", 20));
  for (int byte : {int{format}, 0, 2, 0, 0x80, 0x3e, 0, 0, 0, 0, 0, 0, 4, 0, int{bits}, 0})
    file.push_back(static_cast<uint8_t>(byte));
  const auto data = Bytes(std::string_view("data\x08\0\0\0\0\x80\0\0\0\x40\0\x40", 16));
  file.insert(file.end(), data.begin(), data.end());
  return file;
}

TEST(InputFile, WavIsMixedAndFitted) {
  const auto mono =
      BytesForInput(FileKind::kWav, Wav(1, 16), Port(kFloat, {1, 3}), Interpolation::kBilinear);
  ASSERT_TRUE(mono) << mono.Error();
  EXPECT_THAT(Values(kFloat, mono->bytes, 3), ElementsAre(-0.5, 0.5, 0));
  EXPECT_THAT(mono->note, AllOf(HasSubstr("takes 3 samples, the file has 2 (16000 Hz)"),
                                HasSubstr("zeros follow")));
  const auto pairs =
      BytesForInput(FileKind::kWav, Wav(1, 16), Port(kInt16, {1, 2}), Interpolation::kBilinear);
  ASSERT_TRUE(pairs) << pairs.Error();
  EXPECT_THAT(Values(kInt16, pairs->bytes, 2), ElementsAre(-32768, 0));
  EXPECT_THAT(pairs->note, HasSubstr("the rest is cut off"));
  const auto eight = ParseWav(Wav(1, 8));
  ASSERT_TRUE(eight) << eight.Error();
  EXPECT_EQ(eight->samples.size(), 8u);
  EXPECT_EQ(eight->samples[0], -1);
  const auto strange = ParseWav(Wav(2, 4));
  ASSERT_FALSE(strange);
  EXPECT_THAT(strange.Error().Message(), HasSubstr("found format 2 of 4 bits"));
  for (size_t size = 12; size < Wav(1, 16).size(); ++size) {
    const auto wav = Wav(1, 16);
    ParseWav(std::span(wav).first(size));  // never reads beyond it
  }
}

TEST(InputFile, RawBytesMustBeAsMany) {
  const auto raw =
      BytesForInput(FileKind::kBytes, Bytes("abc"), Port(kFloat, {1}), Interpolation::kBilinear);
  ASSERT_FALSE(raw);
  EXPECT_THAT(raw.Error().Message(),
              AllOf(HasSubstr("input 'x' float32[1]"), HasSubstr("expected 4 bytes, found 3")));
}

TEST(Statistics, AreOfRealValues) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const Statistics floats = StatisticsOf(Floats({5}, {1, 0, kNan, kInf, 5}), {});
  EXPECT_EQ(floats.Text(),
            "min 0, max 5, mean 2, deviation 2.16025, 1 of 5 are 0, 1 NaN, 1 infinite");
  const Statistics stored = StatisticsOf({.name = {}, .type = kInt8, .shape = {2}, .bytes = {1, 5}},
                                         {.scale = {0.5F}, .zero_point = {1}});
  EXPECT_EQ(stored.max, 2);
  EXPECT_EQ(StatisticsOf(Floats({0}, {}), {}).Text(), "no elements");
  const auto largest = LargestOf(Floats({5}, {1, 5, kNan, 5, 2}), {}, 3);
  ASSERT_EQ(largest.size(), 3u);
  EXPECT_EQ(largest[0].elem, 1);
  EXPECT_EQ(largest[1].elem, 3);
  EXPECT_EQ(largest[2].value, 2);
}

TEST(Statistics, KeepDigitsWhereTheMeanIsLarge) {
  const Statistics far = StatisticsOf(Floats({4}, {1e7F, 1e7F + 1, 1e7F + 2, 1e7F + 3}), {});
  EXPECT_DOUBLE_EQ(far.mean, 1e7 + 1.5);
  EXPECT_DOUBLE_EQ(far.deviation, std::sqrt(1.25));
  TensorData large{.name = {}, .type = kLiteRtElementTypeFloat64, .shape = {2}, .bytes = {}};
  const double values[] = {1e12, 1e12 + 1};
  large.bytes.resize(sizeof(values));
  std::memcpy(large.bytes.data(), values, sizeof(values));
  EXPECT_DOUBLE_EQ(StatisticsOf(large, {}).deviation, 0.5);
}

// The verb's element counts of raw files: more than a model's dimension can be.
TEST(FlatShape, CountsIn64Bits) {
  const auto shape = FlatShape(kInt8, (uint64_t{1} << 31) + 5);
  ASSERT_TRUE(shape) << shape.Error();
  const TensorData data{.name = {}, .type = kInt8, .shape = *shape, .bytes = {}};
  EXPECT_EQ(data.elems(), 2147483653);
  EXPECT_EQ(data.TypeText(), "int8[2147483653]");
  EXPECT_THAT(PositionOf(2147483652, data.shape), ElementsAre(2147483652));
  const auto floats = FlatShape(kFloat, uint64_t{1} << 34);
  ASSERT_TRUE(floats) << floats.Error();
  EXPECT_THAT(*floats, ElementsAre(int64_t{1} << 32));
  const auto torn = FlatShape(kFloat, 7);
  ASSERT_FALSE(torn);
  EXPECT_THAT(torn.Error().Message(), HasSubstr("7 bytes are no whole number of float32"));
}

TEST(Comparison, FindsWhatIsBeyondTheBounds) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const TensorData a = Floats({2, 3}, {1, 2, 0, kNan, 100, 7});
  const TensorData b = Floats({2, 3}, {1, 2.5F, 0.1F, kNan, 101, kNan});
  const auto exact = CompareTensors(a, b, {}, 2);
  ASSERT_TRUE(exact) << exact.Error();
  EXPECT_EQ(exact->differing_elems, 4);
  EXPECT_EQ(exact->outside_elems, 4);
  EXPECT_EQ(exact->outside.size(), 2u);
  EXPECT_EQ(exact->max_abs_elem, 5);
  EXPECT_EQ(exact->max_rel_elem, 2);
  EXPECT_THAT(PositionOf(5, a.shape), ElementsAre(1, 2));
  const auto loose = CompareTensors(a, b, {.max_abs = 0.1, .max_rel = 0.25}, 10);
  ASSERT_TRUE(loose) << loose.Error();
  EXPECT_EQ(loose->outside_elems, 2);  // 0.1f is above 0.1, and the lonely NaN
  EXPECT_FALSE(CompareTensors(a, Floats({6}, {1, 2, 3, 4, 5, 6}), {}, 1));
}

}  // namespace
}  // namespace npukit::tools

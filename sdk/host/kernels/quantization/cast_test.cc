// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What CAST makes of numbers that the other type does not hold, and the types that are not of whole
// numbers of bytes or of one number.

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using testing::ExpectResults;
using testing::Floats;
using testing::Ints;
using testing::kBool;
using testing::kF32;
using testing::kI16;
using testing::kI32;
using testing::kI64;
using testing::kI8;
using testing::kNan;
using testing::kU8;
using testing::Longs;
using testing::NodeBuilder;
using testing::ResultCase;
using testing::Shorts;

constexpr auto kF16 = kLiteRtElementTypeFloat16;
constexpr auto kBF16 = kLiteRtElementTypeBFloat16;
constexpr auto kF64 = kLiteRtElementTypeFloat64;
constexpr auto kC64 = kLiteRtElementTypeComplex64;
constexpr auto kU32 = kLiteRtElementTypeUInt32;
constexpr auto kI4 = kLiteRtElementTypeInt4;
constexpr auto kI2 = kLiteRtElementTypeInt2;
constexpr auto kU4 = kElementTypeUInt4;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

using Doubles = std::vector<double>;
using Complexes = std::vector<std::complex<float>>;

std::vector<uint8_t> Halves(const Floats& values) {
  std::vector<uint16_t> bits;
  for (float value : values) bits.push_back(FloatToHalf(value));
  return BytesOf(bits);
}
std::vector<uint8_t> Brains(const Floats& values) {
  std::vector<uint16_t> bits;
  for (float value : values) bits.push_back(FloatToBFloat16(value));
  return BytesOf(bits);
}

ResultCase Cast(LiteRtElementType from, std::vector<uint8_t> in, LiteRtElementType to,
                std::vector<uint8_t> out, int32_t count) {
  return {.name = ElementTypeName(from) + "_to_" + ElementTypeName(to),
          .code = kLiteRtOpCodeTflCast,
          .build = [=](NodeBuilder& n) { n.Input(from, {count}).Output(to); },
          .inputs = {std::move(in)},
          .shapes = {{count}},
          .outputs = {std::move(out)}};
}

// Of float32 some types saturate; NaN becomes the largest int32.
TEST(Cast, FloatsThatDoNotFit) {
  const auto far = BytesOf(Floats{1e10F, -1e10F, kNan, kInf, -kInf, 300.9F});
  ExpectResults({
      Cast(kF32, far, kI32, BytesOf(Ints{kMax, kMin, kMax, kMax, kMin, 300}), 6),
      Cast(kF32, far, kI16, BytesOf(Shorts{32767, -32768, 0, 32767, -32768, 300}), 6),
      Cast(kF32, far, kU8, {255, 0, 0, 255, 0, 255}, 6),
      Cast(kF32, far, kI8, {0, 0, 0, 0, 0, 44}, 6),
      Cast(kF32, BytesOf(Floats{2147483520.0F, -2147483648.0F}), kI32,
           BytesOf(Ints{2147483520, kMin}), 2),
      Cast(kF64, BytesOf(Doubles{1e10, -1e10, 40000.5}), kI32, BytesOf(Ints{kMin, kMin, 40000}), 3),
      Cast(kF64, BytesOf(Doubles{40000.5, -1, 300}), kI16, BytesOf(Shorts{-25536, -1, 300}), 3),
      Cast(kF64, BytesOf(Doubles{5e9, -1}), kU32,
           BytesOf(std::vector<uint32_t>{705032704, kMax * 2u + 1}), 2),
      Cast(kF16, Halves({65504, -1, 300}), kI16, BytesOf(Shorts{-32, -1, 300}), 3),
      Cast(kF16, Halves({300, -1, kInf}), kU8, {44, 255, 0}, 3),
      Cast(kBF16, Brains({1e10F, -2.5F}), kI32, BytesOf(Ints{kMin, -2}), 2),
  });
}

TEST(Cast, AmongFloats) {
  ExpectResults({
      Cast(kF64, BytesOf(Doubles{0.1, 1e300}), kF32, BytesOf(Floats{0.1F, kInf}), 2),
      Cast(kF32, BytesOf(Floats{0.1F, kInf}), kF64, BytesOf(Doubles{double{0.1F}, double{kInf}}),
           2),
      Cast(kF32, BytesOf(Floats{1.00390625F, 3.4e38F}), kBF16, Brains({1, kInf}), 2),
      Cast(kBF16, Brains({1.5F, -3e38F}), kF16, Halves({1.5F, -kInf}), 2),
      Cast(kI64, BytesOf(Longs{-3, 257}), kBF16, Brains({-3, 256}), 2),
      Cast(kF64, BytesOf(Doubles{-0.0, 1e-300}), kBool, {0, 1}, 2),
      Cast(kBool, {0, 1}, kF64, BytesOf(Doubles{0, 1}), 2),
  });
}

TEST(Cast, ComplexNumbersAreTheirRealParts) {
  const auto two = BytesOf(Complexes{{1.5F, 9}, {-2, 8}});
  ExpectResults({
      Cast(kC64, two, kF32, BytesOf(Floats{1.5F, -2}), 2),
      Cast(kC64, two, kI32, BytesOf(Ints{1, -2}), 2),
      Cast(kC64, two, kC64, two, 2),
      Cast(kI32, BytesOf(Ints{7, -7}), kC64, BytesOf(Complexes{{7, 0}, {-7, 0}}), 2),
      Cast(kF32, BytesOf(Floats{7, kNan}), kC64, BytesOf(Complexes{{7, 0}, {kNan, 0}}), 2),
  });
}

TEST(Cast, PackedIntegers) {
  ExpectResults({
      Cast(kF32, BytesOf(Floats{-9, -8, 1.9F, 7.5F, kNan}), kI4, {0x88, 0x71, 0x07}, 5),
      Cast(kF32, BytesOf(Floats{-1, 3.9F, 16}), kU4, {0x30, 0x0F}, 3),
      Cast(kF32, BytesOf(Floats{-5, -1.5F, 0.5F, 2, kNan}), kI2, {0x4E, 0x01}, 5),
      Cast(kI4, {0x88, 0x71, 0x07}, kF32, BytesOf(Floats{-8, -8, 1, 7, 7}), 5),
      Cast(kU4, {0xF0, 0x09}, kF32, BytesOf(Floats{0, 15, 9}), 3),
      Cast(kI2, {0x4E, 0x01}, kF32, BytesOf(Floats{-2, -1, 0, 1, 1}), 5),
  });
}

}  // namespace
}  // namespace npukit::kernels

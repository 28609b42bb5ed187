// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every set of kernels gives the bits of the baseline.

#include "simulator/units/microkernels/microkernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace acme {
namespace {

template <class T>
std::vector<T> RandomIntegers(size_t count, std::mt19937_64& random) {
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random());
  return values;
}

std::vector<float> RandomFloats(size_t count, std::mt19937_64& random) {
  std::uniform_real_distribution<float> value(-100.0f, 100.0f);
  std::vector<float> values(count);
  for (float& v : values) v = value(random);
  return values;
}

TEST(KernelsTest, RequantisationMatchesBaselineAtTheEdges) {
  std::mt19937_64 random(1);
  const Microkernels& baseline = *AvailableMicrokernels()[0];
  std::vector<int32_t> x = RandomIntegers<int32_t>(4099, random);
  std::vector<int32_t> bias = RandomIntegers<int32_t>(x.size(), random);
  std::vector<int32_t> multiplier = RandomIntegers<int32_t>(x.size(), random);
  std::vector<int32_t> shift(x.size());
  for (size_t i = 0; i < x.size(); ++i) shift[i] = static_cast<int32_t>(i % 62) - 31;
  constexpr int32_t kEdges[] = {std::numeric_limits<int32_t>::min(),
                                std::numeric_limits<int32_t>::max(),
                                0,
                                -1,
                                1,
                                1 << 30,
                                -(1 << 30)};
  for (size_t i = 0; i < 49 * 62; ++i) {
    x[i] = kEdges[i / 62 % 7];
    multiplier[i] = kEdges[i / 62 / 7];
    bias[i] = 0;
  }
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    for (int64_t count : {1, 7, 8, 9, 31, 4099}) {
      std::vector<int32_t> expected(count), got(count);
      baseline.requantize_double(x.data(), bias.data(), multiplier.data(), shift.data(),
                                 expected.data(), count, -5, -1000000, 2000000);
      kernels->requantize_double(x.data(), bias.data(), multiplier.data(), shift.data(), got.data(),
                                 count, -5, -1000000, 2000000);
      EXPECT_EQ(got, expected) << kernels->name;
      std::vector<uint8_t> bytes(count + 1, 99), low = bytes;
      for (int64_t i = 0; i < count; ++i) low[i] = static_cast<uint8_t>(expected[i]);
      kernels->requantize_double_bytes(x.data(), bias.data(), multiplier.data(), shift.data(),
                                       bytes.data(), count, -5, -1000000, 2000000);
      EXPECT_EQ(bytes, low) << kernels->name;
    }
  }
}

TEST(KernelsTest, IntegerProductMatchesBaseline) {
  std::mt19937_64 random(2);
  const Microkernels& baseline = *AvailableMicrokernels()[0];
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    for (int64_t m : {1, 3, 6, 7, 48}) {
      for (int64_t n : {1, 15, 16, 17, 32, 40, 64, 100}) {
        const int64_t k_pairs = 1 + static_cast<int64_t>(random() % 20);
        const int64_t n_padded = (n + 15) / 16 * 16;
        const auto x = RandomIntegers<int16_t>(m * k_pairs * 2, random);
        auto w = RandomIntegers<int16_t>(k_pairs * n_padded * 2, random);
        for (bool accumulate : {false, true}) {
          std::vector<int32_t> expected = RandomIntegers<int32_t>(m * 128, random);
          std::vector<int32_t> got = expected;
          baseline.gemm_i16(x.data(), w.data(), expected.data(), m, k_pairs, n, n_padded, 128,
                            accumulate);
          kernels->gemm_i16(x.data(), w.data(), got.data(), m, k_pairs, n, n_padded, 128,
                            accumulate);
          EXPECT_EQ(got, expected) << kernels->name << " " << m << "x" << n << "x" << k_pairs;
        }
      }
    }
  }
}

TEST(KernelsTest, FloatProductMatchesBaseline) {
  std::mt19937_64 random(3);
  const Microkernels& baseline = *AvailableMicrokernels()[0];
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    for (int64_t n : {1, 16, 17, 32, 33, 64}) {
      const int64_t m = 5, k = 1 + static_cast<int64_t>(random() % 40),
                    n_padded = (n + 15) / 16 * 16;
      const auto x = RandomFloats(m * k, random);
      const auto w = RandomFloats(k * n_padded, random);
      for (bool accumulate : {false, true}) {
        std::vector<float> expected = RandomFloats(m * 80, random);
        std::vector<float> got = expected;
        baseline.gemm_f32(x.data(), w.data(), expected.data(), m, k, n, n_padded, 80, accumulate);
        kernels->gemm_f32(x.data(), w.data(), got.data(), m, k, n, n_padded, 80, accumulate);
        EXPECT_EQ(got, expected) << kernels->name;
      }
    }
  }
}

TEST(KernelsTest, ElementwiseMatchesBaseline) {
  std::mt19937_64 random(4);
  const Microkernels& baseline = *AvailableMicrokernels()[0];
  const auto a = RandomFloats(1000, random), b = RandomFloats(1000, random);
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    for (auto kernel : {&Microkernels::add_f32, &Microkernels::sub_f32, &Microkernels::mul_f32}) {
      std::vector<float> expected(1000), got(1000);
      (baseline.*kernel)(a.data(), b.data(), expected.data(), 999, -50.0f, 60.0f);
      (kernels->*kernel)(a.data(), b.data(), got.data(), 999, -50.0f, 60.0f);
      EXPECT_EQ(got, expected) << kernels->name;
    }
  }
}

// The kernels of one type of bytes.
template <class T>
struct OfBytes;
template <>
struct OfBytes<int8_t> {
  static constexpr auto kWiden = &Microkernels::widen_i8;
  static constexpr auto kInterleave = &Microkernels::interleave_i8;
  static constexpr auto kWindow = &Microkernels::window_i8;
};
template <>
struct OfBytes<uint8_t> {
  static constexpr auto kWiden = &Microkernels::widen_u8;
  static constexpr auto kInterleave = &Microkernels::interleave_u8;
  static constexpr auto kWindow = &Microkernels::window_u8;
};

template <class T>
class ByteKernelsTest : public testing::Test {};
using Bytes = testing::Types<int8_t, uint8_t>;
TYPED_TEST_SUITE(ByteKernelsTest, Bytes);

// Around every width of a vector.
constexpr int64_t kCounts[] = {1, 3, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 63, 64, 65, 100};
// The last ones leave 16 bits: they wrap.
constexpr int32_t kZeroPoints[] = {0, -128, 255, 32768, -70000};

template <class T>
int16_t Centred(T byte, int32_t zero_point) {
  return static_cast<int16_t>(static_cast<uint16_t>(byte - zero_point));
}

TYPED_TEST(ByteKernelsTest, RowsAreWidenedWhereverTheyLie) {
  std::mt19937_64 random(5);
  constexpr int64_t kRows = 5;
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    for (int64_t count : kCounts) {
      for (int32_t zero_point : kZeroPoints) {
        const int64_t src_stride = count + 3, dst_stride = count + 2;
        // Not a byte behind the last row's last.
        const auto src = RandomIntegers<TypeParam>((kRows - 1) * src_stride + count, random);
        std::vector<int16_t> got(kRows * dst_stride, 99), expected = got;
        for (int64_t r = 0; r < kRows; ++r) {
          for (int64_t i = 0; i < count; ++i)
            expected[r * dst_stride + i] = Centred(src[r * src_stride + i], zero_point);
        }
        (kernels->*OfBytes<TypeParam>::kWiden)(src.data(), src_stride, got.data(), dst_stride,
                                               kRows, count, zero_point);
        ASSERT_EQ(got, expected) << kernels->name << " " << count << " " << zero_point;
      }
    }
  }
}

TYPED_TEST(ByteKernelsTest, TwoRowsBecomePairs) {
  std::mt19937_64 random(6);
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    for (int64_t count : kCounts) {
      for (int32_t zero_point : kZeroPoints) {
        const auto even = RandomIntegers<TypeParam>(count, random);
        const auto odd = RandomIntegers<TypeParam>(count, random);
        std::vector<int16_t> got(2 * count + 2, 99), expected = got;
        for (int64_t i = 0; i < count; ++i) {
          expected[2 * i] = Centred(even[i], zero_point);
          expected[2 * i + 1] = Centred(odd[i], zero_point);
        }
        (kernels->*OfBytes<TypeParam>::kInterleave)(even.data(), odd.data(), got.data(), count,
                                                    zero_point);
        ASSERT_EQ(got, expected) << kernels->name << " " << count << " " << zero_point;
      }
    }
  }
}

TYPED_TEST(ByteKernelsTest, WindowsAreSummedModulo32Bits) {
  std::mt19937_64 random(7);
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    for (int64_t channels : kCounts) {
      for (int64_t count : {0, 1, 2, 3, 9}) {
        for (int32_t zero_point : kZeroPoints) {
          std::vector<std::vector<TypeParam>> pixels;
          std::vector<std::vector<int16_t>> weights;
          std::vector<WindowTap> taps;
          std::vector<int32_t> got(channels + 1, 99), expected = got;
          std::fill_n(expected.begin(), channels, 0);
          for (int64_t t = 0; t < count; ++t) {
            pixels.push_back(RandomIntegers<TypeParam>(channels, random));
            weights.push_back(RandomIntegers<int16_t>(channels, random));
            // Two of the greatest product there is, (-2^15)^2, are 2^31.
            if (zero_point == 32768) {
              pixels.back()[0] = 0;
              weights.back()[0] = std::numeric_limits<int16_t>::min();
            }
            taps.push_back(
                {reinterpret_cast<const uint8_t*>(pixels.back().data()), weights.back().data()});
            for (int64_t c = 0; c < channels; ++c) {
              const int32_t product = Centred(pixels[t][c], zero_point) * weights[t][c];
              expected[c] = static_cast<int32_t>(static_cast<uint32_t>(expected[c]) +
                                                 static_cast<uint32_t>(product));
            }
          }
          (kernels->*OfBytes<TypeParam>::kWindow)(taps.data(), count, channels, zero_point,
                                                  got.data());
          ASSERT_EQ(got, expected) << kernels->name << " " << channels << " channels, " << count
                                   << " taps, zero point " << zero_point;
        }
      }
    }
  }
}

TEST(KernelsTest, NarrowKeepsTheLowBytes) {
  std::mt19937_64 random(8);
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    for (int64_t count : kCounts) {
      const auto words = RandomIntegers<int32_t>(count, random);
      std::vector<uint8_t> got(count + 1, 99), expected = got;
      for (int64_t i = 0; i < count; ++i) expected[i] = static_cast<uint8_t>(words[i]);
      kernels->narrow(words.data(), got.data(), count);
      EXPECT_EQ(got, expected) << kernels->name;
    }
  }
}

TEST(KernelsTest, SelectionByName) {
  EXPECT_TRUE(SelectMicrokernels("baseline"));
  EXPECT_EQ(BestMicrokernels().name, "baseline");
  EXPECT_FALSE(SelectMicrokernels("sse9"));
  EXPECT_TRUE(SelectMicrokernels("best"));
}

}  // namespace
}  // namespace acme

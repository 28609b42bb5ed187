// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every set of kernels gives the bits of the baseline.

#include "simulator/units/microkernels/microkernels.h"

#include <gtest/gtest.h>

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
  const auto bytes = RandomIntegers<int8_t>(1000, random);
  const auto words = RandomIntegers<int16_t>(1000, random),
             more = RandomIntegers<int16_t>(1000, random);
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    for (auto kernel : {&Microkernels::add_f32, &Microkernels::sub_f32, &Microkernels::mul_f32}) {
      std::vector<float> expected(1000), got(1000);
      (baseline.*kernel)(a.data(), b.data(), expected.data(), 999, -50.0f, 60.0f);
      (kernels->*kernel)(a.data(), b.data(), got.data(), 999, -50.0f, 60.0f);
      EXPECT_EQ(got, expected) << kernels->name;
    }
    std::vector<int16_t> expected(1000), got(1000);
    baseline.widen_i8(bytes.data(), expected.data(), 999, -7);
    kernels->widen_i8(bytes.data(), got.data(), 999, -7);
    EXPECT_EQ(got, expected) << kernels->name;
    std::vector<int32_t> sums(1000, 5), other(1000, 5);
    baseline.multiply_add_i16(words.data(), more.data(), sums.data(), 999);
    kernels->multiply_add_i16(words.data(), more.data(), other.data(), 999);
    EXPECT_EQ(sums, other) << kernels->name;
    std::vector<float> fsums(1000, 0.3f), fother(1000, 0.3f);
    baseline.multiply_add_f32(a.data(), b.data(), fsums.data(), 999);
    kernels->multiply_add_f32(a.data(), b.data(), fother.data(), 999);
    EXPECT_EQ(fsums, fother) << kernels->name;
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

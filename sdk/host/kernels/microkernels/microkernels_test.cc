// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Products with vectors, rounding and functions on every instruction set of this machine: integers as
// plain loops give them, functions within what the oracle grants.

#include "sdk/host/kernels/microkernels/microkernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sdk/host/kernels/fixed_point/dynamic_quantization.h"
#include "sdk/host/kernels/fixed_point/fixed_point16.h"
#include "sdk/host/kernels/oracle/bounded.h"

namespace npukit::kernels {
namespace {

class EveryIsa : public ::testing::TestWithParam<CpuIsa> {
 protected:
  void SetUp() override {
    if (GetParam() > DetectCpuIsa())
      GTEST_SKIP() << "this machine has no " << CpuIsaName(GetParam());
  }
  const Microkernels& kernels() const { return MicrokernelsFor(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Microkernels, EveryIsa,
                         ::testing::Values(CpuIsa::kBaseline, CpuIsa::kAvx2, CpuIsa::kAvx512,
                                           CpuIsa::kAvx512Vnni),
                         [](const auto& info) { return std::string(CpuIsaName(info.param)); });

TEST_P(EveryIsa, DotsOfIntegersAreExact) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> byte(-128, 127);
  for (const int64_t rows : {1, 3, 4, 9}) {
    for (const int64_t cols : {0, 1, 7, 16, 31, 32, 33, 100}) {
      std::vector<int8_t> weights(static_cast<size_t>(rows * cols)),
          vector(static_cast<size_t>(cols));
      for (int8_t& w : weights) w = static_cast<int8_t>(byte(random));
      for (int8_t& v : vector) v = static_cast<int8_t>(byte(random));
      const int32_t zero_point = byte(random);
      std::vector<int32_t> sums(static_cast<size_t>(rows), -1);
      kernels().dot_int8(weights.data(), rows, cols, vector.data(), zero_point, sums.data());
      for (int64_t r = 0; r < rows; ++r) {
        int32_t expected = 0;
        for (int64_t c = 0; c < cols; ++c)
          expected += (vector[static_cast<size_t>(c)] - zero_point) *
                      weights[static_cast<size_t>(r * cols + c)];
        ASSERT_EQ(sums[static_cast<size_t>(r)], expected) << rows << "x" << cols << " row " << r;
      }
    }
  }
}

TEST_P(EveryIsa, DotsOfFloatsAreNear) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> real(-1, 1);
  for (const int64_t cols : {0, 1, 15, 16, 50, 1000}) {
    constexpr int64_t kRows = 6;
    std::vector<float> weights(static_cast<size_t>(kRows * cols)),
        vector(static_cast<size_t>(cols));
    for (float& w : weights) w = real(random);
    for (float& v : vector) v = real(random);
    std::vector<float> sums(kRows, -1);
    kernels().dot_float(weights.data(), kRows, cols, vector.data(), sums.data());
    for (int64_t r = 0; r < kRows; ++r) {
      double expected = 0;
      for (int64_t c = 0; c < cols; ++c)
        expected +=
            double{vector[static_cast<size_t>(c)]} * weights[static_cast<size_t>(r * cols + c)];
      EXPECT_NEAR(sums[static_cast<size_t>(r)], expected, 1e-7 * static_cast<double>(cols));
    }
  }
}

// Rows with halves, one value, zeros, and numbers that are not finite.
TEST_P(EveryIsa, RoundingIsThatOfThePlainLoops) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> real(-3, 5);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<std::vector<float>> rows = {{},
                                          {0, 0, 0},
                                          {-1},
                                          {127, 0.5f, -0.5f, 1.5f, -1.5f, 63.5f, -126.5f},
                                          {1e-40f, -1e-41f},
                                          {kInfinity, 1, -1},
                                          {std::nanf(""), 1, -1},
                                          std::vector<float>(40, 1e30f)};
  rows.back()[39] = std::nanf("");
  for (const size_t count : {16, 300, 1001}) {
    rows.emplace_back(count);
    for (float& value : rows.back()) value = real(random);
  }
  for (const std::vector<float>& row : rows) {
    for (const bool asymmetric : {false, true}) {
      std::vector<int8_t> expected(row.size(), 99), actual(row.size(), 77);
      const DynamicScale plain = QuantizeDynamically(row, asymmetric, expected.data());
      const DynamicScale fast = QuantizeDynamically(row, asymmetric, actual.data(), &kernels());
      EXPECT_EQ(actual, expected) << row.size();
      EXPECT_EQ(plain.zero_point, fast.zero_point);
      EXPECT_TRUE(plain.scale == fast.scale || (std::isnan(plain.scale) && std::isnan(fast.scale)));
    }
  }
}

using Row = void (*)(const float* from, int64_t count, float* to);

void ExpectNear(Row row, double (*exact)(double), double ulps, float low, float high) {
  constexpr size_t kCount = 20'003;
  std::vector<float> in(kCount), out(kCount);
  for (size_t i = 0; i < kCount; ++i)
    in[i] = low + (high - low) * static_cast<float>(i) / static_cast<float>(kCount - 1);
  row(in.data(), kCount, out.data());
  for (size_t i = 0; i < kCount; ++i) {
    const double expected = exact(in[i]);
    const double bound = ulps * 2 * kRoundingUnit * std::fabs(expected) + kSmallestNormal;
    ASSERT_NEAR(out[i], expected, bound) << in[i];
  }
}

TEST_P(EveryIsa, FunctionsStayWithinTheOraclesBounds) {
  ExpectNear(
      kernels().exp, [](double x) { return std::exp(x); }, FunctionUlps::kExp, -104, 88.7f);
  ExpectNear(
      kernels().exp, [](double x) { return std::exp(x); }, FunctionUlps::kExp, -1, 1);
  ExpectNear(
      kernels().logistic, [](double x) { return 1 / (1 + std::exp(-x)); },
      FunctionUlps::kExp + FunctionUlps::kRounded + FunctionUlps::kDivide, -80, 80);
  ExpectNear(
      kernels().tanh, [](double x) { return std::tanh(x); }, FunctionUlps::kTanh, -10, 10);
  ExpectNear(
      kernels().tanh, [](double x) { return std::tanh(x); }, FunctionUlps::kTanh, -1e-3f, 1);
}

TEST_P(EveryIsa, FunctionsOfWhatIsNotFinite) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> in = {kInfinity, -kInfinity, 1000, -1000, std::nanf("")};
  struct Case {
    Row row;
    std::vector<float> expected;  // of all but the last
  };
  for (const Case& c :
       {Case{kernels().exp, {kInfinity, 0, kInfinity, 0}}, Case{kernels().logistic, {1, 0, 1, 0}},
        Case{kernels().tanh, {1, -1, 1, -1}}}) {
    std::vector<float> out(in.size());
    c.row(in.data(), static_cast<int64_t>(in.size()), out.data());
    for (size_t i = 0; i < c.expected.size(); ++i) EXPECT_EQ(out[i], c.expected[i]) << in[i];
    EXPECT_TRUE(std::isnan(out.back()));
  }
}

// Of every number that there is.
TEST_P(EveryIsa, FixedPointFunctionsAreThePlainOnes) {
  std::vector<int16_t> all(65536), values;
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int16_t>(i);
  values = all;
  kernels().logistic16(values.data(), static_cast<int64_t>(values.size()));
  for (size_t i = 0; i < all.size(); ++i) ASSERT_EQ(values[i], Logistic16<3>(all[i])) << all[i];
  for (int bits = -1; bits <= 7; ++bits) {
    values = all;
    kernels().tanh16(bits, values.data(), static_cast<int64_t>(values.size()));
    for (size_t i = 0; i < all.size(); ++i) {
      int16_t expected = all[i];
      Tanh16Of(bits, all[i], expected);
      ASSERT_EQ(values[i], expected) << all[i] << " with " << bits << " integer bits";
    }
  }
}

TEST_P(EveryIsa, SharesOfSoftmaxAddUp) {
  for (const size_t count : {1, 5, 16, 77}) {
    std::vector<float> row(count), expected(count);
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
      row[i] = static_cast<float>(i % 13) - 4;
      sum += std::exp(2.0 * (row[i] - 8));
    }
    for (size_t i = 0; i < count; ++i)
      expected[i] = static_cast<float>(std::exp(2.0 * (row[i] - 8)) / sum);
    kernels().softmax(row.data(), static_cast<int64_t>(count), 2.0f, row.data());
    for (size_t i = 0; i < count; ++i) EXPECT_NEAR(row[i], expected[i], 1e-5f * expected[i]);
  }
}

}  // namespace
}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/sum_statistics.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace npukit::conformance {
namespace {

constexpr int64_t kTerms = 16;
constexpr double kBound = 0x1p-10;

// What sums of that many products say whose elements are `values`, each larger by `error` of its bound.
std::string ProblemOf(const std::vector<double>& values, double error) {
  kernels::OracleTensor expected{.type = kLiteRtElementTypeFloat32,
                                 .shape = {static_cast<int32_t>(values.size())}};
  expected.values = values;
  expected.bounds.assign(values.size(), kBound);
  std::vector<float> actual;
  for (const double value : values) actual.push_back(static_cast<float>(value + error * kBound));
  std::vector<uint8_t> bytes(actual.size() * sizeof(float));
  std::memcpy(bytes.data(), actual.data(), bytes.size());
  SumStatistics statistics(kTerms);
  statistics.Add(expected, bytes);
  return statistics.Problem();
}

std::vector<double> Distinct(size_t count) {
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) values.push_back(1 + static_cast<double>(i) * 0x1p-12);
  return values;
}

TEST(SumStatisticsTest, ErrorsToOneSideAreSeenInMany) {
  EXPECT_NE(ProblemOf(Distinct(1000), 0.05).find("err to one side"), std::string::npos);
  EXPECT_EQ(ProblemOf(Distinct(1000), 0.001), "");
}

TEST(SumStatisticsTest, LargeErrorsAreSeenInFew) {
  EXPECT_NE(ProblemOf(Distinct(20), 0.4).find("err too much"), std::string::npos);
  EXPECT_EQ(ProblemOf(Distinct(15), 0.4), "") << "too few to say";
}

// As in the product of a matrix with itself, or of an image of one colour.
TEST(SumStatisticsTest, EqualSumsErrAlikeAndCountOnce) {
  std::vector<double> values = Distinct(20);
  for (size_t i = 0; i < 1000; ++i) values.push_back(1);
  EXPECT_EQ(ProblemOf(values, 0.05), "");
}

TEST(SumStatisticsTest, ProductsOfWhatWasSaturatedDoNotVary) {
  const auto bytes = [](size_t common, float number) {
    std::vector<float> floats(80, number);
    for (size_t i = common; i < floats.size(); ++i)
      floats[i] = 1 + static_cast<float>(i) * 0x1p-12f;
    std::vector<uint8_t> all(floats.size() * sizeof(float));
    std::memcpy(all.data(), floats.data(), all.size());
    return all;
  };
  EXPECT_FALSE(ProductsVary(bytes(10, 6), bytes(10, 6)));
  EXPECT_TRUE(ProductsVary(bytes(9, 6), bytes(10, 6)));
  EXPECT_TRUE(ProductsVary(bytes(10, 6), bytes(9, 6)));
  EXPECT_TRUE(ProductsVary(bytes(40, 0), bytes(40, -0.0f))) << "products of 0 err by nothing";
}

}  // namespace
}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/sum_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "sdk/host/model/options/op_options.h"

namespace npukit::conformance {
namespace {

// TOSA's limits (its conformance section on floating-point sums of products): 0.4 n for the mean
// square of errors in units of u S, 2 sqrt(n T) for the sum of T of them.
constexpr double kMeanSquare = 0.4;
constexpr double kBias = 2;
// Fewer say little.
constexpr int64_t kFewestElems = 16;
constexpr int64_t kFewestTerms = 8;
// At the border windows with padding have as little as a quarter of their terms.
constexpr int64_t kBorderShare = 4;

bool IsFloat32(const Tensor* tensor) {
  return tensor != nullptr && tensor->element_type == kLiteRtElementTypeFloat32;
}

int64_t WindowTerms(const Op& op, int64_t channels) {
  const std::vector<int32_t>& x = op.inputs[0]->shape;
  const std::vector<int32_t>& w = op.inputs[1]->shape;
  if (x.size() != 4 || w.size() != 4 || w[1] > x[1] || w[2] > x[2]) return 0;
  const int64_t all = int64_t{w[1]} * w[2] * channels;
  return w[1] * w[2] == 1 ? all : all / kBorderShare;
}

// How many elements the commonest one is that is not 0.
size_t CountOfCommonest(std::span<const uint8_t> floats) {
  std::unordered_map<uint32_t, size_t> counts;
  size_t most = 0;
  for (size_t at = 0; at + sizeof(float) <= floats.size(); at += sizeof(float)) {
    uint32_t bits = 0;
    std::memcpy(&bits, floats.data() + at, sizeof(bits));
    if (bits << 1 != 0) most = std::max(most, ++counts[bits]);
  }
  return most;
}

bool HasACommonElement(std::span<const uint8_t> floats) {
  constexpr size_t kCommonShare = 8;
  const size_t most = CountOfCommonest(floats);
  return most > 1 && most * kCommonShare * sizeof(float) >= floats.size();
}

}  // namespace

bool ProductsVary(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  return !HasACommonElement(a) || !HasACommonElement(b);
}

int64_t TermsOfSums(const Op& op) {
  if (op.inputs.size() < 2 || !IsFloat32(op.inputs[0]) || !IsFloat32(op.inputs[1])) return 0;
  const std::vector<int32_t>& x = op.inputs[0]->shape;
  const std::vector<int32_t>& w = op.inputs[1]->shape;
  switch (op.code) {
    case kLiteRtOpCodeTflFullyConnected:
      return w.empty() ? 0 : w.back();
    case kLiteRtOpCodeTflConv2d:
      return w.size() == 4 ? WindowTerms(op, w[3]) : 0;
    case kLiteRtOpCodeTflDepthwiseConv2d:
      return WindowTerms(op, 1);
    case kLiteRtOpCodeTflBatchMatmul: {
      const auto* options = op.OptionsAs<BatchMatMulOptions>();
      if (x.size() < 2) return 0;
      return options != nullptr && options->adj_x ? x[x.size() - 2] : x.back();
    }
    default:
      return 0;
  }
}

void SumStatistics::Add(const kernels::OracleTensor& expected, std::span<const uint8_t> actual) {
  if (!expected.is_float() || expected.bounds.empty()) return;
  const auto have = kernels::OracleTensor::FromBytes(expected.type, expected.shape, actual);
  std::unordered_set<double> seen;
  for (size_t i = 0; i < expected.values.size(); ++i) {
    const double bound = expected.bounds[i];
    const double value = expected.values[i];
    if (!(bound > 0) || !std::isfinite(bound) || !std::isfinite(value)) continue;
    if (!seen.insert(value).second) continue;
    const double error = (have.values[i] - value) / bound;
    ++elems_;
    squares_ += error * error;
    away_ += std::signbit(value) ? -error : error;
  }
}

std::string SumStatistics::Problem() const {
  if (elems_ < kFewestElems || terms_ < kFewestTerms) return {};
  const auto elems = static_cast<double>(elems_);
  const auto terms = static_cast<double>(terms_);
  if (const double most = kMeanSquare / terms; !(squares_ / elems <= most)) {
    return fmt::format(
        "sums of {} products err too much: the mean square of {} errors, as parts of their bounds, "
        "is {:.3g}, at most {:.3g} if each operation is rounded to nearest in float32",
        terms_, elems_, squares_ / elems, most);
  }
  if (const double most = kBias / std::sqrt(terms * elems); !(std::fabs(away_) / elems <= most)) {
    return fmt::format(
        "sums of {} products err to one side: the mean of {} errors {} zero, as parts of their "
        "bounds, is {:.3g}, at most {:.3g} if each operation is rounded to nearest",
        terms_, elems_, away_ < 0 ? "towards" : "away from", std::fabs(away_) / elems, most);
  }
  return {};
}

}  // namespace npukit::conformance

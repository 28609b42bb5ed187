// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/context/bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace acme::compiler {
namespace {

// The integers that any of TFLite's ways to round gives: they differ by less than a quarter.
Bounds Rounded(const Bounds& real) {
  constexpr double kHalf = 0.5;
  constexpr double kWays = 0.25;
  return {std::ceil(real.lo - kHalf - kWays), std::floor(real.hi + kHalf + kWays)};
}

Bounds Shifted(const Bounds& bounds, double by) { return {bounds.lo + by, bounds.hi + by}; }

std::optional<Bounds> Converted(ConvertOp op, const Map& map, const Bounds& x) {
  switch (op) {
    case ConvertOp::kQuantize: {
      const double step = std::bit_cast<float>(map.dst.mult);
      return Shifted(Rounded({x.lo / step, x.hi / step}), map.dst.zp);
    }
    case ConvertOp::kDequantize:
      return Product(Shifted(x, -map.a.zp),
                     {std::bit_cast<float>(map.a.mult), std::bit_cast<float>(map.a.mult)});
    case ConvertOp::kRequantize: {
      const double real = RealOf({std::bit_cast<int32_t>(map.dst.mult), map.dst.shift});
      return Shifted(Rounded(Product(Shifted(x, -map.a.zp), {real, real})), map.dst.zp);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

Bounds Union(const Bounds& a, const Bounds& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Bounds Sum(const Bounds& a, const Bounds& b) { return {a.lo + b.lo, a.hi + b.hi}; }

Bounds Difference(const Bounds& a, const Bounds& b) { return {a.lo - b.hi, a.hi - b.lo}; }

Bounds Product(const Bounds& a, const Bounds& b) {
  const auto [lo, hi] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
  return {lo, hi};
}

Bounds Clamped(const Bounds& bounds, const Bounds& limits) {
  return {std::clamp(bounds.lo, limits.lo, limits.hi), std::clamp(bounds.hi, limits.lo, limits.hi)};
}

Bounds LimitsOf(const ClampRange& clamp, Dtype dtype) {
  if (dtype != Dtype::kF32) return {static_cast<double>(clamp.lo), static_cast<double>(clamp.hi)};
  return {std::bit_cast<float>(clamp.lo), std::bit_cast<float>(clamp.hi)};
}

double RealOf(const FixedPoint& multiplier) {
  return std::ldexp(multiplier.mult, multiplier.shift - 31);
}

std::optional<Bounds> BoundsOfResults(const Map& map, const Bounds& operands) {
  std::optional<Bounds> results;
  if (const auto* unary = std::get_if<UnaryOp>(&map.function)) {
    if (*unary == UnaryOp::kNeg) results = Bounds{-operands.hi, -operands.lo};
    if (*unary == UnaryOp::kCopy) results = operands;
  } else if (const auto* convert = std::get_if<ConvertOp>(&map.function)) {
    results = Converted(*convert, map, operands);
  }
  if (!results || std::isnan(results->lo) || std::isnan(results->hi)) return std::nullopt;
  results = Clamped(*results, LimitsOf({map.clamp.lo, map.clamp.hi}, map.out));
  return map.out == Dtype::kF32 ? results
                                : Clamped(*results, LimitsOf(TypeRange(map.out), map.out));
}

}  // namespace acme::compiler

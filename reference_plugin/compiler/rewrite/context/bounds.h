// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is known of numbers before they are computed.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_BOUNDS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_BOUNDS_H_

#include <limits>
#include <optional>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "simulator/isa/types.h"

namespace acme::compiler {

// Elements, as they are stored, are in [lo, hi].
struct Bounds {
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();
  bool operator==(const Bounds&) const = default;
};

Bounds Union(const Bounds& a, const Bounds& b);
Bounds Sum(const Bounds& a, const Bounds& b);
Bounds Difference(const Bounds& a, const Bounds& b);
Bounds Product(const Bounds& a, const Bounds& b);
Bounds Clamped(const Bounds& bounds, const Bounds& limits);

// Limits of a result of that type.
Bounds LimitsOf(const ClampRange& clamp, Dtype dtype);

// The number that a multiplier stands for.
double RealOf(const FixedPoint& multiplier);

// Of the results of an elementwise function whose operands have these bounds. Nothing if the function
// is not known to rise or fall all the way, or a result may be no number.
std::optional<Bounds> BoundsOfResults(const Map& map, const Bounds& operands);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_BOUNDS_H_

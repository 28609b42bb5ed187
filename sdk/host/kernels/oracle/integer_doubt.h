// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is left open of an integer that is made of a float with a bound.

#ifndef NPUKIT_SDK_HOST_KERNELS_ORACLE_INTEGER_DOUBT_H_
#define NPUKIT_SDK_HOST_KERNELS_ORACLE_INTEGER_DOUBT_H_

#include <algorithm>

#include "sdk/host/kernels/oracle/bounded.h"

namespace npukit::kernels {

// How far the integers that `convert` makes of x's interval may lie from the one that it makes of its
// value. `rises(low, high)` says whether it never falls between them (false for NaN): then the ends
// decide. Where it may fall (what wraps, or is replaced where it does not fit) the result may be any
// of `least` to `most`.
template <typename Convert, typename Rises>
double IntegerDoubt(Convert convert, Rises rises, Bounded x, double least, double most) {
  if (x.bound == 0) return 0;
  const double nominal = convert(x.value);
  if (rises(x.low(), x.high())) {
    least = convert(x.low());
    most = convert(x.high());
  }
  return std::max(most - nominal, nominal - least);
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ORACLE_INTEGER_DOUBT_H_

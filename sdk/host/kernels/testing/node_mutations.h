// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Everything that can be wrong with one op, applied to an op that is right.

#ifndef NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_MUTATIONS_H_
#define NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_MUTATIONS_H_

#include <functional>
#include <string>

#include "sdk/host/kernels/testing/node_spec.h"

namespace npukit::kernels::testing {

enum class Verdict {
  kMustFail,  // with an error that names the op and `blamed`
  kMayFail,   // then with an error that names the op
};

struct Mutation {
  std::string what;
  Verdict verdict = Verdict::kMayFail;
  std::string blamed;  // a tensor; empty: the op alone
  NodeSpec spec;
};

// Calls `visit` with one spoilt copy after the other:
// - scales that are 0, negative, infinite, NaN or missing, zero points that the type cannot hold;
// - dimensions of 0 and 2^31 - 1, products that overflow (also beside a 0), a rank more or less;
// - tensors left out or added, constants that are too short, every element type;
// - options missing, and each of their fields at its extremes;
// - constant indices (axes, shapes, paddings) at their extremes.
void ForEachMutation(const NodeSpec& good, const std::function<void(const Mutation&)>& visit);

}  // namespace npukit::kernels::testing

#endif  // NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_MUTATIONS_H_

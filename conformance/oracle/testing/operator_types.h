// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which element types an operator of the oracle takes, found by asking the operator itself: its
// rules stand in code, and a list of them beside it would drift. For tests.

#ifndef NPUKIT_CONFORMANCE_ORACLE_TESTING_OPERATOR_TYPES_H_
#define NPUKIT_CONFORMANCE_ORACLE_TESTING_OPERATOR_TYPES_H_

#include <set>
#include <span>
#include <string>

#include "sdk/host/kernels/testing/node_spec.h"

namespace npukit::conformance {

// "float32, int8, - -> float32": the types of inputs and outputs, "-" for an omitted input.
std::string TypesOf(const kernels::testing::NodeSpec& node);

// The types with which inference, the kernel and the oracle take the nodes of one operator, those
// of the nodes themselves among them. Constants keep their values in the new type, other inputs are
// ones. Nodes of up to three tensors are asked with every combination of types; larger ones with
// those that are reached, from one accepted combination to the next, by changing one tensor, two,
// or all that had one type.
std::set<std::string> AcceptedTypes(std::span<const kernels::testing::NodeSpec> nodes);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_ORACLE_TESTING_OPERATOR_TYPES_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which element types an operator of the oracle takes: of those that its signature allows, what its
// kernel and its oracle take indeed. For tests.

#ifndef NPUKIT_CONFORMANCE_ORACLE_TESTING_OPERATOR_TYPES_H_
#define NPUKIT_CONFORMANCE_ORACLE_TESTING_OPERATOR_TYPES_H_

#include <set>
#include <span>
#include <string>

#include "conformance/spec/claims/claims.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/testing/node_spec.h"

namespace npukit::conformance {

// "float32, int8, - -> float32": the types of inputs and outputs, "-" for an omitted input.
std::string TypesOf(const kernels::testing::NodeSpec& node);

// The types that the operator's signature allows for nodes like these and with which inference, the
// kernel and the oracle take one of them. Constants keep their values in the new type, other inputs
// are ones.
std::set<std::string> AcceptedTypes(const kernels::Operator& op,
                                    std::span<const kernels::testing::NodeSpec> nodes);

// Whether the operator's signature allows what a vendor claims.
bool Allows(const kernels::Operator& op, const TypeClaim& claim);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_ORACLE_TESTING_OPERATOR_TYPES_H_

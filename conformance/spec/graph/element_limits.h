// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which numbers an element of a tensor can be.

#ifndef NPUKIT_CONFORMANCE_SPEC_GRAPH_ELEMENT_LIMITS_H_
#define NPUKIT_CONFORMANCE_SPEC_GRAPH_ELEMENT_LIMITS_H_

#include <utility>

#include "conformance/spec/text/value.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

bool IsFloat(LiteRtElementType type);

// The smallest and the largest, within +-2^53. Of float types the same: their own are larger.
std::pair<double, double> TypeLimits(LiteRtElementType type);

// Of a list of numbers. Errors, with line and column: one that an integer type does not hold.
litert::Expected<void> CheckElements(const Value& list, LiteRtElementType type);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_GRAPH_ELEMENT_LIMITS_H_

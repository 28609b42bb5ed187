// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Parameter matrices. A case with `matrix: {op: [ADD, MUL], shape: [[4], [2, 3]]}` stands for the
// four cases that come out when $op and $shape are replaced by each combination; `exclude` leaves
// combinations out.

#ifndef NPUKIT_CONFORMANCE_SPEC_TEXT_EXPANSION_H_
#define NPUKIT_CONFORMANCE_SPEC_TEXT_EXPANSION_H_

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/spec/text/value.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Name and value of each parameter, in the order of the matrix.
using Binding = std::vector<Value::Member>;

inline constexpr size_t kMaxCombinations = 100'000;

// The combinations, the last parameter changing fastest. A combination is left out if it agrees
// with every member of some map of `exclude`. `matrix` is a map of non-empty lists; `exclude` may
// be null.
litert::Expected<std::vector<Binding>> Combinations(const Value& matrix, const Value* exclude);

// Replaces "$name" and "$name.member" by the bound value, and "${name}" within a longer string by
// its text. Text in quotes is left alone only if it has no '$'. Unknown parameters are errors at
// the place of use.
litert::Expected<Value> Substitute(const Value& value, const Binding& binding);

// "op=ADD shape=2x3", for messages.
std::string DescribeBinding(const Binding& binding);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_TEXT_EXPANSION_H_

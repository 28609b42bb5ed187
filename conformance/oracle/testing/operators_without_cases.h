// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The operators that no case of the suites can have, and why.

#ifndef NPUKIT_CONFORMANCE_ORACLE_TESTING_OPERATORS_WITHOUT_CASES_H_
#define NPUKIT_CONFORMANCE_ORACLE_TESTING_OPERATORS_WITHOUT_CASES_H_

#include <algorithm>
#include <iterator>
#include <string_view>

namespace npukit::conformance {

struct OperatorWithoutCases {
  std::string_view name;
  std::string_view reason;
};

inline constexpr OperatorWithoutCases kOperatorsWithoutCases[] = {
    {"AudioSpectrogram", "suites have no options of custom ops"},
    {"COMPLEX_ABS", "suites have no complex numbers"},
    {"Convolution2DTransposeBias", "suites have no options of custom ops"},
    {"DENSIFY", "suites have no sparse constants"},
    {"IMAG", "suites have no complex numbers"},
    {"MaxPoolWithArgmax", "suites have no options of custom ops"},
    {"MaxPoolingWithArgmax2D", "suites have no options of custom ops"},
    {"MaxUnpooling2D", "suites have no options of custom ops"},
    {"Mfcc", "suites have no options of custom ops"},
    {"NumericVerify", "suites have no options of custom ops"},
    {"REAL", "suites have no complex numbers"},
    {"RFFT2D", "suites have no complex numbers"},
    {"TFLite_Detection_PostProcess", "suites have no options of custom ops"},
    {"UNIQUE", "its output's shape depends on values, which plugins are not handed"},
    {"aeq.hadamard_rotation", "suites have no options of custom ops"},
};

inline bool HasNoCases(std::string_view name) {
  return std::ranges::any_of(kOperatorsWithoutCases,
                             [&](const OperatorWithoutCases& op) { return op.name == name; });
}

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_ORACLE_TESTING_OPERATORS_WITHOUT_CASES_H_

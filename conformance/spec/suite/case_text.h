// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a case asks, as text: equal if and only if the cases are. Names of tensors and places in
// files do not count.

#ifndef NPUKIT_CONFORMANCE_SPEC_SUITE_CASE_TEXT_H_
#define NPUKIT_CONFORMANCE_SPEC_SUITE_CASE_TEXT_H_

#include <string>

#include "conformance/spec/graph/graph_spec.h"
#include "conformance/spec/suite/suite.h"

namespace npukit::conformance {

// Tensors by position, with types, shapes, quantisation and data; ops with all their options. What
// an output takes from its op's input counts as if it were written out; shapes of outputs, which
// follow from the rest, do not count.
std::string GraphText(const GraphSpec& graph);

// The case's graph, network (its ops and tensors) or model (the file's name), and how it is judged:
// inputs, tolerance, expectation. Not its name, not its checks.
std::string CaseText(const CaseSpec& spec);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_SUITE_CASE_TEXT_H_

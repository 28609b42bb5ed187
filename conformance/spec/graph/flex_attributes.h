// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Attributes of a composite as a FlexBuffer map of numbers.

#ifndef NPUKIT_CONFORMANCE_SPEC_GRAPH_FLEX_ATTRIBUTES_H_
#define NPUKIT_CONFORMANCE_SPEC_GRAPH_FLEX_ATTRIBUTES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace npukit::conformance {

// Whole numbers are stored as integers, others as doubles; every field is 8 bytes wide.
std::vector<uint8_t> EncodeAttributes(std::vector<std::pair<std::string, double>> attributes);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_GRAPH_FLEX_ATTRIBUTES_H_

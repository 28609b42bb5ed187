// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An op's inputs as the C API numbers them. LiteRT leaves omitted optional
// inputs out, so that later ones move up, and plugins count on never seeing a
// null tensor; the IR keeps their places.

#ifndef NPUKIT_SDK_HOST_C_API_GRAPH_OPERANDS_H_
#define NPUKIT_SDK_HOST_C_API_GRAPH_OPERANDS_H_

#include <algorithm>
#include <cstddef>

#include "sdk/host/model/graph/op.h"

namespace npukit {

// How many inputs before position `input_index` are there: the number that the
// C API gives to the input at that position.
inline size_t PresentInputIndex(const Op& op, size_t input_index) {
  const size_t end = std::min(input_index, op.inputs.size());
  return end - static_cast<size_t>(std::count(op.inputs.begin(), op.inputs.begin() + end, nullptr));
}

inline size_t CountPresentInputs(const Op& op) { return PresentInputIndex(op, op.inputs.size()); }

// Input number `index` of those that are there; null past the end.
inline Tensor* PresentInput(const Op& op, size_t index) {
  for (Tensor* input : op.inputs) {
    if (input != nullptr && index-- == 0) return input;
  }
  return nullptr;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_GRAPH_OPERANDS_H_

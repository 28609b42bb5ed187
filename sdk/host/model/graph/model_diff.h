// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_DIFF_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_DIFF_H_

#include <optional>
#include <string>

#include "sdk/host/model/graph/model.h"

namespace npukit {

// The first difference between two models, as "subgraph 0, op 3 CONV_2D (y):
// stride_w is 1, expected 2"; nullopt if they are equal in every field.
// Constants are compared by their bytes, floats by their bits, tensors and ops
// by position; where the bytes lay in the files makes no difference.
std::optional<std::string> FirstDifference(const Model& expected, const Model& actual);

inline bool FieldsEqual(const Model& a, const Model& b) {
  return !FirstDifference(a, b).has_value();
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_MODEL_DIFF_H_

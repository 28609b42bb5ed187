// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Two tensors, element by element.

#ifndef NPUKIT_SDK_TOOLS_TENSORS_COMPARISON_H_
#define NPUKIT_SDK_TOOLS_TENSORS_COMPARISON_H_

#include <cstdint>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/tools/tensors/tensor_data.h"

namespace npukit::tools {

// An element b is near enough to a if |a - b| <= max_abs + max_rel |a|. NaN equals NaN, an infinity
// itself.
struct Bounds {
  double max_abs = 0;
  double max_rel = 0;
};

struct Difference {
  int64_t elem = 0;
  double a = 0;
  double b = 0;
};

struct Comparison {
  int64_t elems = 0;
  int64_t differing_elems = 0;  // at all
  int64_t outside_elems = 0;    // beyond the bounds
  double max_abs = 0;           // infinite beside a NaN or an infinity
  double max_rel = 0;           // |a - b| / |a|; infinite where a is 0 and b is not
  int64_t max_abs_elem = -1;
  int64_t max_rel_elem = -1;
  double mse = 0;
  std::vector<Difference> outside;  // the first of them
};

// Errors: types of which one has no numbers, other shapes (the message has both). Types may differ.
litert::Expected<Comparison> CompareTensors(const TensorData& a, const TensorData& b,
                                            const Bounds& bounds, size_t max_listed);

// [1,0,3] of an element of a shape.
std::vector<int64_t> PositionOf(int64_t elem, const std::vector<int64_t>& shape);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TENSORS_COMPARISON_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a tensor of numbers looks like, in a line or two.

#ifndef NPUKIT_SDK_TOOLS_TENSORS_STATISTICS_H_
#define NPUKIT_SDK_TOOLS_TENSORS_STATISTICS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sdk/tools/tensors/tensor_data.h"

namespace npukit::tools {

// Of real values: quantised numbers by their scale, where one holds for the whole tensor. Minimum,
// maximum, mean and deviation are of what is finite.
struct Statistics {
  int64_t elems = 0;
  int64_t finite_elems = 0;
  int64_t nan_elems = 0;
  int64_t infinite_elems = 0;
  int64_t zero_elems = 0;
  double min = 0;
  double max = 0;
  double mean = 0;
  double deviation = 0;

  std::string Text() const;
};

// Of a type that IsNumber.
Statistics StatisticsOf(const TensorData& data, const Quantization& quantization);

struct RankedElement {
  int64_t elem = 0;  // in C order
  double value = 0;  // real
};
// The `count` largest, largest first, the earlier of equals first; NaN last.
std::vector<RankedElement> LargestOf(const TensorData& data, const Quantization& quantization,
                                     size_t count);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TENSORS_STATISTICS_H_

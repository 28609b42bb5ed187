// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Walking operands that are broadcast against each other: dimensions are merged where they can be,
// and what is left is a few outer loops around rows that are contiguous or constant in each
// operand.

#ifndef NPUKIT_SDK_HOST_KERNELS_BROADCAST_H_
#define NPUKIT_SDK_HOST_KERNELS_BROADCAST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sdk/host/kernels/node.h"

namespace npukit::kernels {

inline constexpr size_t kMaxRank = 8;

// kOperands inputs read for one contiguous output. The last merged dimension is the row; an
// operand's row stride is 1, or 0 where it is repeated.
template <size_t kOperands>
struct BroadcastPlan {
  struct Dim {
    int64_t extent = 1;
    std::array<int64_t, kOperands> stride = {};  // in elements
  };
  std::array<Dim, kMaxRank> outer = {};
  size_t outer_rank = 0;
  Dim row;           // extent 1 for scalars
  int64_t rows = 1;  // product of the outer extents

  // Calls fn(offsets, output_offset) for each row in [begin, end): offsets of the row's first
  // element in each operand.
  template <typename Fn>
  void ForEachRow(int64_t begin, int64_t end, Fn fn) const {
    for (int64_t index = begin; index < end; ++index) {
      std::array<int64_t, kOperands> offsets = {};
      int64_t rest = index;
      for (size_t d = outer_rank; d-- > 0;) {
        const int64_t at = rest % outer[d].extent;
        rest /= outer[d].extent;
        for (size_t k = 0; k < kOperands; ++k) offsets[k] += at * outer[d].stride[k];
      }
      fn(offsets, index * row.extent);
    }
  }
};

// Each input shape broadcasts to `output`, which has at most kMaxRank dimensions.
template <size_t kOperands>
BroadcastPlan<kOperands> PlanBroadcast(
    std::span<const int32_t> output,
    const std::array<std::span<const int32_t>, kOperands>& inputs) {
  using Plan = BroadcastPlan<kOperands>;
  Plan plan;
  std::array<typename Plan::Dim, kMaxRank> merged = {};  // from the last dimension
  size_t count = 0;
  std::array<int64_t, kOperands> elems;
  elems.fill(1);
  for (size_t i = 0; i < output.size(); ++i) {
    typename Plan::Dim dim{.extent = output[output.size() - 1 - i], .stride = {}};
    for (size_t k = 0; k < kOperands; ++k) {
      const int64_t extent = i < inputs[k].size() ? inputs[k][inputs[k].size() - 1 - i] : 1;
      dim.stride[k] = extent == 1 ? 0 : elems[k];
      elems[k] *= extent;
    }
    if (dim.extent == 1) continue;
    bool joins = count > 0;
    for (size_t k = 0; joins && k < kOperands; ++k) {
      joins = dim.stride[k] == merged[count - 1].stride[k] * merged[count - 1].extent;
    }
    if (joins) {
      merged[count - 1].extent *= dim.extent;
    } else {
      merged[count++] = dim;
    }
  }
  if (count > 0) plan.row = merged[0];
  plan.outer_rank = count > 0 ? count - 1 : 0;
  for (size_t d = 0; d < plan.outer_rank; ++d) {
    plan.outer[d] = merged[plan.outer_rank - d];
    plan.rows *= plan.outer[d].extent;
  }
  return plan;
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_BROADCAST_H_

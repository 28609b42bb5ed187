// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Movements that are known when a kernel is prepared, as nests of loops over strides: TRANSPOSE,
// SLICE, CONCATENATION, TILE and their like say which, and one kernel runs them all, in contiguous
// runs where there are any.

#ifndef NPUKIT_SDK_HOST_KERNELS_MOVEMENT_STRIDED_COPY_H_
#define NPUKIT_SDK_HOST_KERNELS_MOVEMENT_STRIDED_COPY_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

// For each index i:
//   out[out_offset + sum over d of i_d out_stride_d] = in[in_offset + sum over d of i_d in_stride_d]
// All in elements. Strides may be negative, in_stride also 0.
struct StridedCopy {
  struct Dim {
    int64_t extent = 1;
    int64_t in_stride = 0;
    int64_t out_stride = 0;
  };
  size_t input = 0;   // which of the node's
  size_t output = 0;  // which of the node's
  int64_t in_offset = 0;
  int64_t out_offset = 0;
  std::vector<Dim> dims = {};  // outermost first; none: one element
};

// The bytes of one element.
using ElemValue = std::array<uint8_t, 8>;
void FillElems(std::span<uint8_t> out, const uint8_t* elem, size_t elem_bytes);

// Elements to step over from one index to the next in each dimension of a dense tensor.
std::vector<int64_t> StridesOf(std::span<const int32_t> shape);

// Runs the copies in order; with `fill`, output 0 is filled with it first. The caller has seen that
// no copy leaves its tensors.
litert::Expected<std::unique_ptr<Kernel>> MakeCopies(std::vector<StridedCopy> copies,
                                                     size_t elem_bytes,
                                                     std::optional<ElemValue> fill = std::nullopt);

// A part of a dense tensor as a copy from it into a dense output of shape `extents`: element
// begin[d] + i * step[d] in each dimension.
StridedCopy CopyOfPart(std::span<const int32_t> shape, std::span<const int64_t> begin,
                       std::span<const int64_t> step, std::span<const int32_t> extents);

// Elements in order into an output of the same size and another shape (RESHAPE and its like); may
// run in place.
litert::Expected<std::unique_ptr<Kernel>> PrepareWholeCopy(const Node& node,
                                                           const PrepareOptions& options);
litert::Expected<void> WholeCopyOracle(const Node& node,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_MOVEMENT_STRIDED_COPY_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Products of stacks of matrices: out[b] = A[b] B[b], where each of A and B may be stored
// transposed, and the stacks are broadcast against each other.

#ifndef NPUKIT_SDK_HOST_KERNELS_PRODUCTS_MATMUL_H_
#define NPUKIT_SDK_HOST_KERNELS_PRODUCTS_MATMUL_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

struct MatMul {
  int64_t rows = 0;           // of A and the output
  int64_t cols = 0;           // of B and the output
  int64_t depth = 0;          // columns of A, rows of B
  bool a_transposed = false;  // stored [depth, rows]
  bool b_transposed = false;  // stored [cols, depth]
  struct Pair {
    int64_t a = 0;  // first elements
    int64_t b = 0;
  };
  std::vector<Pair> batches;

  int64_t AIndex(const Pair& batch, int64_t row, int64_t k) const {
    return batch.a + (a_transposed ? k * rows + row : row * depth + k);
  }
  int64_t BIndex(const Pair& batch, int64_t k, int64_t col) const {
    return batch.b + (b_transposed ? col * depth + k : k * cols + col);
  }
};

// float32: B is packed into panels for the microkernels, once for good if it is constant.
// `b_scales` dequantises an int8 B: one scale, or one per column; empty for a float B.
std::unique_ptr<Kernel> MakeFloatMatMul(const Node& node, const MatMul& matmul,
                                        std::vector<float> b_scales, const PrepareOptions& options);

// int8 by int8 to int8, requantised in fixed point (one multiplier).
struct MatMulQuantization {
  int32_t a_zero_point = 0;
  int32_t b_zero_point = 0;
  Requantizer requantizer;
};
std::unique_ptr<Kernel> MakeInt8MatMul(const Node& node, const MatMul& matmul,
                                       const MatMulQuantization& quantization,
                                       const PrepareOptions& options);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_PRODUCTS_MATMUL_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A matrix product as loops over rows, columns and the sum, with any strides, and the matrix products
// of the matrix engine that compute the same.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_PRODUCT_LOOPS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_PRODUCT_LOOPS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "reference_plugin/compiler/lower/products/matmul.h"
#include "reference_plugin/compiler/rewrite/move_walk.h"

namespace acme::compiler {

// A loop over rows or columns: how far apart they are in the operand that has them, and in the
// result.
struct ProductLoop {
  int64_t extent = 1;
  int64_t operand_stride = 0;
  int64_t result_stride = 0;
  bool operator==(const ProductLoop&) const = default;
};

// y[rows, cols] = sum over depth of a[rows, depth] * b[depth, cols] for the matrices that begin at
// `begins`.
struct ProductLoops {
  std::vector<MatMul::Product> begins;
  std::vector<ProductLoop> rows;  // innermost first; none with one step
  std::vector<ProductLoop> cols;
  int64_t depth = 1;
  int64_t a_depth_stride = 1;
  int64_t b_depth_stride = 1;
};

// The loops of both in steps that they have in common; nothing if there are none.
std::optional<std::vector<ProductLoop>> JoinLoops(Loops operand, Loops result);

// The product's loops if its operands and result stand where the walks say; nothing if they are not
// nested loops there.
struct ProductWalks {
  MoveWalk a;
  MoveWalk b;
  MoveWalk y;
};
std::optional<ProductLoops> LoopsOf(const MatMul& matmul, const ProductWalks& walks);

// Every way to give the loops to the matrix engine: of the rows one loop is streamed, of the columns
// one becomes columns of the array, all others are products of their own. Types, values and
// quantisation are `matmul`'s; operands may have changed places.
std::vector<MatMul> MatMulsOf(const ProductLoops& loops, const MatMul& matmul);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_PRODUCT_LOOPS_H_

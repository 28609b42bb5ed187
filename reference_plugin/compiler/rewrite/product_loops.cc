// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/product_loops.h"

#include <algorithm>
#include <utility>

namespace acme::compiler {
namespace {

// What every field for a stride holds (v.view's s0 is the narrowest).
constexpr int64_t kMostStrideBytes = (1 << 21) - 1;
constexpr int64_t kMostProducts = 4096;

// Cuts what is left of a loop after so many of its steps.
void DropSteps(Loops& loops, size_t& at, int64_t steps) {
  Loop& loop = loops[at];
  if (loop.extent == steps) {
    ++at;
    return;
  }
  loop.extent /= steps;
  loop.stride *= steps;
}

struct OperandLoops {
  Loops rows;
  Loops depth;
};

// Of one matrix of [rows, depth], or of a transposed one.
std::optional<OperandLoops> WalkMatrix(const MoveWalk& walk, int64_t begin, const Loop& rows,
                                       const Loop& depth) {
  const std::optional<Loops> far_rows = walk.FarLoops(begin, rows.stride, rows.extent);
  const std::optional<Loops> far_depth = walk.FarLoops(begin, depth.stride, depth.extent);
  if (!far_rows || !far_depth) return std::nullopt;
  return OperandLoops{*far_rows, *far_depth};
}

std::optional<ProductLoops> LoopsOfOne(const MatMul& m, const ProductWalks& walks,
                                       const MatMul::Product& at) {
  const Loop b_cols{m.cols, m.b_transposed ? m.b_row_stride : 1};
  const Loop b_depth{m.depth, m.b_transposed ? 1 : m.b_row_stride};
  const auto a = WalkMatrix(walks.a, at.a, {m.rows, m.a_row_stride}, {m.depth, 1});
  const auto b = WalkMatrix(walks.b, at.b, b_cols, b_depth);
  const auto y = WalkMatrix(walks.y, at.y, {m.rows, m.y_row_stride}, {m.cols, 1});
  if (!a || !b || !y || a->depth.size() > 1 || b->depth.size() > 1) return std::nullopt;
  const auto rows = JoinLoops(a->rows, y->rows);
  const auto cols = JoinLoops(b->rows, y->depth);
  if (!rows || !cols) return std::nullopt;
  ProductLoops loops{.rows = *rows, .cols = *cols, .depth = m.depth};
  if (m.depth > 1) {
    loops.a_depth_stride = a->depth[0].stride;
    loops.b_depth_stride = b->depth[0].stride;
  }
  return loops;
}

ProductLoops Exchanged(ProductLoops loops) {
  std::swap(loops.rows, loops.cols);
  std::swap(loops.a_depth_stride, loops.b_depth_stride);
  for (MatMul::Product& begin : loops.begins) std::swap(begin.a, begin.b);
  return loops;
}

// The products of what is left of the loops without the ones at `row` and `col`.
std::vector<MatMul::Product> ProductsOf(const ProductLoops& loops, size_t row, size_t col) {
  std::vector<MatMul::Product> products = loops.begins;
  const auto repeat = [&](const ProductLoop& loop, int64_t MatMul::Product::*operand) {
    const std::vector<MatMul::Product> before = products;
    for (int64_t i = 1; i < loop.extent; ++i) {
      for (MatMul::Product product : before) {
        product.*operand += i * loop.operand_stride;
        product.y += i * loop.result_stride;
        products.push_back(product);
      }
    }
  };
  for (size_t i = 0; i < loops.rows.size(); ++i) {
    if (i != row) repeat(loops.rows[i], &MatMul::Product::a);
  }
  for (size_t i = 0; i < loops.cols.size(); ++i) {
    if (i != col) repeat(loops.cols[i], &MatMul::Product::b);
  }
  return products;
}

int64_t CountProducts(const ProductLoops& loops, size_t row, size_t col) {
  auto count = static_cast<int64_t>(loops.begins.size());
  for (size_t i = 0; i < loops.rows.size(); ++i) count *= i == row ? 1 : loops.rows[i].extent;
  for (size_t i = 0; i < loops.cols.size(); ++i) count *= i == col ? 1 : loops.cols[i].extent;
  return count;
}

// A stride between rows where there is more than one.
bool SetStride(int32_t& to, int64_t rows, int64_t stride, int64_t row_elems, Dtype dtype) {
  if (rows == 1) stride = row_elems;
  if (stride <= 0 || stride * SizeBytes(dtype) > kMostStrideBytes) return false;
  to = static_cast<int32_t>(stride);
  return true;
}

// With a streamed along the sum, and the result's columns side by side.
std::optional<MatMul> MatMulOf(const ProductLoops& loops, size_t row, size_t col, MatMul m) {
  constexpr ProductLoop kOne;
  const ProductLoop& rows = row < loops.rows.size() ? loops.rows[row] : kOne;
  const ProductLoop& cols = col < loops.cols.size() ? loops.cols[col] : kOne;
  if (loops.depth > 1 && loops.a_depth_stride != 1) return std::nullopt;
  if (cols.extent > 1 && cols.result_stride != 1) return std::nullopt;
  if (CountProducts(loops, row, col) > kMostProducts) return std::nullopt;
  m.rows = static_cast<int32_t>(rows.extent);
  m.cols = static_cast<int32_t>(cols.extent);
  // Columns of one element each are as good as rows of it.
  m.b_transposed = loops.b_depth_stride == 1 && (loops.depth > 1 || cols.operand_stride != 1);
  if (!m.b_transposed && cols.extent > 1 && cols.operand_stride != 1) return std::nullopt;
  const bool strides =
      SetStride(m.a_row_stride, m.rows, rows.operand_stride, m.depth, m.dtype) &&
      SetStride(m.y_row_stride, m.rows, rows.result_stride, m.cols, m.y_dtype) &&
      (m.b_transposed
           ? SetStride(m.b_row_stride, m.cols, cols.operand_stride, m.depth, m.b_dtype)
           : SetStride(m.b_row_stride, m.depth, loops.b_depth_stride, m.cols, m.b_dtype));
  if (!strides) return std::nullopt;
  m.products = ProductsOf(loops, row, col);
  return m;
}

void AddMatMuls(const ProductLoops& loops, const MatMul& matmul, std::vector<MatMul>& matmuls) {
  for (size_t row = 0; row < std::max<size_t>(loops.rows.size(), 1); ++row) {
    for (size_t col = 0; col < std::max<size_t>(loops.cols.size(), 1); ++col) {
      if (std::optional<MatMul> m = MatMulOf(loops, row, col, matmul))
        matmuls.push_back(*std::move(m));
    }
  }
}

}  // namespace

std::optional<std::vector<ProductLoop>> JoinLoops(Loops operand, Loops result) {
  std::vector<ProductLoop> joined;
  size_t i = 0;
  size_t j = 0;
  while (i < operand.size() && j < result.size()) {
    const Loop x = operand[i];
    const Loop y = result[j];
    // The shorter loop cuts the longer into two, which works if it divides it.
    const int64_t steps = std::min(x.extent, y.extent);
    if (x.extent % steps != 0 || y.extent % steps != 0) return std::nullopt;
    joined.push_back({steps, x.stride, y.stride});
    DropSteps(operand, i, steps);
    DropSteps(result, j, steps);
  }
  if (i < operand.size() || j < result.size()) return std::nullopt;
  return joined;
}

std::optional<ProductLoops> LoopsOf(const MatMul& matmul, const ProductWalks& walks) {
  std::optional<ProductLoops> loops;
  std::vector<MatMul::Product> begins;
  for (const MatMul::Product& at : matmul.products) {
    std::optional<ProductLoops> one = LoopsOfOne(matmul, walks, at);
    if (!one) return std::nullopt;
    if (loops && (one->rows != loops->rows || one->cols != loops->cols ||
                  one->a_depth_stride != loops->a_depth_stride ||
                  one->b_depth_stride != loops->b_depth_stride))
      return std::nullopt;
    if (!loops) loops = std::move(one);
    begins.push_back({walks.a.Far(at.a), walks.b.Far(at.b), walks.y.Far(at.y)});
  }
  if (loops) loops->begins = std::move(begins);
  return loops;
}

std::vector<MatMul> MatMulsOf(const ProductLoops& loops, const MatMul& matmul) {
  std::vector<MatMul> matmuls;
  AddMatMuls(loops, matmul, matmuls);
  // Operands of two types can't change places: the array takes int8 weights for int16 activations,
  // not the other way round.
  if (matmul.dtype == matmul.b_dtype) {
    MatMul exchanged = matmul;
    std::swap(exchanged.a, exchanged.b);
    std::swap(exchanged.a_zp, exchanged.b_zp);
    AddMatMuls(Exchanged(loops), exchanged, matmuls);
  }
  return matmuls;
}

}  // namespace acme::compiler

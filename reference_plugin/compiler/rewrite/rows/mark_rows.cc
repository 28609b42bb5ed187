// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/rows/mark_rows.h"

#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/compare.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/elementwise/select.h"
#include "reference_plugin/compiler/lower/elementwise/softmax.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"

namespace acme::compiler {
namespace {

// Whether an operand has the result's elements in their order and is computed at run time.
bool IsImage(ValueId operand, const Value& result, const Network& network) {
  return !network.value(operand).is_constant() && network.value(operand).shape == result.shape;
}

// Whether it is an image of as many rows that is computed at run time.
bool HasRowsOf(ValueId operand, const Value& result, const Network& network) {
  const Value& image = network.value(operand);
  return !image.is_constant() && image.shape.size() == 4 && image.shape[0] == 1 &&
         image.shape[1] == result.shape[1];
}

std::shared_ptr<const LayerOp> WithRows(const Binary& binary, const Value& result,
                                        int32_t row_elems, const Network& network) {
  const auto is_image = [&](const Binary::Operand& operand) {
    return IsImage(operand.value, result, network) && IsWhole(operand, binary.extent);
  };
  auto op = std::make_shared<Binary>(binary);
  const bool a = is_image(binary.a);
  const bool b = is_image(binary.b);
  const bool c = binary.then && is_image(binary.then->c);
  if ((!a && !b && !c) || !binary.outer.empty() || binary.y_pitch > 0 ||
      RowDimension(binary.extent, row_elems) < 0)
    return nullptr;
  op->a_is_image = a;
  op->b_is_image = b;
  if (op->then) op->then->c_is_image = c;
  op->row_elems = row_elems;
  return op;
}

// Pieces that stand in the same rows on both sides: concatenation and padding of channels.
std::shared_ptr<const LayerOp> WithRows(const Move& move, const Value& result, int32_t row_elems,
                                        const Network& network) {
  const int32_t rows = result.shape[1];
  for (const MovePiece& piece : move.pieces) {
    const int32_t d = RowDimension(piece, rows, row_elems);
    if (d < 0) return nullptr;
    if (piece.from == kNoValue) continue;
    const Value& from = network.value(piece.from);
    if (from.is_constant() || from.shape.size() != 4 || from.shape[0] != 1 || from.shape[1] != rows)
      return nullptr;
    const MoveDimension& outer = piece.dims[static_cast<size_t>(d)];
    const int64_t from_row = from.Elems() / rows;
    if (row_elems / outer.to_stride_elems * outer.from_stride_elems != from_row ||
        piece.from_base_elems >= from_row)
      return nullptr;
  }
  auto op = std::make_shared<Move>(move);
  op->row_elems = row_elems;
  return op;
}

template <class C>
std::shared_ptr<const LayerOp> WithWalkedRows(const C& walked, const Value& result,
                                              int32_t row_elems, const Network& network) {
  const std::vector<ValueId> images = ImagesOf(walked.walk, walked.Operands());
  if (images.empty() || !HasRows(walked.walk, result.shape[1], row_elems)) return nullptr;
  for (ValueId id : images) {
    if (!HasRowsOf(id, result, network)) return nullptr;
  }
  auto op = std::make_shared<C>(walked);
  op->row_elems = row_elems;
  return op;
}

// Functions of each element or of the innermost dimension.
template <class Function>
std::shared_ptr<const LayerOp> WithRowsOfFunction(const Function& function, const Value& result,
                                                  int32_t row_elems, const Network& network) {
  if (!IsImage(function.x, result, network)) return nullptr;
  auto op = std::make_shared<Function>(function);
  op->row_elems = row_elems;
  return op;
}

std::shared_ptr<const LayerOp> WithRows(const Reduce& reduce, const Value& result,
                                        int32_t row_elems, const Network& network) {
  if (!HasRowsOf(reduce.x, result, network) || !reduce.HasRows(result.shape[1], row_elems))
    return nullptr;
  auto op = std::make_shared<Reduce>(reduce);
  op->row_elems = row_elems;
  return op;
}

// Each matrix of y lies within a row; a is an image of as many rows if each matrix of a lies within
// the same one.
std::shared_ptr<const LayerOp> WithRows(const MatMul& matmul, const Value& result,
                                        int32_t row_elems, const Network& network) {
  const auto is_within = [](int64_t begin, int64_t rows, int64_t stride, int64_t cols, int64_t row,
                            int64_t elems) {
    return begin >= row * elems && begin + (rows - 1) * stride + cols <= (row + 1) * elems;
  };
  const Value& a = network.value(matmul.a);
  int64_t a_row_elems =
      HasRowsOf(matmul.a, result, network) ? a.Elems() / a.shape[kRowDimension] : 0;
  const int64_t y_rows = matmul.y_transposed ? matmul.cols : matmul.rows;
  const int64_t y_cols = matmul.y_transposed ? matmul.rows : matmul.cols;
  for (const MatMul::Product& product : matmul.products) {
    const int64_t row = product.y / row_elems;
    if (!is_within(product.y, y_rows, matmul.y_row_stride, y_cols, row, row_elems)) return nullptr;
    if (a_row_elems > 0 &&
        !is_within(product.a, matmul.rows, matmul.a_row_stride, matmul.depth, row, a_row_elems))
      a_row_elems = 0;
  }
  auto op = std::make_shared<MatMul>(matmul);
  op->row_elems = row_elems;
  op->a_row_elems = a_row_elems;
  return op;
}

std::shared_ptr<const LayerOp> WithRows(const Layer& layer, const Value& result, int32_t row_elems,
                                        const Network& network) {
  if (const auto* map = layer.As<Map>())
    return WithRowsOfFunction(*map, result, row_elems, network);
  if (const auto* softmax = layer.As<Softmax>(); softmax && row_elems % softmax->depth == 0)
    return WithRowsOfFunction(*softmax, result, row_elems, network);
  if (const auto* binary = layer.As<Binary>()) return WithRows(*binary, result, row_elems, network);
  if (const auto* move = layer.As<Move>()) return WithRows(*move, result, row_elems, network);
  if (const auto* matmul = layer.As<MatMul>()) return WithRows(*matmul, result, row_elems, network);
  if (const auto* reduce = layer.As<Reduce>()) return WithRows(*reduce, result, row_elems, network);
  if (const auto* compare = layer.As<Compare>())
    return WithWalkedRows(*compare, result, row_elems, network);
  if (const auto* select = layer.As<Select>())
    return WithWalkedRows(*select, result, row_elems, network);
  return nullptr;
}

// Whether its lowering goes by extents of its own, whatever the shapes of its values.
bool IsShapeless(const Layer& layer) {
  return layer.As<Map>() != nullptr || layer.As<Binary>() != nullptr ||
         layer.As<Softmax>() != nullptr || layer.As<MatMul>() != nullptr;
}

// Matrices of several batches become rows of one image, where nobody goes by the shape.
void FoldBatches(Network& network) {
  std::vector<bool> is_free(network.values.size(), true);
  const auto keep = [&](ValueId id) { is_free[static_cast<size_t>(id)] = false; };
  for (size_t i = 0; i < network.values.size(); ++i) {
    const Value& value = network.values[i];
    if (value.is_constant() || value.base != kNoValue) keep(static_cast<ValueId>(i));
    if (value.base != kNoValue) keep(value.base);
  }
  for (const Layer& layer : network.layers) {
    if (IsShapeless(layer)) continue;
    keep(layer.output);
    for (ValueId id : layer.Inputs()) keep(id);
  }
  for (size_t i = 0; i < network.values.size(); ++i) {
    std::vector<int32_t>& shape = network.values[i].shape;
    if (!is_free[i] || shape.size() < 3) continue;
    const int32_t batches = std::accumulate(shape.begin(), shape.end() - 2, 1, std::multiplies<>());
    if (batches > 1) shape = {1, batches, shape.end()[-2], shape.end()[-1]};
  }
}

}  // namespace

void MarkRows(Network& network) {
  FoldBatches(network);
  for (Layer& layer : network.layers) {
    const Value& result = network.value(layer.output);
    if (result.shape.size() != 4 || result.shape[0] != 1 || result.shape[kRowDimension] == 1)
      continue;
    const auto row_elems = static_cast<int32_t>(result.Elems() / result.shape[kRowDimension]);
    std::shared_ptr<const LayerOp> op = WithRows(layer, result, row_elems, network);
    if (op != nullptr) layer.op = std::move(op);
  }
}

}  // namespace acme::compiler

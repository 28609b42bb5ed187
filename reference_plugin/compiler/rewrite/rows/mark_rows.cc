// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/rows/mark_rows.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <set>
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

// Whether a matrix lies within one row of so many elements, the `row`-th.
struct Matrix {
  int64_t begin = 0;
  int64_t rows = 1;
  int64_t stride = 0;
  int64_t cols = 1;
  bool IsWithin(int64_t row, int64_t elems) const {
    return begin >= row * elems && begin + (rows - 1) * stride + cols <= (row + 1) * elems;
  }
};

// Elements of a row of a, if that is an image of as many rows.
int64_t RowElemsOfA(const MatMul& matmul, const Value& result, const Network& network) {
  const Value& a = network.value(matmul.a);
  return HasRowsOf(matmul.a, result, network) ? a.Elems() / a.shape[kRowDimension] : 0;
}

// A row of y has a row of each matrix; a is an image if it is the same there.
std::shared_ptr<const LayerOp> WithRowOfEach(const MatMul& matmul, const Value& result,
                                             int32_t row_elems, const Network& network) {
  if (matmul.y_transposed || matmul.rows != result.shape[kRowDimension] ||
      matmul.y_row_stride != row_elems)
    return nullptr;
  int64_t a_row_elems = RowElemsOfA(matmul, result, network);
  if (matmul.a_row_stride != a_row_elems) a_row_elems = 0;
  for (const MatMul::Product& product : matmul.products) {
    if (!Matrix{product.y, 1, 0, matmul.cols}.IsWithin(0, row_elems)) return nullptr;
    if (a_row_elems > 0 && !Matrix{product.a, 1, 0, matmul.depth}.IsWithin(0, a_row_elems))
      a_row_elems = 0;
  }
  auto op = std::make_shared<MatMul>(matmul);
  op->row_elems = row_elems;
  op->a_row_elems = a_row_elems;
  op->row_of_each = true;
  return op;
}

// Each matrix of y lies within a row; a is an image of as many rows if each matrix of a lies within
// the same one.
std::shared_ptr<const LayerOp> WithRows(const MatMul& matmul, const Value& result,
                                        int32_t row_elems, const Network& network) {
  int64_t a_row_elems = RowElemsOfA(matmul, result, network);
  const int64_t y_rows = matmul.y_transposed ? matmul.cols : matmul.rows;
  const int64_t y_cols = matmul.y_transposed ? matmul.rows : matmul.cols;
  for (const MatMul::Product& product : matmul.products) {
    const int64_t row = product.y / row_elems;
    if (!Matrix{product.y, y_rows, matmul.y_row_stride, y_cols}.IsWithin(row, row_elems))
      return WithRowOfEach(matmul, result, row_elems, network);
    if (a_row_elems > 0 &&
        !Matrix{product.a, matmul.rows, matmul.a_row_stride, matmul.depth}.IsWithin(row,
                                                                                    a_row_elems))
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

// The shape of a product's result of which each row has a row of every matrix; none if it is not so, or
// if a matrix of scores among its operand and result is too large.
std::vector<int32_t> ShapeByRowOfEach(const MatMul& matmul, ValueId output, const Network& network,
                                      int64_t most_bytes) {
  const Value& result = network.value(output);
  const int32_t row = matmul.y_row_stride;
  const bool is_dealt = !matmul.y_transposed && row > matmul.cols && row % matmul.cols == 0 &&
                        result.Elems() == int64_t{matmul.rows} * row;
  if (!is_dealt || std::max(result.Bytes(), network.value(matmul.a).Bytes()) > most_bytes)
    return {};
  return {1, matmul.rows, row / matmul.cols, matmul.cols};
}

// Where all that reads what attention makes knows it by another name, a reshape's, it is made under that
// name: what has two is not cut into rows.
void TakeOtherNames(Network& network, int64_t most_dealt_bytes) {
  std::vector<std::set<ValueId>> names(network.values.size());  // that are read, by storage
  for (const Layer& layer : network.layers) {
    for (ValueId id : layer.Inputs())
      names[static_cast<size_t>(network.RootOf(id).value)].insert(id);
  }
  for (Layer& layer : network.layers) {
    const ValueId made = layer.output;
    const auto* matmul = layer.As<MatMul>();
    const bool is_dealt =
        matmul != nullptr && !ShapeByRowOfEach(*matmul, made, network, most_dealt_bytes).empty();
    if (!is_dealt && layer.As<Softmax>() == nullptr) continue;
    const std::set<ValueId>& read = names[static_cast<size_t>(made)];
    if (network.value(made).base != kNoValue || network.value(made).output_index >= 0 ||
        read.size() != 1 || *read.begin() == made)
      continue;
    Value& other = network.values[static_cast<size_t>(*read.begin())];
    if (other.output_index >= 0 || other.Elems() != network.value(made).Elems()) continue;
    other.base = kNoValue;
    layer.output = *read.begin();
  }
}

// Computed values of one name by whose shape nobody goes: their layers are all shapeless.
std::vector<bool> FreeValues(const Network& network, bool (*is_shapeless)(const Layer&)) {
  std::vector<bool> is_free(network.values.size(), true);
  const auto keep = [&](ValueId id) { is_free[static_cast<size_t>(id)] = false; };
  for (size_t i = 0; i < network.values.size(); ++i) {
    const Value& value = network.values[i];
    if (value.is_constant() || value.base != kNoValue) keep(static_cast<ValueId>(i));
    if (value.base != kNoValue) keep(value.base);
  }
  for (const Layer& layer : network.layers) {
    if (is_shapeless(layer)) continue;
    keep(layer.output);
    for (ValueId id : layer.Inputs()) keep(id);
  }
  return is_free;
}

// Matrices of several batches become rows of one image, where nobody goes by the shape.
void FoldBatches(Network& network) {
  const std::vector<bool> is_free = FreeValues(network, IsShapeless);
  for (size_t i = 0; i < network.values.size(); ++i) {
    std::vector<int32_t>& shape = network.values[i].shape;
    if (!is_free[i] || shape.size() < 3) continue;
    const int32_t batches = std::accumulate(shape.begin(), shape.end() - 2, 1, std::multiplies<>());
    if (batches > 1) shape = {1, batches, shape.end()[-2], shape.end()[-1]};
  }
}

// Scores of several heads, and what becomes of them, have tokens as rows where each token's heads stand
// together.
void ShapeByTokens(Network& network, int64_t most_dealt_bytes) {
  std::vector<bool> is_free = FreeValues(network, IsShapeless);
  for (Layer& layer : network.layers) {
    std::vector<int32_t> shape;
    if (const auto* matmul = layer.As<MatMul>()) {
      shape = ShapeByRowOfEach(*matmul, layer.output, network, most_dealt_bytes);
    } else if (const auto* softmax = layer.As<Softmax>()) {
      shape = network.value(softmax->x).shape;
    }
    const Value result = network.value(layer.output);
    if (shape.empty() || shape == result.shape || result.output_index >= 0 ||
        result.base != kNoValue)
      continue;
    if (is_free[static_cast<size_t>(layer.output)]) {
      network.values[static_cast<size_t>(layer.output)].shape = std::move(shape);
    } else if (layer.As<MatMul>() != nullptr) {
      // Others go by the shape that it had: they keep the name that has it.
      const auto named = static_cast<ValueId>(network.values.size());
      network.values[static_cast<size_t>(layer.output)].base = named;
      network.values.push_back(result);
      network.values.back().shape = std::move(shape);
      layer.output = named;
      is_free.push_back(false);
    }
  }
}

// [1, rows, columns] of an image with channels, which were reduced, is an image of one channel, where
// nobody goes by the shape: a place of each pixel's largest channel, and what becomes of it.
void KeepOneChannel(Network& network) {
  const std::vector<bool> is_free = FreeValues(network, [](const Layer& layer) {
    return layer.As<Map>() != nullptr || layer.As<Binary>() != nullptr ||
           layer.As<Reduce>() != nullptr;
  });
  for (const Layer& layer : network.layers) {
    Value& result = network.values[static_cast<size_t>(layer.output)];
    if (!is_free[static_cast<size_t>(layer.output)] || result.shape.size() != 3 ||
        result.shape[0] != 1)
      continue;
    const std::vector<ValueId> inputs = layer.Inputs();
    if (std::ranges::any_of(inputs, [&](ValueId id) { return HasRowsOf(id, result, network); }))
      result.shape.push_back(1);
  }
}

}  // namespace

void MarkRows(Network& network, int64_t most_dealt_bytes) {
  TakeOtherNames(network, most_dealt_bytes);
  KeepOneChannel(network);
  FoldBatches(network);
  ShapeByTokens(network, most_dealt_bytes);
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

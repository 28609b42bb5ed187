// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Transpositions of a matrix product's operands and result, as models have them around attention's
// heads, on every chip: all orders of the operands' dimensions by all of the result's.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

using Order = std::array<int32_t, 3>;

Order Inverse(const Order& order) {
  Order inverse = {};
  for (int32_t d = 0; d < 3; ++d) inverse[static_cast<size_t>(order[static_cast<size_t>(d)])] = d;
  return inverse;
}

Shape Permuted(const Shape& shape, const Order& order) {
  Shape permuted;
  for (int32_t d : order) permuted.push_back(shape[static_cast<size_t>(d)]);
  return permuted;
}

std::string OrderName(const Order& order) {
  return fmt::format("{}{}{}", order[0], order[1], order[2]);
}

bool IsIdentity(const Order& order) { return order == Order{0, 1, 2}; }

// `x` with its dimensions in another order.
Tensor* Transposed(ModelBuilder& b, Tensor* x, const char* name, LiteRtElementType type,
                   const Shape& shape, const Order& order, const Quantization& quant) {
  Tensor* perm =
      b.Constant<int32_t>(fmt::format("{}/order", name), {3}, {order[0], order[1], order[2]});
  Tensor* y = b.Value(fmt::format("{}/transposed", name), type, Permuted(shape, order), quant);
  b.AddOp(kLiteRtOpCodeTflTranspose, TransposeOptions{}, {x, perm}, {y});
  return y;
}

struct Heads {
  int32_t heads;
  int32_t rows;
  int32_t depth;
  int32_t cols;
};

// The operands come in those orders; the result goes.
struct Orders {
  Order a;
  Order b;
  Order y;
};

OpCase TransposedProduct(LiteRtElementType type, const Heads& of, const Orders& orders,
                         bool b_transposed) {
  OpCase test;
  test.name = fmt::format("{}_{}_{}_{}_{}_a{}_b{}_y{}{}", Name(type), of.heads, of.rows, of.depth,
                          of.cols, OrderName(orders.a), OrderName(orders.b), OrderName(orders.y),
                          b_transposed ? "_adj" : "");
  if (type == kF32) test.absolute = SumBound(of.depth);
  test.build = [=](ModelBuilder& b) {
    const auto operand = [&](const char* name, const Shape& shape, const Order& order,
                             const Quantization& quant) {
      if (IsIdentity(order)) return b.Input(name, type, shape, quant);
      // So that transposing gives the shape.
      const Shape given = Permuted(shape, Inverse(order));
      return Transposed(b, b.Input(name, type, given, quant), name, type, given, order, quant);
    };
    const Shape b_shape =
        b_transposed ? Shape{of.heads, of.cols, of.depth} : Shape{of.heads, of.depth, of.cols};
    Tensor* a = operand("a", {of.heads, of.rows, of.depth}, orders.a, Quant(type, 0.05f, -3));
    Tensor* w = operand("b", b_shape, orders.b, Quant(type, 0.02f, 5));
    const Shape y_shape = {of.heads, of.rows, of.cols};
    const float out = 0.02f * static_cast<float>(of.depth) * (type == kI16 ? 256.0f : 1.0f);
    const Quantization quant = Quant(type, out, 2);
    Tensor* y = b.Value("y", type, y_shape, quant);
    b.AddOp(kLiteRtOpCodeTflBatchMatmul, BatchMatMulOptions{.adj_y = b_transposed}, {a, w}, {y});
    if (!IsIdentity(orders.y)) y = Transposed(b, y, "y", type, y_shape, orders.y, quant);
    b.Output(y);
  };
  return test;
}

std::vector<OpCase> TransposedProducts() {
  constexpr Order kOrders[] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
  std::vector<OpCase> cases;
  for (const Order& a : kOrders) {
    for (const Order& y : kOrders) {
      for (const bool b_transposed : {false, true}) {
        // Each order of b once for each of a and y.
        const Order& b = kOrders[cases.size() % std::size(kOrders)];
        cases.push_back(TransposedProduct(kI8, {3, 5, 4, 7}, {a, b, y}, b_transposed));
        cases.push_back(TransposedProduct(kF32, {4, 33, 16, 9}, {a, y, b}, b_transposed));
      }
    }
  }
  constexpr Orders kAttention = {{1, 0, 2}, {1, 0, 2}, {1, 0, 2}};
  for (const LiteRtElementType type : {kI8, kI16, kF32}) {
    cases.push_back(TransposedProduct(type, {8, 100, 64, 130}, kAttention, true));
    cases.push_back(TransposedProduct(type, {8, 100, 130, 64}, kAttention, false));
  }
  return cases;
}

class AcmeTranspositions : public OnSoc {};

TEST_P(AcmeTranspositions, EqualTheCpu) { ExpectNpuEqualsCpu(); }

INSTANTIATE_TEST_SUITE_P(Products, AcmeTranspositions, OnEverySoc(TransposedProducts()),
                         OnSoc::Name);

}  // namespace
}  // namespace npukit

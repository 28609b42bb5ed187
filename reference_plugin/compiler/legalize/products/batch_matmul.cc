// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// BATCH_MATMUL: y = a b, with either operand transposed and the dimensions before the last two
// broadcast; int8 (to int8 or raw int32 sums), int16 by int8 or int16, float32, either operand
// computed or constant. TFLite multiplies the operands' scales in float32 and requantises as
// convolutions do (tflite/kernels/internal/reference/batch_matmul.h); raw sums know no zero points.
// A transposed first operand is turned around first: the array takes rows of it as they stand.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "litert/c/litert_op_options.h"

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/matmul.h"

namespace acme::compiler {
namespace {

using Dims = std::vector<int32_t>;

struct Factors {
  TensorInfo a;
  TensorInfo b;
  TensorInfo y;
};

Expected<void> CheckTypes(LiteRtOpCode code, const Factors& f) {
  const Dtype a = f.a.value.dtype;
  const Dtype b = f.b.value.dtype;
  const Dtype y = f.y.value.dtype;
  if (!TakesTypes(code, {a, y, b})) {
    return Unsupported(
        fmt::format("operands and result of the types {}, {} and {} are not supported together",
                    DtypeName(a), DtypeName(b), DtypeName(y)));
  }
  if (a == Dtype::kF32 || y == Dtype::kI32) return {};
  for (const TensorInfo* info : {&f.a, &f.b, &f.y}) ACME_RETURN_IF_ERROR(CheckPerTensor(*info));
  return {};
}

// The last dimension first; 1 beyond the dimensions that there are.
int32_t FromLast(const Dims& shape, size_t index) {
  return index < shape.size() ? shape[shape.size() - 1 - index] : 1;
}

// Which matrix of `shape` stands at place `at` of y's stack.
int32_t MatrixAt(const Dims& shape, const Dims& y, int64_t at) {
  int64_t matrix = 0;
  int64_t stride = 1;
  for (size_t d = 2; d < y.size(); ++d) {
    const int32_t extent = FromLast(shape, d);
    if (extent > 1) matrix += at % FromLast(y, d) * stride;
    at /= FromLast(y, d);
    stride *= extent;
  }
  return static_cast<int32_t>(matrix);
}

Expected<void> ReadShapes(const Factors& f, bool a_transposed, MatMul& m) {
  constexpr int64_t kMostMatrices = 4096;
  const Dims& a = f.a.value.shape;
  const Dims& b = f.b.value.shape;
  const Dims& y = f.y.value.shape;
  const Error misfit = Unsupported(fmt::format("the result {} does not fit operands {} and {}",
                                               ShapeName(y), ShapeName(a), ShapeName(b)));
  if (a.size() < 2 || b.size() < 2 || y.size() != std::max(a.size(), b.size())) return misfit;
  m.rows = FromLast(a, a_transposed ? 0 : 1);
  m.depth = FromLast(a, a_transposed ? 1 : 0);
  m.cols = FromLast(b, m.b_transposed ? 1 : 0);
  if (FromLast(b, m.b_transposed ? 0 : 1) != m.depth || FromLast(y, 1) != m.rows ||
      FromLast(y, 0) != m.cols)
    return misfit;
  int64_t matrices = 1;
  for (size_t d = 2; d < y.size(); ++d) {
    for (const Dims* shape : {&a, &b}) {
      if (FromLast(*shape, d) != 1 && FromLast(*shape, d) != FromLast(y, d)) return misfit;
    }
    if (std::max(FromLast(a, d), FromLast(b, d)) != FromLast(y, d)) return misfit;
    matrices *= FromLast(y, d);
    if (matrices > kMostMatrices)
      return Unsupported(fmt::format("it multiplies more than {} matrices", kMostMatrices));
  }
  if (matrices == 0 || m.rows == 0 || m.depth == 0 || m.cols == 0)
    return Unsupported("an operand has no elements");
  for (int64_t i = 0; i < matrices; ++i) {
    m.products.push_back({MatrixAt(a, y, i) * int64_t{m.rows} * m.depth,
                          MatrixAt(b, y, i) * int64_t{m.depth} * m.cols,
                          i * int64_t{m.rows} * m.cols});
  }
  m.SetDenseRows();
  return {};
}

Expected<void> ReadQuantization(const Factors& f, MatMul& m) {
  if (m.dtype == Dtype::kF32) {
    m.requantize.clamp = FloatActivationRange(Activation::kNone);
    return {};
  }
  if (m.y_dtype == Dtype::kI32) {
    m.requantize.clamp = TypeRange(Dtype::kI32);
    m.requantize.scales = {FixedPoint{}};  // not applied
    return {};
  }
  m.a_zp = ZeroPointOf(f.a);
  m.b_zp = ZeroPointOf(f.b);
  m.requantize.out_zp = ZeroPointOf(f.y);
  m.requantize.clamp = TypeRange(m.y_dtype);
  const bool wide = m.dtype == Dtype::kI16;
  m.requantize.rounding = wide ? Rounding::kWide : Rounding::kDouble;
  if (wide && m.b_zp != 0) return Unsupported("operands of int16 must have the zero point 0");
  const float product = ScaleOf(f.a) * ScaleOf(f.b);
  ACME_ASSIGN_OR_RETURN(
      const FixedPoint scale,
      CheckedMultiplier(static_cast<double>(product) / static_cast<double>(ScaleOf(f.y))));
  constexpr int32_t kLargestWideShift = 7;
  if (wide && scale.shift > kLargestWideShift)
    return Unsupported("the scales of operands and result are too far apart");
  m.requantize.scales = {scale};
  return {};
}

// The stack of matrices [depth, rows] that the first operand is as one of [rows, depth].
ValueId AddTransposed(const MatMul& m, NetworkBuilder& builder) {
  const Value& from = builder.network().value(m.a);
  const int64_t matrix = int64_t{m.rows} * m.depth;
  const auto matrices = static_cast<int32_t>(from.Elems() / matrix);
  auto move = std::make_shared<Move>();
  move->pieces = {
      {.from = m.a,
       .dims = {{m.depth, m.rows, 1}, {m.rows, 1, m.depth}, {matrices, matrix, matrix}}}};
  const ValueId turned =
      builder.AddValue(from.name + "/transposed", from.dtype, {matrices, m.rows, m.depth});
  builder.AddLayer(turned, std::move(move));
  return turned;
}

}  // namespace

Expected<void> LegalizeBatchMatmul(const litert::Op& op, const Hardware& hardware,
                                   NetworkBuilder& builder) {
  bool a_transposed = false;
  MatMul matmul;
  if (LiteRtGetBatchMatmulAdjXOption(op.Get(), &a_transposed) != kLiteRtStatusOk ||
      LiteRtGetBatchMatmulAdjYOption(op.Get(), &matmul.b_transposed) != kLiteRtStatusOk) {
    return Unsupported("the op has no BatchMatMulOptions");
  }
  const auto inputs = op.Inputs();
  const auto outputs = op.Outputs();
  if (inputs.size() != 2 || outputs.size() != 1)
    return Unsupported("it must have two inputs and one output");
  Factors factors;
  ACME_ASSIGN_OR_RETURN(factors.a, ReadTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(factors.b, ReadTensor(inputs[1]));
  ACME_ASSIGN_OR_RETURN(factors.y, ReadTensor(outputs[0]));
  ACME_RETURN_IF_ERROR(CheckTypes(op.Code(), factors));
  matmul.dtype = factors.a.value.dtype;
  matmul.b_dtype = factors.b.value.dtype;
  matmul.y_dtype = factors.y.value.dtype;
  ACME_RETURN_IF_ERROR(ReadShapes(factors, a_transposed, matmul));
  ACME_RETURN_IF_ERROR(ReadQuantization(factors, matmul));
  if (!MatMulFits(matmul, hardware)) return DoesNotFit(hardware);
  ACME_ASSIGN_OR_RETURN(matmul.a, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(matmul.b, builder.AddTensor(inputs[1]));
  if (a_transposed) matmul.a = AddTransposed(matmul, builder);
  return builder.AddLayer(outputs[0], std::make_shared<MatMul>(std::move(matmul)));
}

}  // namespace acme::compiler

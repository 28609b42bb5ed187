// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// BATCH_MATMUL: y = a b, or a b^T, with the dimensions before the last two broadcast; int8 or
// float32, either operand computed or constant. TFLite multiplies the operands' scales in float32
// and requantises as convolutions do (tflite/kernels/internal/reference/batch_matmul.h).

#include <algorithm>
#include <utility>

#include "litert/c/litert_op_options.h"

#include "reference_plugin/compiler/legalize.h"
#include "reference_plugin/compiler/lower/matmul.h"
#include "reference_plugin/compiler/ops/operands.h"

namespace acme::compiler {
namespace {

using Shape = std::vector<int32_t>;

struct Factors {
  TensorInfo a;
  TensorInfo b;
  TensorInfo y;
};

Expected<void> CheckTypes(const Factors& f) {
  const Dtype dtype = f.a.value.dtype;
  if (dtype != f.b.value.dtype || dtype != f.y.value.dtype ||
      (dtype != Dtype::kI8 && dtype != Dtype::kF32)) {
    return Unsupported("operands and result must all be int8 or float32, they are " +
                       DtypeName(dtype) + ", " + DtypeName(f.b.value.dtype) + " and " +
                       DtypeName(f.y.value.dtype));
  }
  if (dtype == Dtype::kF32) return {};
  for (const TensorInfo* info : {&f.a, &f.b, &f.y}) ACME_RETURN_IF_ERROR(CheckPerTensor(*info));
  return {};
}

// The last dimension first; 1 beyond the dimensions that there are.
int32_t FromLast(const Shape& shape, size_t index) {
  return index < shape.size() ? shape[shape.size() - 1 - index] : 1;
}

// Which matrix of `shape` stands at place `at` of y's stack.
int32_t MatrixAt(const Shape& shape, const Shape& y, int64_t at) {
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

Expected<void> ReadShapes(const Factors& f, MatMul& m) {
  constexpr int64_t kMostMatrices = 4096;
  const Shape& a = f.a.value.shape;
  const Shape& b = f.b.value.shape;
  const Shape& y = f.y.value.shape;
  const Error misfit = Unsupported("the result " + ShapeName(y) + " does not fit operands " +
                                   ShapeName(a) + " and " + ShapeName(b));
  if (a.size() < 2 || b.size() < 2 || y.size() != std::max(a.size(), b.size())) return misfit;
  m.rows = FromLast(a, 1);
  m.depth = FromLast(a, 0);
  m.cols = FromLast(b, m.b_transposed ? 1 : 0);
  if (FromLast(b, m.b_transposed ? 0 : 1) != m.depth || FromLast(y, 1) != m.rows ||
      FromLast(y, 0) != m.cols)
    return misfit;
  int64_t matrices = 1;
  for (size_t d = 2; d < y.size(); ++d) {
    for (const Shape* shape : {&a, &b}) {
      if (FromLast(*shape, d) != 1 && FromLast(*shape, d) != FromLast(y, d)) return misfit;
    }
    if (std::max(FromLast(a, d), FromLast(b, d)) != FromLast(y, d)) return misfit;
    matrices *= FromLast(y, d);
    if (matrices > kMostMatrices)
      return Unsupported("it multiplies more than " + std::to_string(kMostMatrices) + " matrices");
  }
  if (matrices == 0 || m.rows == 0 || m.depth == 0 || m.cols == 0)
    return Unsupported("an operand has no elements");
  for (int64_t i = 0; i < matrices; ++i) m.pairs.push_back({MatrixAt(a, y, i), MatrixAt(b, y, i)});
  return {};
}

Expected<void> ReadQuantization(const Factors& f, MatMul& m) {
  if (m.dtype == Dtype::kF32) {
    m.requantize.clamp = FloatActivationRange(Activation::kNone);
    return {};
  }
  m.a_zp = ZeroPointOf(f.a);
  m.b_zp = ZeroPointOf(f.b);
  m.requantize.out_zp = ZeroPointOf(f.y);
  m.requantize.clamp = TypeRange(Dtype::kI8);
  m.requantize.rounding = Rounding::kDouble;
  const float product = ScaleOf(f.a) * ScaleOf(f.b);
  ACME_ASSIGN_OR_RETURN(
      const FixedPoint scale,
      CheckedMultiplier(static_cast<double>(product) / static_cast<double>(ScaleOf(f.y))));
  m.requantize.scales = {scale};
  return {};
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
  if (a_transposed) return Unsupported("a transposed first operand (adj_x) is not supported");
  const auto inputs = op.Inputs();
  const auto outputs = op.Outputs();
  if (inputs.size() != 2 || outputs.size() != 1)
    return Unsupported("it must have two inputs and one output");
  Factors factors;
  ACME_ASSIGN_OR_RETURN(factors.a, ReadTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(factors.b, ReadTensor(inputs[1]));
  ACME_ASSIGN_OR_RETURN(factors.y, ReadTensor(outputs[0]));
  ACME_RETURN_IF_ERROR(CheckTypes(factors));
  matmul.dtype = factors.a.value.dtype;
  ACME_RETURN_IF_ERROR(ReadShapes(factors, matmul));
  ACME_RETURN_IF_ERROR(ReadQuantization(factors, matmul));
  if (!MatMulFits(matmul, hardware))
    return Unsupported("its smallest tile does not fit the scratchpad of " + hardware.name);
  ACME_ASSIGN_OR_RETURN(matmul.a, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(matmul.b, builder.AddTensor(inputs[1]));
  return builder.AddLayer(outputs[0], std::make_shared<MatMul>(std::move(matmul)));
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/recurrent/recurrent_arithmetic.h"

#include <array>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"

namespace npukit::kernels {

void NormalizeGate(float* values, int64_t count) {
  float sum = 0;
  float squares = 0;
  for (int64_t i = 0; i < count; ++i) sum += values[i];
  const float mean = sum / static_cast<float>(count);
  for (int64_t i = 0; i < count; ++i) {
    values[i] -= mean;
    squares += values[i] * values[i];
  }
  const float scale = 1.0f / std::sqrt(squares / static_cast<float>(count) + 1e-8f);
  for (int64_t i = 0; i < count; ++i) values[i] *= scale;
}

void NormalizeGate(Bounded* values, int64_t count) {
  const Bounded divisor{static_cast<double>(count), 0};
  BoundedSum sum;
  for (int64_t i = 0; i < count; ++i) sum.Add(values[i]);
  const Bounded mean = Div(sum.Result(0), divisor);
  BoundedSum squares;
  for (int64_t i = 0; i < count; ++i) {
    values[i] = Sub(values[i], mean);
    squares.Add(ExactProduct(values[i], values[i]));
  }
  Bounded variance = Div(squares.Result(1), divisor);
  if (std::isfinite(variance.bound))
    variance.bound = std::min(variance.bound, variance.value);  // squares are not negative
  const Bounded scale = Monotone([](double v) { return 1.0 / std::sqrt(v); },
                                 Add(variance, {static_cast<double>(1e-8f), 0}),
                                 FunctionUlps::kSqrt + FunctionUlps::kDivide);
  for (int64_t i = 0; i < count; ++i) values[i] = Mul(values[i], scale);
}

void FloatMath::AddProducts(const Matrix& matrix, const Vector& vector, int64_t rows, int64_t cols,
                            float* sums) const {
  if (matrix.is_diagonal) {
    for (int64_t r = 0; r < rows; ++r) sums[r] += matrix[r] * vector.real[r];
    return;
  }
  constexpr int64_t kTogether = 64;
  const bool stored = vector.stored != nullptr && matrix.stored != nullptr;
  const float scale = vector.scale.scale * matrix.scale;
  for (int64_t first = 0; first < rows; first += kTogether) {
    const int64_t count = std::min(kTogether, rows - first);
    std::array<float, kTogether> dots;
    if (stored) {
      std::array<int32_t, kTogether> whole;
      microkernels_.dot_int8(matrix.stored + first * cols, count, cols, vector.stored,
                             vector.scale.zero_point, whole.data());
      for (int64_t r = 0; r < count; ++r) dots[r] = static_cast<float>(whole[r]) * scale;
    } else {
      microkernels_.dot_float(matrix.real + first * cols, count, cols, vector.real, dots.data());
    }
    for (int64_t r = 0; r < count; ++r) sums[first + r] += dots[r];
  }
}

BoundedMath::Vector BoundedMath::Take(const Bounded* values, int64_t count, Bounded* room) const {
  if (!hybrid_) return {.values = values};
  double reach = 0;
  for (int64_t i = 0; i < count; ++i) reach = std::max(reach, values[i].reach());
  const double moved = DynamicRoundingBound(reach);
  for (int64_t i = 0; i < count; ++i) room[i] = {values[i].value, values[i].bound + moved};
  return {.values = room};
}

void BoundedMath::AddProducts(const Matrix& matrix, const Vector& vector, int64_t rows,
                              int64_t cols, BoundedSum* sums) const {
  for (int64_t r = 0; r < rows; ++r) {
    if (matrix.is_diagonal) {
      sums[r].Add(ExactProduct(matrix[r], vector.values[r]));
      continue;
    }
    for (int64_t c = 0; c < cols; ++c)
      sums[r].Add(ExactProduct(matrix[r * cols + c], vector.values[c]));
  }
}

FloatMath::Matrix MatrixSource::Of(const RunContext& context) const {
  FloatMath::Matrix matrix{.scale = scale, .is_diagonal = is_diagonal};
  if (is_stored) {
    matrix.stored = DataOf<int8_t>(context.inputs[input]);
  } else {
    matrix.real = DataOf<float>(context.inputs[input]);
  }
  return matrix;
}

BoundedMath::Matrix MatrixSource::Of(const OracleTensor& tensor) const {
  BoundedMath::Matrix matrix{.values = {}, .is_diagonal = is_diagonal};
  matrix.values.reserve(static_cast<size_t>(tensor.elems()));
  for (int64_t i = 0; i < tensor.elems(); ++i) {
    if (is_stored) {
      const double stored = static_cast<int8_t>(tensor.bytes[static_cast<size_t>(i)]);
      matrix.values.push_back(Round32(stored * scale, 0));
    } else {
      matrix.values.push_back(At(tensor, i));
    }
  }
  return matrix;
}

litert::Expected<MatrixSource> MatrixSourceOf(const Node& node, size_t input) {
  const Operand& operand = *node.inputs[input];
  MatrixSource source{.input = input};
  source.is_stored = operand.type() != kLiteRtElementTypeFloat32;
  if (!source.is_stored) return source;
  LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, operand));
  if (params.zero_point != 0) return InvalidNode(node, &operand, "must have the zero point 0");
  source.scale = params.scale;
  return source;
}

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// MATRIX_DIAG and MATRIX_SET_DIAG.

#include <algorithm>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// The diagonals of `input`, [..., count], onto those of matrices [..., rows, cols].
StridedCopy OntoDiagonals(size_t input, int64_t matrices, int64_t count, int64_t rows,
                          int64_t cols) {
  return {
      .input = input,
      .dims = {{.extent = matrices, .in_stride = count, .out_stride = rows * cols},
               {.extent = std::min({count, rows, cols}), .in_stride = 1, .out_stride = cols + 1}}};
}

litert::Expected<Inferred> InferDiag(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.empty()) return InvalidNode(node, &in, "must have at least one dimension");
  Shape shape = in.shape;
  shape.push_back(in.shape.back());
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> MakeDiag(const Node& node, size_t elem_bytes) {
  const Shape& shape = node.inputs[0]->shape;
  const int64_t n = shape.back();
  return MakeCopies({OntoDiagonals(0, ElemsOf(shape, 0, shape.size() - 1), n, n, n)}, elem_bytes,
                    ElemValue{});
}

litert::Expected<Inferred> InferSetDiag(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& diagonal = *node.inputs[1];
  const size_t rank = in.shape.size();
  if (rank < 2) return InvalidNode(node, &in, "must have at least 2 dimensions");
  Shape wanted(in.shape.begin(), in.shape.end() - 2);
  wanted.push_back(std::min(in.shape[rank - 2], in.shape[rank - 1]));
  if (diagonal.shape != wanted)
    return InvalidNode(node, &diagonal, "must have the shape " + ShapeText(wanted));
  return Inferred{.shapes = {in.shape}};
}

litert::Expected<std::unique_ptr<Kernel>> MakeSetDiag(const Node& node, size_t elem_bytes) {
  const Shape& shape = node.inputs[0]->shape;
  const size_t rank = shape.size();
  StridedCopy all{.dims = {{.extent = node.inputs[0]->elems(), .in_stride = 1, .out_stride = 1}}};
  return MakeCopies(
      {all, OntoDiagonals(1, ElemsOf(shape, 0, rank - 2), node.inputs[1]->shape.back(),
                          shape[rank - 2], shape[rank - 1])},
      elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(MatrixDiag) = {
    .doc = {.formula = "square matrices with the last dimension as diagonal, 0 elsewhere",
            .source = "TFLite MATRIX_DIAG"},
    .signature = "T -> T; T = float32|int8|uint8|int16|int32|uint32|int64",
    .infer = InferDiag,
    .prepare = PrepareMovement<MakeDiag>,
    .oracle = OracleByMoving<MakeDiag, InputMask{1}>,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(MatrixSetDiag) = {
    .doc = {.formula = "the input's matrices with their diagonals replaced",
            .source = "TFLite MATRIX_SET_DIAG"},
    .signature = "T, T -> T; T = float32|int8|uint8|int16|int32|int64",
    .infer = InferSetDiag,
    .prepare = PrepareMovement<MakeSetDiag>,
    .oracle = OracleByMoving<MakeSetDiag, kAllInputs>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

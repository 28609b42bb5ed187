// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "sdk/host/kernels/indexing/index_reader.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

enum Input { kIndices = 0, kOutputShape = 1, kValues = 2, kDefault = 3 };

// A scalar or vector of indices of a vector, or a row of indices for each value.
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& indices = *node.inputs[kIndices];
  const Operand& values = *node.inputs[kValues];
  if (indices.shape.size() > 2) return InvalidNode(node, &indices, "has more than 2 dimensions");
  if (node.inputs[kOutputShape]->shape.size() != 1)
    return InvalidNode(node, node.inputs[kOutputShape], "must have one dimension");
  if (values.shape.size() > 1) return InvalidNode(node, &values, "has more than one dimension");
  if (node.inputs[kDefault]->elems() != 1)
    return InvalidNode(node, node.inputs[kDefault], "must have one element");
  const int64_t depth = indices.shape.size() == 2 ? indices.shape[1] : 1;
  const int64_t count = indices.shape.size() == 2 ? indices.shape[0] : indices.elems();
  if (node.inputs[kOutputShape]->elems() != depth)
    return InvalidNode(node, &indices, "must have an index for each dimension of the output");
  // TFLite passes over values without an index.
  if (!values.shape.empty() && values.elems() < count)
    return InvalidNode(node, &values, "must be one, or as many as indices");
  if (IsUnknown(*node.inputs[kOutputShape])) return Inferred::NeedsValueOf(kOutputShape);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                          IntegerValues(node, *node.inputs[kOutputShape]));
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

class SparseToDenseKernel final : public Kernel {
 public:
  SparseToDenseKernel(const Node& node, size_t elem_bytes)
      : indices_(node, kIndices),
        shape_(node.outputs[0]->shape),
        strides_(StridesOf(shape_)),
        elem_bytes_(elem_bytes),
        step_(node.inputs[kValues]->shape.empty() ? 0 : elem_bytes) {
    const Shape& indices = node.inputs[kIndices]->shape;
    count_ = indices.size() == 2 ? indices[0] : node.inputs[kIndices]->elems();
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    FillElems(context.outputs[0], context.inputs[kDefault].data(), elem_bytes_);
    int64_t elem = 0;
    for (int64_t i = 0; i < count_; ++i) {
      int64_t to = 0;
      for (size_t d = 0; d < shape_.size(); ++d, ++elem) {
        const int64_t index = indices_.At(context, elem);
        if (index < 0 || index >= shape_[d]) return indices_.OutOfRange(index, elem, shape_[d]);
        to += index * strides_[d];
      }
      std::memcpy(context.outputs[0].data() + static_cast<size_t>(to) * elem_bytes_,
                  context.inputs[kValues].data() + static_cast<size_t>(i) * step_, elem_bytes_);
    }
    return {};
  }

 private:
  IndexReader indices_;
  Shape shape_;
  std::vector<int64_t> strides_;
  size_t elem_bytes_;
  size_t step_;  // from one value to the next
  int64_t count_ = 0;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  return std::unique_ptr<Kernel>(std::make_unique<SparseToDenseKernel>(node, elem_bytes));
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(SparseToDense) = {
    .doc = {.formula = "the default everywhere but at the indices, where the values stand",
            .source = "TFLite SPARSE_TO_DENSE"},
    .signature = "int32|int64, int32|int64, T, T -> T; T = float32|int8|uint8|int32|int64",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{0b1100}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "sdk/host/kernels/indexing/index_reader.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

litert::Expected<int32_t> AxisOf(const Node& node) {
  const auto* options = node.op->OptionsAs<OneHotOptions>();
  return ResolveAxis(node, options == nullptr ? -1 : options->axis,
                     node.inputs[0]->shape.size() + 1);
}

// Inputs: 0 indices, 1 depth, 2 the value at an index, 3 the value elsewhere.
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& indices = *node.inputs[0];
  for (size_t i : {1, 2, 3}) {
    if (node.inputs[i]->elems() != 1)
      return InvalidNode(node, node.inputs[i], "must have one element");
  }
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> depth, IntegerValues(node, *node.inputs[1]));
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  std::vector<int64_t> dims(indices.shape.begin(), indices.shape.end());
  dims.insert(dims.begin() + axis, depth[0]);
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

// Indices [outer, inner], output [outer, depth, inner]. An index outside the depth marks nothing.
class OneHotKernel final : public Kernel {
 public:
  OneHotKernel(const Node& node, int32_t axis, size_t elem_bytes)
      : indices_(node, 0), elem_bytes_(elem_bytes) {
    const Shape& shape = node.outputs[0]->shape;
    outer_ = ElemsOf(shape, 0, axis);
    depth_ = shape[axis];
    inner_ = ElemsOf(shape, axis + 1, shape.size());
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const std::span<uint8_t> out = context.outputs[0];
    FillElems(out, context.inputs[3].data(), elem_bytes_);
    for (int64_t o = 0; o < outer_; ++o) {
      for (int64_t i = 0; i < inner_; ++i) {
        const int64_t index = indices_.At(context, o * inner_ + i);
        if (index < 0 || index >= depth_) continue;
        const int64_t at = (o * depth_ + index) * inner_ + i;
        std::memcpy(out.data() + static_cast<size_t>(at) * elem_bytes_, context.inputs[2].data(),
                    elem_bytes_);
      }
    }
    return {};
  }

 private:
  IndexReader indices_;
  size_t elem_bytes_;
  int64_t outer_ = 1;
  int64_t depth_ = 0;
  int64_t inner_ = 1;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<OneHotKernel>(node, axis, elem_bytes));
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(OneHot) = {
    .doc = {.formula =
                "on_value where the position along axis equals the index, off_value elsewhere",
            .source = "TFLite ONE_HOT"},
    .signature = "int16|int32|int64, int32|int64, T, T -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{0b1100}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

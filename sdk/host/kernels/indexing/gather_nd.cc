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

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& indices = *node.inputs[1];
  if (in.shape.empty()) return InvalidNode(node, &in, "must have at least one dimension");
  if (indices.shape.empty()) return InvalidNode(node, &indices, "must have at least one dimension");
  const int32_t depth = indices.shape.back();
  if (depth > static_cast<int64_t>(in.shape.size()))
    return InvalidNode(node, &indices, "names more dimensions than " + OperandName(&in) + " has");
  Shape shape(indices.shape.begin(), indices.shape.end() - 1);
  shape.insert(shape.end(), in.shape.begin() + depth, in.shape.end());
  return Inferred{.shapes = {std::move(shape)}};
}

class GatherNdKernel final : public Kernel {
 public:
  GatherNdKernel(const Node& node, size_t elem_bytes) : indices_(node, 1) {
    const Shape& shape = node.inputs[0]->shape;
    const Shape& indices = node.inputs[1]->shape;
    const std::vector<int64_t> strides = StridesOf(shape);
    const auto depth = static_cast<size_t>(indices.back());
    for (size_t d = 0; d < depth; ++d) {
      extents_.push_back(shape[d]);
      strides_bytes_.push_back(strides[d] * static_cast<int64_t>(elem_bytes));
    }
    count_ = ElemsOf(indices, 0, indices.size() - 1);
    run_bytes_ = ElemsOf(shape, depth, shape.size()) * static_cast<int64_t>(elem_bytes);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    uint8_t* out = context.outputs[0].data();
    int64_t elem = 0;
    for (int64_t i = 0; i < count_; ++i, out += run_bytes_) {
      int64_t from = 0;
      for (size_t d = 0; d < extents_.size(); ++d, ++elem) {
        const int64_t index = indices_.At(context, elem);
        if (index < 0 || index >= extents_[d]) return indices_.OutOfRange(index, elem, extents_[d]);
        from += index * strides_bytes_[d];
      }
      if (run_bytes_ > 0) {
        std::memcpy(out, context.inputs[0].data() + from, static_cast<size_t>(run_bytes_));
      }
    }
    return {};
  }

 private:
  IndexReader indices_;
  std::vector<int64_t> extents_;
  std::vector<int64_t> strides_bytes_;
  int64_t count_ = 0;
  int64_t run_bytes_ = 0;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  return std::unique_ptr<Kernel>(std::make_unique<GatherNdKernel>(node, elem_bytes));
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(GatherNd) = {
    .doc = {.formula = "for each row of indices the slice of the input at it",
            .source = "TFLite GATHER_ND"},
    .signature = "T, int16|int32|int64 -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

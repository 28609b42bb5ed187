// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "sdk/host/kernels/indexing/index_reader.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  const auto* options = node.op->OptionsAs<ReverseSequenceOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  const Shape& shape = node.inputs[0]->shape;
  const auto rank = static_cast<int32_t>(shape.size());
  const int32_t along = options->seq_dim;
  const int32_t batch = options->batch_dim;
  if (along < 0 || along >= rank || batch < 0 || batch >= rank || along == batch)
    return InvalidNode(node, "must name two dimensions of the input");
  if (node.inputs[1]->shape != Shape{shape[batch]})
    return InvalidNode(node, node.inputs[1], "must have a length for each batch");
  return Inferred{.shapes = {shape}};
}

class ReverseSequenceKernel final : public Kernel {
 public:
  ReverseSequenceKernel(const Node& node, size_t elem_bytes) : lengths_(node, 1) {
    const auto* options = node.op->OptionsAs<ReverseSequenceOptions>();
    const Shape& shape = node.inputs[0]->shape;
    const auto first = static_cast<size_t>(std::min(options->seq_dim, options->batch_dim));
    const auto second = static_cast<size_t>(std::max(options->seq_dim, options->batch_dim));
    batch_first_ = options->batch_dim < options->seq_dim;
    outer_ = ElemsOf(shape, 0, first);
    first_ = shape[first];
    middle_ = ElemsOf(shape, first + 1, second);
    second_ = shape[second];
    run_bytes_ = static_cast<size_t>(ElemsOf(shape, second + 1, shape.size())) * elem_bytes;
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const int64_t batches = batch_first_ ? first_ : second_;
    const int64_t steps = batch_first_ ? second_ : first_;
    if (context.outputs[0].empty()) return {};
    for (int64_t batch = 0; batch < batches; ++batch) {
      const int64_t length = lengths_.At(context, batch);
      if (length < 0 || length > steps) return lengths_.OutOfRange(length, batch, steps + 1);
      for (int64_t step = 0; step < steps; ++step) {
        const int64_t from = step < length ? length - 1 - step : step;
        for (int64_t outer = 0; outer < outer_; ++outer) {
          for (int64_t middle = 0; middle < middle_; ++middle) {
            std::memcpy(context.outputs[0].data() + Offset(outer, batch, middle, step),
                        context.inputs[0].data() + Offset(outer, batch, middle, from), run_bytes_);
          }
        }
      }
    }
    return {};
  }

 private:
  size_t Offset(int64_t outer, int64_t batch, int64_t middle, int64_t step) const {
    const int64_t first = batch_first_ ? batch : step;
    const int64_t second = batch_first_ ? step : batch;
    const int64_t run = ((outer * first_ + first) * middle_ + middle) * second_ + second;
    return static_cast<size_t>(run) * run_bytes_;
  }

  IndexReader lengths_;
  bool batch_first_ = true;
  int64_t outer_ = 1;
  int64_t first_ = 1;
  int64_t middle_ = 1;
  int64_t second_ = 1;
  size_t run_bytes_ = 0;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  return std::unique_ptr<Kernel>(std::make_unique<ReverseSequenceKernel>(node, elem_bytes));
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ReverseSequence) = {
    .doc = {.formula =
                "the first lengths[b] elements of batch b in reverse order, the others as they "
                "are",
            .source = "TFLite REVERSE_SEQUENCE"},
    .signature = "T, int32|int64 -> T; T = float32|uint8|int8|int16|int32|int64",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

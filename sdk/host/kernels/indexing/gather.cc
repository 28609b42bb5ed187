// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <cstring>

#include "sdk/host/kernels/indexing/index_reader.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

// input [batch, outer, along, run], indices [batch, count], output [batch, outer, count, run].
struct GatherPlan {
  int64_t batch = 1;
  int64_t outer = 1;
  int64_t along = 1;
  int64_t run = 1;
  int64_t count = 1;
};

struct Axes {
  int32_t axis = 0;
  int32_t batch_dims = 0;
};

litert::Expected<Axes> AxesOf(const Node& node) {
  static const auto* const kDefault = new GatherOptions;
  const auto* given = node.op->OptionsAs<GatherOptions>();
  const GatherOptions& options = given == nullptr ? *kDefault : *given;
  const Operand& in = *node.inputs[0];
  const Operand& indices = *node.inputs[1];
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, ResolveAxis(node, options.axis, in.shape.size()));
  const int64_t rank = static_cast<int64_t>(indices.shape.size());
  const int64_t batch =
      options.batch_dims < 0 ? options.batch_dims + rank : int64_t{options.batch_dims};
  if (batch < 0 || batch > rank || batch > axis)
    return InvalidNode(node, fmt::format("batch_dims {} is out of range", options.batch_dims));
  for (int64_t d = 0; d < batch; ++d) {
    if (in.shape[d] != indices.shape[d])
      return InvalidNode(node, &indices, "must have the batch dimensions of " + OperandName(&in));
  }
  return Axes{.axis = axis, .batch_dims = static_cast<int32_t>(batch)};
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& indices = *node.inputs[1];
  LITERT_ASSIGN_OR_RETURN(const Axes axes, AxesOf(node));
  Shape shape(in.shape.begin(), in.shape.begin() + axes.axis);
  shape.insert(shape.end(), indices.shape.begin() + axes.batch_dims, indices.shape.end());
  shape.insert(shape.end(), in.shape.begin() + axes.axis + 1, in.shape.end());
  return Inferred{.shapes = {std::move(shape)}};
}

class GatherKernel final : public Kernel {
 public:
  GatherKernel(GatherPlan plan, IndexReader indices, size_t elem_bytes)
      : plan_(plan), indices_(std::move(indices)), run_bytes_(plan.run * elem_bytes) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const uint8_t* in = context.inputs[0].data();
    uint8_t* out = context.outputs[0].data();
    for (int64_t b = 0; b < plan_.batch; ++b) {
      for (int64_t o = 0; o < plan_.outer; ++o, in += plan_.along * run_bytes_) {
        for (int64_t i = 0; i < plan_.count; ++i, out += run_bytes_) {
          const int64_t index = indices_.At(context, b * plan_.count + i);
          if (index < 0 || index >= plan_.along)
            return indices_.OutOfRange(index, b * plan_.count + i, plan_.along);
          if (run_bytes_ > 0) std::memcpy(out, in + index * run_bytes_, run_bytes_);
        }
      }
    }
    return {};
  }

 private:
  GatherPlan plan_;
  IndexReader indices_;
  int64_t run_bytes_;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const Axes axes, AxesOf(node));
  const Shape& in = node.inputs[0]->shape;
  const Shape& indices = node.inputs[1]->shape;
  const GatherPlan plan{.batch = ElemsOf(in, 0, axes.batch_dims),
                        .outer = ElemsOf(in, axes.batch_dims, axes.axis),
                        .along = in[axes.axis],
                        .run = ElemsOf(in, axes.axis + 1, in.size()),
                        .count = ElemsOf(indices, axes.batch_dims, indices.size())};
  return std::unique_ptr<Kernel>(
      std::make_unique<GatherKernel>(plan, IndexReader(node, 1), elem_bytes));
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Gather) = {
    .doc = {.formula = "the slices of the input along axis that the indices name; the first "
                       "batch_dims dimensions of both go together",
            .source = "TFLite GATHER"},
    .signature = "T, int16|int32|int64 -> T; int4, int16|int32|int64 -> int4; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>

#include "sdk/host/kernels/indexing/index_reader.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {
namespace {

// Inputs: 0 the operand, 1 the update, no larger in any dimension, 2 where it begins.
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& update = *node.inputs[1];
  const Operand& begin = *node.inputs[2];
  if (begin.shape != Shape{static_cast<int32_t>(in.shape.size())})
    return InvalidNode(node, &begin, "must have an element for each dimension");
  bool fits = update.shape.size() == in.shape.size();
  for (size_t d = 0; fits && d < in.shape.size(); ++d) fits = update.shape[d] <= in.shape[d];
  if (!fits) return InvalidNode(node, &update, "does not fit into " + OperandName(&in));
  return Inferred{.shapes = {in.shape}};
}

class UpdateKernel final : public Kernel {
 public:
  UpdateKernel(const Node& node, size_t elem_bytes)
      : begin_(node, 2),
        shape_(node.inputs[0]->shape),
        update_(node.inputs[1]->shape),
        strides_(StridesOf(shape_)),
        elem_bytes_(static_cast<int64_t>(elem_bytes)) {
    in_place_input_ = 0;
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const std::span<const uint8_t> in = context.inputs[0];
    const std::span<uint8_t> out = context.outputs[0];
    if (!in.empty() && in.data() != out.data()) std::memcpy(out.data(), in.data(), in.size());
    if (context.inputs[1].empty()) return {};
    const uint8_t* from = context.inputs[1].data();
    Copy(context, 0, from, out.data());
    return {};
  }

 private:
  // What would leave the operand begins earlier.
  int64_t Begin(const RunContext& context, size_t d) const {
    return std::clamp<int64_t>(begin_.At(context, static_cast<int64_t>(d)), 0,
                               shape_[d] - update_[d]);
  }

  // Copies dimension d and those within it; `from` moves on.
  void Copy(const RunContext& context, size_t d, const uint8_t*& from, uint8_t* to) const {
    if (d == shape_.size()) {  // a scalar
      std::memcpy(to, from, static_cast<size_t>(elem_bytes_));
      return;
    }
    to += Begin(context, d) * strides_[d] * elem_bytes_;
    if (d + 1 == shape_.size()) {
      std::memcpy(to, from, static_cast<size_t>(update_[d] * elem_bytes_));
      from += update_[d] * elem_bytes_;
      return;
    }
    for (int32_t i = 0; i < update_[d]; ++i, to += strides_[d] * elem_bytes_)
      Copy(context, d + 1, from, to);
  }

  IndexReader begin_;
  Shape shape_;
  Shape update_;
  std::vector<int64_t> strides_;
  int64_t elem_bytes_;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  return std::unique_ptr<Kernel>(std::make_unique<UpdateKernel>(node, elem_bytes));
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(DynamicUpdateSlice) = {
    .doc = {.formula = "the operand with the update written over it from start_indices on, which "
                       "are moved so that it fits",
            .source = "TFLite DYNAMIC_UPDATE_SLICE"},
    .signature = "T, T, int32|int64 -> T; int4, int4, int32|int64 -> int4; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{0b11}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

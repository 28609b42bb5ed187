// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Inputs: 0 what is looked up [n], 1 keys [rows], ascending, 2 values [rows, ...].
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& wanted = *node.inputs[0];
  const Operand& keys = *node.inputs[1];
  const Operand& values = *node.inputs[2];
  for (const Operand* vector : {&wanted, &keys}) {
    if (vector->shape.size() != 1) return InvalidNode(node, vector, "must have one dimension");
  }
  if (values.shape.empty() || values.shape[0] != keys.shape[0])
    return InvalidNode(node, &values, "must have a row for each key");
  if (keys.shape[0] == 0) return InvalidNode(node, &keys, "must have an element");
  Shape shape = values.shape;
  shape[0] = wanted.shape[0];
  return Inferred{.shapes = {std::move(shape), wanted.shape}};
}

// The C library's binary search, on which the row depends where keys stand twice or out of order;
// -1 if it does not find the key.
int64_t RowOf(const int32_t* keys, int64_t rows, int32_t wanted) {
  int64_t low = 0;
  int64_t high = rows;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (keys[middle] == wanted) return middle;
    if (wanted < keys[middle]) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return -1;
}

class LookupKernel final : public Kernel {
 public:
  LookupKernel(const Node& node, size_t elem_bytes)
      : count_(node.inputs[0]->elems()), rows_(node.inputs[1]->elems()) {
    const Shape& values = node.inputs[2]->shape;
    row_bytes_ = static_cast<size_t>(ElemsOf(values, 1, values.size())) * elem_bytes;
  }
  litert::Expected<void> Run(const RunContext& context) const override {
    const auto* wanted = DataOf<int32_t>(context.inputs[0]);
    const auto* keys = DataOf<int32_t>(context.inputs[1]);
    uint8_t* out = context.outputs[0].data();
    for (int64_t i = 0; i < count_; ++i, out += row_bytes_) {
      const int64_t row = RowOf(keys, rows_, wanted[i]);
      context.outputs[1][static_cast<size_t>(i)] = row < 0 ? 0 : 1;
      if (row_bytes_ == 0) continue;
      if (row < 0) {
        std::memset(out, 0, row_bytes_);
      } else {
        std::memcpy(out, context.inputs[2].data() + static_cast<size_t>(row) * row_bytes_,
                    row_bytes_);
      }
    }
    return {};
  }

 private:
  int64_t count_;
  int64_t rows_;
  size_t row_bytes_ = 0;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  return std::unique_ptr<Kernel>(std::make_unique<LookupKernel>(node, elem_bytes));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  for (size_t i : {size_t{0}, size_t{1}}) {
    if (inputs[i]->is_uncertain())
      return UnsupportedNode(node, node.inputs[i], "is uncertain and decides which rows are taken");
  }
  const auto* wanted = DataOf<int32_t>(std::span<const uint8_t>(inputs[0]->bytes));
  const auto* keys = DataOf<int32_t>(std::span<const uint8_t>(inputs[1]->bytes));
  const OracleTensor& values = *inputs[2];
  OracleTensor& out = outputs[0];
  LITERT_ASSIGN_OR_RETURN(const size_t elem_bytes, ElemBytes(node, *node.outputs[0]));
  const int64_t row_elems = ElemsOf(values.shape, 1, values.shape.size());
  if (!values.bounds.empty()) out.bounds.assign(static_cast<size_t>(out.elems()), 0.0);
  for (int64_t i = 0; i < outputs[1].elems(); ++i) {
    const int64_t row = RowOf(keys, node.inputs[1]->elems(), wanted[i]);
    outputs[1].bytes[static_cast<size_t>(i)] = row < 0 ? 0 : 1;
    for (int64_t e = 0; e < row_elems; ++e) {
      const int64_t to = i * row_elems + e;
      const int64_t from = row * row_elems + e;
      if (out.is_float()) {
        out.values[to] = row < 0 ? 0 : values.values[from];
      } else if (row < 0) {
        std::memset(out.bytes.data() + static_cast<size_t>(to) * elem_bytes, 0, elem_bytes);
      } else {
        std::memcpy(out.bytes.data() + static_cast<size_t>(to) * elem_bytes,
                    values.bytes.data() + static_cast<size_t>(from) * elem_bytes, elem_bytes);
      }
      if (row >= 0 && !values.bounds.empty()) out.bounds[to] = values.bounds[from];
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(HashtableLookup) = {
    .doc = {.formula = "for each number the row of values beside the key that equals it, and 1; "
                       "zeros and 0 where no key does",
            .source = "TFLite HASHTABLE_LOOKUP"},
    .signature = "int32, int32, T -> T, uint8; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

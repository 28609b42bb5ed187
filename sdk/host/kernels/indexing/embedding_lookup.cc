// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/indexing/index_reader.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/packed_integers.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

constexpr auto kFloat = kLiteRtElementTypeFloat32;

bool IsHybrid(const Node& node) {
  return node.outputs[0]->type() == kFloat && node.inputs[1]->type() != kFloat;
}

// Inputs: 0 row numbers [n], 1 the table [rows, ...].
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& rows = *node.inputs[0];
  const Operand& table = *node.inputs[1];
  if (rows.shape.size() != 1) return InvalidNode(node, &rows, "must have one dimension");
  if (table.shape.size() < 2) return InvalidNode(node, &table, "must have at least two dimensions");
  Shape shape = table.shape;
  shape[0] = rows.shape[0];
  return Inferred{.shapes = {std::move(shape)}};
}

class CopyKernel final : public Kernel {
 public:
  CopyKernel(const Node& node, size_t elem_bytes) : indices_(node, 0) {
    const Shape& table = node.inputs[1]->shape;
    rows_ = table[0];
    row_bytes_ = static_cast<size_t>(ElemsOf(table, 1, table.size())) * elem_bytes;
    count_ = node.inputs[0]->elems();
  }
  litert::Expected<void> Run(const RunContext& context) const override {
    for (int64_t i = 0; i < count_; ++i) {
      const int64_t row = indices_.At(context, i);
      if (row < 0 || row >= rows_) return indices_.OutOfRange(row, i, rows_);
      if (row_bytes_ > 0) {
        std::memcpy(context.outputs[0].data() + static_cast<size_t>(i) * row_bytes_,
                    context.inputs[1].data() + static_cast<size_t>(row) * row_bytes_, row_bytes_);
      }
    }
    return {};
  }

 private:
  IndexReader indices_;
  int64_t rows_ = 0;
  size_t row_bytes_ = 0;
  int64_t count_ = 0;
};

// Stored numbers of a hybrid table, uint8 too, are taken as signed. A row of packed numbers begins
// with a byte: where the row before ends within one, TFLite begins with that byte again.
int32_t StoredAt(LiteRtElementType type, const uint8_t* table, int64_t row, int64_t cols,
                 int64_t col) {
  if (!IsPacked(type)) return static_cast<int8_t>(table[row * cols + col]);
  const int64_t first = row * cols * ElementBits(type) / 8;
  return PackedAt(type, {table + first, static_cast<size_t>(col) + 1}, col);
}

class HybridKernel final : public Kernel {
 public:
  HybridKernel(const Node& node, std::vector<float> scales)
      : indices_(node, 0), scales_(std::move(scales)), type_(node.inputs[1]->type()) {
    const Shape& table = node.inputs[1]->shape;
    cols_ = ElemsOf(table, 1, table.size());
    count_ = node.inputs[0]->elems();
  }
  litert::Expected<void> Run(const RunContext& context) const override {
    const auto rows = static_cast<int64_t>(scales_.size());
    float* out = DataOf<float>(context.outputs[0]);
    for (int64_t i = 0; i < count_; ++i) {
      const int64_t row = indices_.At(context, i);
      if (row < 0 || row >= rows) return indices_.OutOfRange(row, i, rows);
      for (int64_t c = 0; c < cols_; ++c) {
        *out++ = static_cast<float>(StoredAt(type_, context.inputs[1].data(), row, cols_, c)) *
                 scales_[row];
      }
    }
    return {};
  }

 private:
  IndexReader indices_;
  std::vector<float> scales_;  // one per row
  LiteRtElementType type_;
  int64_t cols_ = 0;
  int64_t count_ = 0;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  return std::unique_ptr<Kernel>(std::make_unique<CopyKernel>(node, elem_bytes));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  if (!IsHybrid(node)) return PrepareMovement(node, Make);
  LITERT_ASSIGN_OR_RETURN(std::vector<float> scales, PerChannelScales(node, *node.inputs[1], 0));
  return std::unique_ptr<Kernel>(std::make_unique<HybridKernel>(node, std::move(scales)));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!IsHybrid(node)) return OracleByMoving(node, inputs, outputs, Make, InputMask{0b10});
  if (inputs[0]->is_uncertain())
    return UnsupportedNode(node, node.inputs[0], "is uncertain and decides which rows are taken");
  LITERT_ASSIGN_OR_RETURN(const std::vector<float> scales,
                          PerChannelScales(node, *node.inputs[1], 0));
  const Shape& table = node.inputs[1]->shape;
  const int64_t cols = ElemsOf(table, 1, table.size());
  const auto* rows = DataOf<int32_t>(std::span<const uint8_t>(inputs[0]->bytes));
  for (int64_t i = 0; i < outputs[0].elems(); ++i) {
    const int64_t row = rows[i / cols];
    if (row < 0 || row >= table[0]) return IndexReader(node, 0).OutOfRange(row, i / cols, table[0]);
    const int32_t stored =
        StoredAt(node.inputs[1]->type(), inputs[1]->bytes.data(), row, cols, i % cols);
    Put(outputs[0], i, Round32(static_cast<double>(stored) * scales[row], 0));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(EmbeddingLookup) = {
    .doc = {.formula = "the rows of a table that the indices name; of a quantised table for a "
                       "float output: stored * scale",
            .source = "TFLite EMBEDDING_LOOKUP"},
    .signature = "int32, T -> T; int32, int8|uint8|int4|int2 -> float32; T = bytes",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

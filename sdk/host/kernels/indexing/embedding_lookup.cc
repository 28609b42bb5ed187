// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/half.h"
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
  const LiteRtElementType type = node.outputs[0]->type();
  return (type == kFloat || type == kLiteRtElementTypeFloat16) && node.inputs[1]->type() != type;
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

// A scale for each row of the table, or for each block of a row.
struct TableScales {
  std::vector<float> scales;
  int64_t scales_per_row = 1;
  int64_t cols_per_scale = 1;

  float At(int64_t row, int64_t col) const {
    return scales[static_cast<size_t>(row * scales_per_row + col / cols_per_scale)];
  }
};

litert::Expected<TableScales> ScalesOf(const Node& node) {
  const Operand& table = *node.inputs[1];
  const int64_t cols = ElemsOf(table.shape, 1, table.shape.size());
  if (!table.quantization().blockwise) {
    LITERT_ASSIGN_OR_RETURN(std::vector<float> scales, PerChannelScales(node, table, 0));
    return TableScales{.scales = std::move(scales), .cols_per_scale = std::max<int64_t>(cols, 1)};
  }
  if (!IsPacked(table.type()))
    return UnsupportedNode(node, &table, "has blocks, which only int4 and int2 may have");
  LITERT_ASSIGN_OR_RETURN(WeightScaling blocks, WeightScaling::Of(node, Convolution{}));
  return TableScales{.scales = std::move(blocks.scales),
                     .scales_per_row = cols / blocks.elems_per_scale,
                     .cols_per_scale = blocks.elems_per_scale};
}

class HybridKernel final : public Kernel {
 public:
  HybridKernel(const Node& node, TableScales scales)
      : indices_(node, 0),
        scales_(std::move(scales)),
        type_(node.inputs[1]->type()),
        narrow_(node.outputs[0]->type() == kLiteRtElementTypeFloat16) {
    const Shape& table = node.inputs[1]->shape;
    rows_ = table[0];
    cols_ = ElemsOf(table, 1, table.size());
    count_ = node.inputs[0]->elems();
  }
  litert::Expected<void> Run(const RunContext& context) const override {
    int64_t at = 0;
    for (int64_t i = 0; i < count_; ++i) {
      const int64_t row = indices_.At(context, i);
      if (row < 0 || row >= rows_) return indices_.OutOfRange(row, i, rows_);
      for (int64_t c = 0; c < cols_; ++c, ++at) {
        const float value =
            static_cast<float>(StoredAt(type_, context.inputs[1].data(), row, cols_, c)) *
            scales_.At(row, c);
        if (narrow_) {
          DataOf<Float16>(context.outputs[0])[at] = Float16::Of(value);
        } else {
          DataOf<float>(context.outputs[0])[at] = value;
        }
      }
    }
    return {};
  }

 private:
  IndexReader indices_;
  TableScales scales_;
  LiteRtElementType type_;
  bool narrow_;
  int64_t rows_ = 0;
  int64_t cols_ = 0;
  int64_t count_ = 0;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  return std::unique_ptr<Kernel>(std::make_unique<CopyKernel>(node, elem_bytes));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  if (!IsHybrid(node)) return PrepareMovement(node, Make);
  LITERT_ASSIGN_OR_RETURN(TableScales scales, ScalesOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<HybridKernel>(node, std::move(scales)));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!IsHybrid(node)) return OracleByMoving(node, inputs, outputs, Make, InputMask{0b10});
  if (inputs[0]->is_uncertain())
    return UnsupportedNode(node, node.inputs[0], "is uncertain and decides which rows are taken");
  LITERT_ASSIGN_OR_RETURN(const TableScales scales, ScalesOf(node));
  const Shape& table = node.inputs[1]->shape;
  const int64_t cols = ElemsOf(table, 1, table.size());
  const auto* rows = DataOf<int32_t>(std::span<const uint8_t>(inputs[0]->bytes));
  for (int64_t i = 0; i < outputs[0].elems(); ++i) {
    const int64_t row = rows[i / cols];
    if (row < 0 || row >= table[0]) return IndexReader(node, 0).OutOfRange(row, i / cols, table[0]);
    const int32_t stored =
        StoredAt(node.inputs[1]->type(), inputs[1]->bytes.data(), row, cols, i % cols);
    const Bounded value = Round32(static_cast<double>(stored) * scales.At(row, i % cols), 0);
    Put(outputs[0], i, RoundTo(outputs[0].type, value));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(EmbeddingLookup) = {
    .doc = {.formula = "the rows of a table that the indices name; of a quantised table for a "
                       "float output: stored * the scale of the row, or of the block",
            .source = "TFLite EMBEDDING_LOOKUP"},
    .signature = "int32, T -> T; int32, int8|uint8|int4|int2 -> float32|float16; T = bytes",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// GATHER and EMBEDDING_LOOKUP: slices that indices choose while the program runs. An index outside is
// an error of the run, as in TFLite. Of a quantised embedding rows and their scales are gathered, and
// multiplied.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/legalize/movement/fixed_places.h"
#include "reference_plugin/compiler/legalize/movement/gather_support.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/movement/gather.h"

namespace acme::compiler {
namespace {

int32_t Product(const std::vector<int32_t>& shape, size_t begin, size_t end) {
  return std::accumulate(shape.begin() + static_cast<int64_t>(begin),
                         shape.begin() + static_cast<int64_t>(end), 1, std::multiplies<>());
}

struct Embedding {
  OneOperand indices;  // and the result
  TensorInfo table;
  Gather gather;
};

Expected<Embedding> ReadEmbedding(const litert::Op& op) {
  Embedding embedding;
  const auto inputs = op.Inputs();
  const auto outputs = op.Outputs();
  if (inputs.size() != 2 || outputs.size() != 1)
    return Unsupported("it must have 2 inputs and 1 output");
  ACME_ASSIGN_OR_RETURN(embedding.indices.x, ReadTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(embedding.table, ReadTensor(inputs[1], Int4::kTaken));
  ACME_ASSIGN_OR_RETURN(embedding.indices.y, ReadTensor(outputs[0]));
  const Value& table = embedding.table.value;
  const Value& result = embedding.indices.y.value;
  ACME_RETURN_IF_ERROR(CheckGatherIndices(embedding.indices.x));
  if (!TakesTypes(op.Code(), {Dtype::kI32, result.dtype, table.dtype, table.int4})) {
    return Unsupported(fmt::format("a table of {} for a result of {} is not supported",
                                   table.int4 ? "int4" : DtypeName(table.dtype),
                                   DtypeName(result.dtype)));
  }
  if (embedding.indices.x.value.shape.size() != 1 || table.shape.size() < 2)
    return Unsupported("it must have one dimension of indices and a table of at least two");
  Gather& gather = embedding.gather;
  gather.along = table.shape[0];
  gather.run = Product(table.shape, 1, table.shape.size());
  gather.count = embedding.indices.x.value.shape[0];
  if (result.Elems() != int64_t{gather.count} * gather.run)
    return Unsupported("the result's size does not fit the indices and the table");
  if (table.int4 && gather.run % 2 != 0)
    return Unsupported("rows of int4 must have an even number of elements");
  ACME_RETURN_IF_ERROR(CheckGatherFits(gather, result.dtype));
  return embedding;
}

// Of every row: as many as there are rows, also of a table with one scale.
Expected<std::vector<float>> RowScales(const Embedding& embedding) {
  const TensorInfo& table = embedding.table;
  const auto rows = static_cast<size_t>(embedding.gather.along);
  if (!table.value.is_constant()) return Unsupported("a quantised table must be constant");
  const bool by_row = table.quantized_dimension == 0 && table.scales.size() == rows;
  if (!by_row && table.scales.size() != 1)
    return Unsupported("the table must be quantised per row or per tensor");
  for (const int64_t zero_point : table.zero_points) {
    if (zero_point != 0) return Unsupported("the table must have zero points of 0");
  }
  return by_row ? table.scales : std::vector<float>(rows, table.scales[0]);
}

Expected<void> AddQuantisedEmbedding(const litert::Op& op, const Embedding& embedding,
                                     NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const std::vector<float> scales, RowScales(embedding));
  const std::string& name = embedding.indices.y.value.name;
  const int32_t count = embedding.gather.count;
  const int32_t run = embedding.gather.run;
  auto rows = std::make_shared<Gather>(embedding.gather);
  const ValueId stored = builder.AddValue(name, Dtype::kI8, {count, run});
  const ValueId indices = rows->indices;
  builder.AddLayer(stored, std::move(rows));
  auto scale_rows = std::make_shared<Gather>();
  scale_rows->table = builder.AddNumbers(name, Dtype::kF32, {embedding.gather.along}, scales);
  scale_rows->indices = indices;
  scale_rows->along = embedding.gather.along;
  scale_rows->count = count;
  const ValueId row_scales = builder.AddValue(name, Dtype::kF32, {count});
  builder.AddLayer(row_scales, std::move(scale_rows));
  std::shared_ptr<Map> cast = MapOf(Dtype::kI8, Dtype::kF32);
  cast->function = ConvertOp::kCast;
  cast->x = stored;
  const ValueId real = builder.AddValue(name, Dtype::kF32, {count, run});
  builder.AddLayer(real, std::move(cast));
  auto scaled = std::make_shared<Binary>();
  scaled->op = BinaryOp::kMul;
  scaled->extent = {run, count, 1, 1};
  scaled->a.value = real;
  scaled->a.stride_elems = {1, run, 0, 0};
  scaled->b.value = row_scales;
  scaled->b.stride_elems = {0, 1, 0, 0};
  scaled->clamp = FloatActivationRange(Activation::kNone);
  return builder.AddLayer(op.Outputs()[0], std::move(scaled));
}

}  // namespace

Expected<void> LegalizeGather(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(const TensorInfo indices, ReadTensor(inputs[1]));
  ACME_RETURN_IF_ERROR(CheckGatherIndices(indices));
  int32_t axis_option = 0;
  int32_t batch_dims = 0;
  if (LiteRtGetGatherAxisOption(op.Get(), &axis_option) != kLiteRtStatusOk ||
      LiteRtGetGatherBatchDimsOption(op.Get(), &batch_dims) != kLiteRtStatusOk)
    return Unsupported("the op has no GatherOptions");
  if (batch_dims != 0) return Unsupported("batch dimensions are not supported");
  const std::vector<int32_t>& table = operands.x.value.shape;
  ACME_ASSIGN_OR_RETURN(const size_t axis, ResolveAxis(axis_option, table.size()));
  auto gather = std::make_shared<Gather>();
  gather->outer = Product(table, 0, axis);
  gather->along = table[axis];
  gather->run = Product(table, axis + 1, table.size());
  gather->count = static_cast<int32_t>(indices.value.Elems());
  if (operands.y.value.Elems() != int64_t{gather->outer} * gather->count * gather->run)
    return Unsupported("the result's size does not fit the indices and the operand");
  ACME_RETURN_IF_ERROR(CheckGatherFits(*gather, operands.y.value.dtype));
  ACME_ASSIGN_OR_RETURN(gather->table, builder.AddTensor(inputs[0]));
  if (indices.value.is_constant()) {
    ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> places,
                          ReadIntegers(inputs[1], "the indices"));
    if (std::shared_ptr<Move> slices = FixedSlices(places, *gather))
      return builder.AddLayer(op.Outputs()[0], std::move(slices));
  }
  ACME_ASSIGN_OR_RETURN(gather->indices, builder.AddTensor(inputs[1]));
  return builder.AddLayer(op.Outputs()[0], std::move(gather));
}

Expected<void> LegalizeEmbeddingLookup(const litert::Op& op, const Hardware&,
                                       NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(Embedding embedding, ReadEmbedding(op));
  const auto inputs = op.Inputs();
  const bool quantised = embedding.indices.y.value.dtype != embedding.table.value.dtype;
  // Before anything is added.
  if (quantised) ACME_RETURN_IF_ERROR(RowScales(embedding));
  ACME_ASSIGN_OR_RETURN(embedding.gather.indices, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(embedding.gather.table, builder.AddTensor(inputs[1], Int4::kTaken));
  if (quantised) return AddQuantisedEmbedding(op, embedding, builder);
  return builder.AddLayer(op.Outputs()[0], std::make_shared<Gather>(embedding.gather));
}

}  // namespace acme::compiler

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/reading/tensor_reader.h"

#include <fmt/format.h>

#include "sdk/host/model/file/tflite_schema_generated.h"
#include "sdk/host/model/reading/flatbuffer_walk.h"

namespace npukit {
namespace {

using litert::Expected;

Expected<LiteRtElementType> ReadElementType(schema::TensorType type) {
  const auto known = ElementTypeFromSchema(static_cast<TensorType>(type));
  if (!known)
    return BadFile(fmt::format("expected a known element type, found {}", static_cast<int>(type)));
  return *known;
}

// Error: the table is missing.
template <typename Table>
Expected<const Table*> Member(const void* member) {
  if (member == nullptr) return BadFile("expected a table of the stated kind, found none");
  return static_cast<const Table*>(member);
}

Expected<void> ReadDetails(const schema::QuantizationParameters& in, ReadContext& context,
                           Quantization& out) {
  switch (in.details_type()) {
    case schema::QuantizationDetails::NONE:
      return {};
    case schema::QuantizationDetails::CustomQuantization: {
      const auto details = Member<schema::CustomQuantization>(in.details());
      if (!details) return details.Error();
      context.Fetch((*details)->custom(), out.custom.emplace());
      return {};
    }
    case schema::QuantizationDetails::BlockwiseQuantization: {
      const auto details = Member<schema::BlockwiseQuantization>(in.details());
      if (!details) return details.Error();
      out.blockwise = {.scales_tensor = (*details)->scales(),
                       .zero_points_tensor = (*details)->zero_points(),
                       .block_size_elems = (*details)->block_size()};
      return {};
    }
    case schema::QuantizationDetails::MultiAxisQuantization: {
      const auto details = Member<schema::MultiAxisQuantization>(in.details());
      if (!details) return details.Error();
      auto& multi_axis = out.multi_axis.emplace();
      multi_axis.scales_tensor = (*details)->scales();
      multi_axis.zero_points_tensor = (*details)->zero_points();
      multi_axis.block_size_elems = (*details)->block_size();
      context.Fetch((*details)->quantized_dimensions(), multi_axis.quantized_dimensions);
      return {};
    }
  }
  return BadFile(fmt::format("expected a known kind of quantisation, found {}",
                             static_cast<int>(in.details_type())));
}

Expected<void> ReadQuantization(const schema::QuantizationParameters& in, ReadContext& context,
                                Quantization& out) {
  if (context.options().calibration) {
    context.Fetch(in.min(), out.min);
    context.Fetch(in.max(), out.max);
  }
  context.Fetch(in.scale(), out.scale);
  std::vector<int64_t> zero_points;
  context.Fetch(in.zero_point(), zero_points);
  out.zero_point = zero_points;
  out.quantized_dimension = in.quantized_dimension();
  return ReadDetails(in, context, out);
}

Expected<void> ReadIndices(schema::SparseIndexVector kind, const void* in, ReadContext& context,
                           Sparsity::IndexVector& out) {
  switch (kind) {
    case schema::SparseIndexVector::NONE:
      return {};
    case schema::SparseIndexVector::Int32Vector: {
      const auto values = Member<schema::Int32Vector>(in);
      if (!values) return values.Error();
      context.Fetch((*values)->values(), out.emplace<std::vector<int32_t>>());
      return {};
    }
    case schema::SparseIndexVector::Uint16Vector: {
      const auto values = Member<schema::Uint16Vector>(in);
      if (!values) return values.Error();
      context.Fetch((*values)->values(), out.emplace<std::vector<uint16_t>>());
      return {};
    }
    case schema::SparseIndexVector::Uint8Vector: {
      const auto values = Member<schema::Uint8Vector>(in);
      if (!values) return values.Error();
      context.Fetch((*values)->values(), out.emplace<std::vector<uint8_t>>());
      return {};
    }
  }
  return BadFile(
      fmt::format("expected a known kind of sparse index, found {}", static_cast<int>(kind)));
}

Expected<void> ReadSparsity(const schema::SparsityParameters& in, ReadContext& context,
                            Sparsity& out) {
  context.Fetch(in.traversal_order(), out.traversal_order);
  context.Fetch(in.block_map(), out.block_map);
  if (in.dim_metadata() == nullptr) return {};
  context.Charge(in.dim_metadata()->size() * sizeof(Sparsity::Dimension));
  if (context.over_budget()) return {};
  for (const schema::DimensionMetadata* dimension : *in.dim_metadata()) {
    Sparsity::Dimension& added = out.dimensions.emplace_back();
    added.format = static_cast<Sparsity::DimensionFormat>(dimension->format());
    added.dense_size = dimension->dense_size();
    if (auto ok = ReadIndices(dimension->array_segments_type(), dimension->array_segments(),
                              context, added.array_segments);
        !ok) {
      return ok;
    }
    if (auto ok = ReadIndices(dimension->array_indices_type(), dimension->array_indices(), context,
                              added.array_indices);
        !ok) {
      return ok;
    }
  }
  return {};
}

Expected<void> ReadVariantTensors(const schema::Tensor& in, ReadContext& context, Tensor& out) {
  if (in.variant_tensors() == nullptr) return {};
  context.Charge(in.variant_tensors()->size() * sizeof(Tensor::VariantSubType));
  if (context.over_budget()) return {};
  for (const schema::VariantSubType* nested : *in.variant_tensors()) {
    const auto type = ReadElementType(nested->type());
    if (!type) return type.Error();
    Tensor::VariantSubType& added = out.variant_tensors.emplace_back();
    context.Fetch(nested->shape(), added.shape);
    added.element_type = *type;
    added.has_rank = nested->has_rank();
  }
  return {};
}

Expected<void> ReadBufferId(const schema::Tensor& in, ReadContext& context, Tensor& out) {
  if (in.buffer() >= context.buffers().size()) {
    return BadFile(fmt::format("expected one of {} buffers, found index {}",
                               context.buffers().size(), in.buffer()));
  }
  out.weights.buffer_id = in.buffer();
  return {};
}

}  // namespace

Expected<void> ReadTensor(const schema::Tensor& in, ReadContext& context, Tensor& out) {
  context.Fetch(in.name(), out.name);
  const auto type = ReadElementType(in.type());
  if (!type) return type.Error();
  out.element_type = *type;
  context.Fetch(in.shape(), out.shape);
  context.Fetch(in.shape_signature(), out.shape_signature);
  out.has_rank = in.has_rank();
  out.is_variable = in.is_variable();
  out.external_buffer = in.external_buffer();
  out.empty_fields = EmptyFieldsOf(&in, schema::TensorTypeTable());
  if (auto ok = ReadBufferId(in, context, out); !ok) return ok;
  if (in.quantization() != nullptr) {
    out.has_quantization = true;
    out.quantization_empty_fields =
        EmptyFieldsOf(in.quantization(), schema::QuantizationParametersTypeTable());
    if (auto ok = ReadQuantization(*in.quantization(), context, out.quantization); !ok) return ok;
  }
  if (in.sparsity() != nullptr) {
    if (auto ok = ReadSparsity(*in.sparsity(), context, out.sparsity.emplace()); !ok) return ok;
  }
  return ReadVariantTensors(in, context, out);
}

}  // namespace npukit

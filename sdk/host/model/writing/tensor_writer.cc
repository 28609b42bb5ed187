// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/writing/tensor_writer.h"

#include <fmt/format.h>

#include <vector>

#include "sdk/host/model/file/stored_fields.h"
#include "sdk/host/model/file/tflite_schema_generated.h"

namespace npukit {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using litert::Expected;

constexpr EmptyFields kAlways = ~EmptyFields{0};

Expected<schema::TensorType> WrittenType(LiteRtElementType type) {
  const auto known = ElementTypeToSchema(type);
  if (!known) {
    return litert::Unexpected(kLiteRtStatusErrorSerialization,
                              fmt::format("expected an element type of the file format, found {}",
                                          ElementTypeName(type)));
  }
  return static_cast<schema::TensorType>(*known);
}

struct WrittenDetails {
  schema::QuantizationDetails kind = schema::QuantizationDetails::NONE;
  Offset<void> table;
};

WrittenDetails WriteDetails(FlatBufferBuilder& builder, const Quantization& q) {
  if (q.custom) {
    builder.ForceVectorAlignment(q.custom->size(), sizeof(uint8_t), 16);
    const auto bytes = StoreVector<uint8_t>(builder, *q.custom, kAlways, 0);
    return {schema::QuantizationDetails::CustomQuantization,
            schema::CreateCustomQuantization(builder, bytes).Union()};
  }
  if (q.blockwise) {
    return {schema::QuantizationDetails::BlockwiseQuantization,
            schema::CreateBlockwiseQuantization(builder, q.blockwise->scales_tensor,
                                                q.blockwise->zero_points_tensor,
                                                q.blockwise->block_size_elems)
                .Union()};
  }
  if (q.multi_axis) {
    const auto dimensions =
        StoreVector<int32_t>(builder, q.multi_axis->quantized_dimensions, kAlways, 0);
    return {schema::QuantizationDetails::MultiAxisQuantization,
            schema::CreateMultiAxisQuantization(builder, q.multi_axis->scales_tensor,
                                                q.multi_axis->zero_points_tensor,
                                                q.multi_axis->block_size_elems, dimensions)
                .Union()};
  }
  return {};
}

Offset<schema::QuantizationParameters> WriteQuantization(FlatBufferBuilder& builder,
                                                         const Tensor& tensor) {
  using Fields = schema::QuantizationParameters;
  const Quantization& q = tensor.quantization;
  if (!tensor.has_quantization && q.is_default()) return 0;
  const EmptyFields empty = tensor.quantization_empty_fields;
  const auto min = StoreVector<float>(builder, q.min, empty, FieldNumber(Fields::VT_MIN));
  const auto max = StoreVector<float>(builder, q.max, empty, FieldNumber(Fields::VT_MAX));
  const auto scale = StoreVector<float>(builder, q.scale, empty, FieldNumber(Fields::VT_SCALE));
  const auto zero_point = StoreVector<int64_t>(builder, q.zero_point.ToVector(), empty,
                                               FieldNumber(Fields::VT_ZERO_POINT));
  const WrittenDetails details = WriteDetails(builder, q);
  return schema::CreateQuantizationParameters(builder, min, max, scale, zero_point, details.kind,
                                              details.table, q.quantized_dimension);
}

struct WrittenIndices {
  schema::SparseIndexVector kind = schema::SparseIndexVector::NONE;
  Offset<void> table;
};

WrittenIndices WriteIndices(FlatBufferBuilder& builder, const Sparsity::IndexVector& indices) {
  if (const auto* narrow = std::get_if<std::vector<uint8_t>>(&indices)) {
    builder.ForceVectorAlignment(narrow->size(), sizeof(uint8_t), 4);
    return {schema::SparseIndexVector::Uint8Vector,
            schema::CreateUint8Vector(builder, StoreVector<uint8_t>(builder, *narrow, kAlways, 0))
                .Union()};
  }
  if (const auto* middle = std::get_if<std::vector<uint16_t>>(&indices)) {
    builder.ForceVectorAlignment(middle->size(), sizeof(uint16_t), 4);
    return {schema::SparseIndexVector::Uint16Vector,
            schema::CreateUint16Vector(builder, StoreVector<uint16_t>(builder, *middle, kAlways, 0))
                .Union()};
  }
  if (const auto* wide = std::get_if<std::vector<int32_t>>(&indices)) {
    return {schema::SparseIndexVector::Int32Vector,
            schema::CreateInt32Vector(builder, StoreVector<int32_t>(builder, *wide, kAlways, 0))
                .Union()};
  }
  return {};
}

Offset<schema::SparsityParameters> WriteSparsity(FlatBufferBuilder& builder,
                                                 const Sparsity& sparsity) {
  std::vector<Offset<schema::DimensionMetadata>> dimensions;
  for (const Sparsity::Dimension& dimension : sparsity.dimensions) {
    const WrittenIndices segments = WriteIndices(builder, dimension.array_segments);
    const WrittenIndices indices = WriteIndices(builder, dimension.array_indices);
    dimensions.push_back(schema::CreateDimensionMetadata(
        builder, static_cast<schema::DimensionType>(dimension.format), dimension.dense_size,
        segments.kind, segments.table, indices.kind, indices.table));
  }
  // An empty block map is absent: the tensor has no blocks.
  const auto traversal_order = StoreVector<int32_t>(builder, sparsity.traversal_order, kAlways, 0);
  const auto block_map = StoreVector<int32_t>(builder, sparsity.block_map, 0, 0);
  return schema::CreateSparsityParameters(builder, traversal_order, block_map,
                                          builder.CreateVector(dimensions));
}

using VariantVector = flatbuffers::Vector<Offset<schema::VariantSubType>>;

Expected<Offset<VariantVector>> WriteVariantTensors(FlatBufferBuilder& builder,
                                                    const Tensor& tensor) {
  if (!IsStored(tensor.variant_tensors, tensor.empty_fields,
                FieldNumber(schema::Tensor::VT_VARIANT_TENSORS))) {
    return Offset<VariantVector>(0);
  }
  std::vector<Offset<schema::VariantSubType>> written;
  for (const Tensor::VariantSubType& nested : tensor.variant_tensors) {
    const auto type = WrittenType(nested.element_type);
    if (!type) return type.Error();
    const auto shape = StoreVector<int32_t>(builder, nested.shape, kAlways, 0);
    written.push_back(schema::CreateVariantSubType(builder, shape, *type, nested.has_rank));
  }
  return builder.CreateVector(written);
}

}  // namespace

Expected<Offset<schema::Tensor>> WriteTensor(FlatBufferBuilder& builder, const Tensor& tensor,
                                             uint32_t buffer_index) {
  using Fields = schema::Tensor;
  const auto type = WrittenType(tensor.element_type);
  if (!type) return type.Error();
  const EmptyFields empty = tensor.empty_fields;
  const auto shape =
      StoreVector<int32_t>(builder, tensor.shape, empty, FieldNumber(Fields::VT_SHAPE));
  const auto name = StoreString(builder, tensor.name, empty, FieldNumber(Fields::VT_NAME));
  const auto quantization = WriteQuantization(builder, tensor);
  const auto sparsity = tensor.sparsity ? WriteSparsity(builder, *tensor.sparsity) : 0;
  const auto signature = StoreVector<int32_t>(builder, tensor.shape_signature, empty,
                                              FieldNumber(Fields::VT_SHAPE_SIGNATURE));
  const auto variants = WriteVariantTensors(builder, tensor);
  if (!variants) return variants.Error();
  return schema::CreateTensor(builder, shape, *type, buffer_index, name, quantization,
                              tensor.is_variable, sparsity, signature, tensor.has_rank, *variants,
                              tensor.external_buffer);
}

}  // namespace npukit

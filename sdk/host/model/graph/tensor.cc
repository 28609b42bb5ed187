// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/tensor.h"

#include <fmt/format.h>

#include "litert/cc/litert_layout.h"

namespace npukit {
namespace {

struct ElementTypeFacts {
  LiteRtElementType type;
  TensorType schema_type;
  int bits;  // 0: no fixed size
  const char* name;
};

constexpr ElementTypeFacts kElementTypes[] = {
    {kLiteRtElementTypeFloat32, TensorType::kFloat32, 32, "float32"},
    {kLiteRtElementTypeInt32, TensorType::kInt32, 32, "int32"},
    {kLiteRtElementTypeUInt8, TensorType::kUInt8, 8, "uint8"},
    {kLiteRtElementTypeInt64, TensorType::kInt64, 64, "int64"},
    {kLiteRtElementTypeTfString, TensorType::kString, 0, "string"},
    {kLiteRtElementTypeBool, TensorType::kBool, 8, "bool"},
    {kLiteRtElementTypeInt16, TensorType::kInt16, 16, "int16"},
    {kLiteRtElementTypeComplex64, TensorType::kComplex64, 64, "complex64"},
    {kLiteRtElementTypeInt8, TensorType::kInt8, 8, "int8"},
    {kLiteRtElementTypeFloat16, TensorType::kFloat16, 16, "float16"},
    {kLiteRtElementTypeFloat64, TensorType::kFloat64, 64, "float64"},
    {kLiteRtElementTypeComplex128, TensorType::kComplex128, 128, "complex128"},
    {kLiteRtElementTypeUInt64, TensorType::kUInt64, 64, "uint64"},
    {kLiteRtElementTypeTfResource, TensorType::kResource, 0, "resource"},
    {kLiteRtElementTypeTfVariant, TensorType::kVariant, 0, "variant"},
    {kLiteRtElementTypeUInt32, TensorType::kUInt32, 32, "uint32"},
    {kLiteRtElementTypeUInt16, TensorType::kUInt16, 16, "uint16"},
    {kLiteRtElementTypeInt4, TensorType::kInt4, 4, "int4"},
    {kLiteRtElementTypeBFloat16, TensorType::kBFloat16, 16, "bfloat16"},
    {kLiteRtElementTypeInt2, TensorType::kInt2, 2, "int2"},
    {kElementTypeUInt4, TensorType::kUInt4, 4, "uint4"},
    {kElementTypeFloat8E4M3FN, TensorType::kFloat8E4M3FN, 8, "float8_e4m3fn"},
    {kElementTypeFloat8E5M2, TensorType::kFloat8E5M2, 8, "float8_e5m2"},
};

const ElementTypeFacts* Find(LiteRtElementType type) {
  for (const ElementTypeFacts& facts : kElementTypes) {
    if (facts.type == type) return &facts;
  }
  return nullptr;
}

}  // namespace

std::optional<LiteRtElementType> ElementTypeFromSchema(TensorType type) {
  for (const ElementTypeFacts& facts : kElementTypes) {
    if (facts.schema_type == type) return facts.type;
  }
  return std::nullopt;
}

std::optional<TensorType> ElementTypeToSchema(LiteRtElementType type) {
  const ElementTypeFacts* facts = Find(type);
  if (facts == nullptr) return std::nullopt;
  return facts->schema_type;
}

int ElementBits(LiteRtElementType type) {
  const ElementTypeFacts* facts = Find(type);
  return facts == nullptr ? 0 : facts->bits;
}

std::string ElementTypeName(LiteRtElementType type) {
  const ElementTypeFacts* facts = Find(type);
  return facts == nullptr ? fmt::format("type {}", static_cast<int>(type)) : facts->name;
}

std::optional<uint64_t> DenseBytes(LiteRtElementType type, std::span<const int32_t> shape) {
  const uint64_t bits_per_element = static_cast<uint64_t>(ElementBits(type));
  if (bits_per_element == 0) return std::nullopt;
  uint64_t bits = bits_per_element;
  bool has_zero = false;
  for (int32_t dim : shape) {
    if (dim < 0) return std::nullopt;
    has_zero |= dim == 0;
  }
  if (has_zero) return 0;
  for (int32_t dim : shape) {
    if (__builtin_mul_overflow(bits, static_cast<uint64_t>(dim), &bits)) return std::nullopt;
  }
  if (bits > UINT64_MAX / 2) return std::nullopt;
  return (bits + 7) / 8;
}

litert::Expected<LiteRtLayout> LayoutOf(std::string_view what, std::span<const int32_t> shape) {
  if (shape.size() > LITERT_TENSOR_MAX_RANK) {
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              fmt::format("{} has {} dimensions, expected at most {}", what,
                                          shape.size(), LITERT_TENSOR_MAX_RANK));
  }
  return litert::BuildLayout(shape.begin(), shape.end());
}

}  // namespace npukit

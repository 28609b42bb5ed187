// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_ELEMENT_TYPE_H_
#define ODML_LITERT_LITERT_CC_LITERT_ELEMENT_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "litert/c/litert_model_types.h"
#include "litert/cc/internal/litert_numerics.h"

namespace litert {

// Of LiteRT 2.2.0: X as below.
#if defined(NPUKIT_ABI_2_2)
#define LITERT_INTERNAL_ELEMENT_TYPES_SINCE_2_2(X) \
  X(UInt4, 4, void)                                \
  X(Float8E4M3FN, 8, void)                         \
  X(Float8E5M2, 8, void)
#else
#define LITERT_INTERNAL_ELEMENT_TYPES_SINCE_2_2(X)
#endif

// Element types of tensors, once: X(name, bits, C++ type or void). bits is 0
// for types whose elements have no fixed size in a buffer. Values are those of
// LiteRtElementType.
#define LITERT_INTERNAL_ELEMENT_TYPES(X) \
  X(None, 0, void)                       \
  X(Bool, 8, bool)                       \
  X(Int2, 2, void)                       \
  X(Int4, 4, void)                       \
  X(Int8, 8, int8_t)                     \
  X(Int16, 16, int16_t)                  \
  X(Int32, 32, int32_t)                  \
  X(Int64, 64, int64_t)                  \
  X(UInt8, 8, uint8_t)                   \
  X(UInt16, 16, uint16_t)                \
  X(UInt32, 32, uint32_t)                \
  X(UInt64, 64, uint64_t)                \
  X(Float16, 16, void)                   \
  X(BFloat16, 16, void)                  \
  X(Float32, 32, float)                  \
  X(Float64, 64, double)                 \
  X(Complex64, 64, void)                 \
  X(Complex128, 128, void)               \
  X(TfResource, 0, void)                 \
  X(TfString, 0, void)                   \
  X(TfVariant, 0, void) LITERT_INTERNAL_ELEMENT_TYPES_SINCE_2_2(X)

enum class ElementType {
#define LITERT_INTERNAL_ENUMERATOR(name, bits, type) name = kLiteRtElementType##name,
  LITERT_INTERNAL_ELEMENT_TYPES(LITERT_INTERNAL_ENUMERATOR)
#undef LITERT_INTERNAL_ENUMERATOR
};

// Bytes per element; empty for types without a fixed size.
constexpr std::optional<ByteWidth> GetByteWidth(ElementType ty) {
  size_t bits = 0;
  switch (ty) {
    // A table: NOLINTBEGIN(bugprone-branch-clone)
#define LITERT_INTERNAL_BITS(name, num_bits, type) \
  case ElementType::name:                          \
    bits = num_bits;                               \
    break;
    LITERT_INTERNAL_ELEMENT_TYPES(LITERT_INTERNAL_BITS)
#undef LITERT_INTERNAL_BITS
    // NOLINTEND(bugprone-branch-clone)
  }
  if (bits == 0) return std::nullopt;
  if (bits < 8) return ByteWidth(1, 8 / bits);
  return ByteWidth(bits / 8);
}

template <ElementType Ty>
constexpr ByteWidth GetByteWidth() {
  constexpr auto byte_width = GetByteWidth(Ty);
  static_assert(byte_width.has_value(), "elements have no fixed size");
  return *byte_width;
}

// "Int8"; "?" for a value that is no element type.
constexpr const char* ElementTypeName(ElementType ty) {
  switch (ty) {  // NOLINT(bugprone-branch-clone): a table
#define LITERT_INTERNAL_NAME(name, bits, type) \
  case ElementType::name:                      \
    return #name;
    LITERT_INTERNAL_ELEMENT_TYPES(LITERT_INTERNAL_NAME)
#undef LITERT_INTERNAL_NAME
  }
  return "?";
}

template <class>
constexpr bool dependent_false = false;

// The element type whose elements are T.
template <typename T>
constexpr ElementType GetElementType() {
#define LITERT_INTERNAL_FROM_TYPE(name, bits, type) \
  if constexpr (std::is_same_v<T, type>) {          \
    return ElementType::name;                       \
  } else
  static_assert(!std::is_void_v<T>, "void is no element type");
  LITERT_INTERNAL_ELEMENT_TYPES(LITERT_INTERNAL_FROM_TYPE) {
    static_assert(dependent_false<T>, "no element type for this C++ type");
  }
#undef LITERT_INTERNAL_FROM_TYPE
}

namespace internal {
template <ElementType Ty>
struct CCTypeOf {
  using type = std::monostate;
};
#define LITERT_INTERNAL_TO_TYPE(name, bits, cc_type)                                   \
  template <>                                                                          \
  struct CCTypeOf<ElementType::name> {                                                 \
    using type = std::conditional_t<std::is_void_v<cc_type>, std::monostate, cc_type>; \
  };
LITERT_INTERNAL_ELEMENT_TYPES(LITERT_INTERNAL_TO_TYPE)
#undef LITERT_INTERNAL_TO_TYPE
}  // namespace internal

// The C++ type of the elements, or std::monostate.
template <ElementType Ty>
using GetCCType = typename internal::CCTypeOf<Ty>::type;

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_ELEMENT_TYPE_H_

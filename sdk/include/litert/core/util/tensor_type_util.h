// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CORE_UTIL_TENSOR_TYPE_UTIL_H_
#define ODML_LITERT_LITERT_CORE_UTIL_TENSOR_TYPE_UTIL_H_

// How many bytes a tensor takes. Dimensions and strides are counted in elements and of no trust: all
// functions give kLiteRtStatusErrorInvalidArgument for a dimension below 1, a negative stride, and
// a size beyond size_t.

#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_abseil.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert::internal {

// num / denom bytes, denom > 1 for elements of less than a byte.
struct Ratio {
  using Type = int;
  Type num;
  Type denom;
  std::string ToString() const { return std::to_string(num) + "/" + std::to_string(denom); }
};

// Error: elements of that type have no size of their own.
inline Expected<Ratio> GetElementSize(LiteRtElementType element_type) {
  // NOLINTBEGIN(bugprone-branch-clone): a table
  switch (element_type) {
#define LITERT_INTERNAL_CASE(name, bits, type) \
  case kLiteRtElementType##name:               \
    if (bits == 0) break;                      \
    return bits < 8 ? Ratio{1, 8 / (bits == 0 ? 1 : bits)} : Ratio{bits / 8, 1};
    LITERT_INTERNAL_ELEMENT_TYPES(LITERT_INTERNAL_CASE)
#undef LITERT_INTERNAL_CASE
    default:
      break;
  }
  // NOLINTEND(bugprone-branch-clone)
  return Unexpected(kLiteRtStatusErrorInvalidArgument,
                    "elements of type " + std::to_string(element_type) + " have no fixed size");
}

template <typename T>
constexpr bool IsNegative(T value) {
  if constexpr (std::is_signed_v<T>) return value < 0;
  return false;
}

// Rounded up to whole bytes.
inline Expected<size_t> GetNumBytesFromElements(size_t num_elements, Ratio element_size) {
  if (element_size.num <= 0 || element_size.denom <= 0) {
    return Unexpected(kLiteRtStatusErrorInvalidArgument,
                      "an element of " + element_size.ToString() + " bytes");
  }
  const auto num = static_cast<size_t>(element_size.num);
  const auto denom = static_cast<size_t>(element_size.denom);
  if (num_elements > (std::numeric_limits<size_t>::max() - denom + 1) / num) {
    return Unexpected(kLiteRtStatusErrorInvalidArgument, "the tensor has too many bytes");
  }
  return (num_elements * num + denom - 1) / denom;
}

// `dimensions` is any view of integers: internal::Span, absl::Span, std::span.
template <typename Dimensions, typename = decltype(std::declval<const Dimensions&>().data())>
Expected<size_t> GetNumElements(const Dimensions& dimensions) {
  size_t num_elements = 1;
  for (const auto dimension : dimensions) {
    if (IsNegative(dimension) || dimension == 0) {
      return Unexpected(kLiteRtStatusErrorInvalidArgument,
                        "a dimension of " + std::to_string(dimension));
    }
    if (static_cast<size_t>(dimension) > std::numeric_limits<size_t>::max() / num_elements) {
      return Unexpected(kLiteRtStatusErrorInvalidArgument, "the tensor has too many elements");
    }
    num_elements *= static_cast<size_t>(dimension);
  }
  return num_elements;
}

inline Expected<size_t> GetNumElements(const LiteRtRankedTensorType& tensor_type) {
  return GetNumElements(
      MakeConstSpan(&tensor_type.layout.dimensions[0], size_t{tensor_type.layout.rank}));
}

// Without gaps between elements.
template <typename Dimensions>
Expected<size_t> GetNumPackedBytes(LiteRtElementType element_type, const Dimensions& dimensions) {
  LITERT_ASSIGN_OR_RETURN(const Ratio element_size, GetElementSize(element_type));
  LITERT_ASSIGN_OR_RETURN(const size_t num_elements, GetNumElements(dimensions));
  return GetNumBytesFromElements(num_elements, element_size);
}

// The type's strides do not count.
inline Expected<size_t> GetNumPackedBytes(const LiteRtRankedTensorType& tensor_type) {
  return GetNumPackedBytes(
      tensor_type.element_type,
      MakeConstSpan(&tensor_type.layout.dimensions[0], size_t{tensor_type.layout.rank}));
}

// From the first element to the end of the last one.
template <typename Dimensions, typename Strides>
Expected<size_t> GetNumBytes(LiteRtElementType element_type, const Dimensions& dimensions,
                             const Strides& strides) {
  if (dimensions.size() != strides.size()) {
    return Unexpected(kLiteRtStatusErrorInvalidArgument,
                      std::to_string(dimensions.size()) + " dimensions and " +
                          std::to_string(strides.size()) + " strides");
  }
  LITERT_ASSIGN_OR_RETURN(const Ratio element_size, GetElementSize(element_type));
  LITERT_RETURN_IF_ERROR(GetNumElements(dimensions));
  size_t last_element = 0;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (IsNegative(strides[i])) {
      return Unexpected(kLiteRtStatusErrorInvalidArgument,
                        "a stride of " + std::to_string(strides[i]));
    }
    const auto stride = static_cast<size_t>(strides[i]);
    const size_t steps = static_cast<size_t>(dimensions[i]) - 1;
    if (steps == 0) continue;
    if (stride > (std::numeric_limits<size_t>::max() - 1 - last_element) / steps) {
      return Unexpected(kLiteRtStatusErrorInvalidArgument, "the tensor spans too many elements");
    }
    last_element += stride * steps;
  }
  return GetNumBytesFromElements(last_element + 1, element_size);
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CORE_UTIL_TENSOR_TYPE_UTIL_H_

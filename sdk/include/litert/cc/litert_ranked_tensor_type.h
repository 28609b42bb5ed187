// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_RANKED_TENSOR_TYPE_H_
#define ODML_LITERT_LITERT_CC_LITERT_RANKED_TENSOR_TYPE_H_

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "litert/c/litert_layout.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_layout.h"
#include "litert/cc/litert_macros.h"

namespace litert {

// An element type and a shape.
class RankedTensorType {
 public:
  RankedTensorType(::litert::ElementType element_type, ::litert::Layout&& layout)
      : element_type_(element_type), layout_(layout) {}
  explicit RankedTensorType(const LiteRtRankedTensorType& type)
      : element_type_(static_cast<::litert::ElementType>(type.element_type)),
        layout_(type.layout) {}

  explicit operator LiteRtRankedTensorType() const {
    LiteRtRankedTensorType type{};
    type.element_type = static_cast<LiteRtElementType>(element_type_);
    type.layout = static_cast<const LiteRtLayout&>(layout_);
    return type;
  }

  bool operator==(const RankedTensorType& other) const {
    return element_type_ == other.element_type_ && layout_ == other.layout_;
  }
  bool operator!=(const RankedTensorType& other) const { return !(*this == other); }

  ::litert::ElementType ElementType() const { return element_type_; }
  void SetElementType(::litert::ElementType element_type) { element_type_ = element_type; }

  const ::litert::Layout& Layout() const { return layout_; }

  // Bytes of a dense buffer. An error for dynamic shapes and for element types
  // without a fixed size.
  Expected<size_t> Bytes() const {
    LITERT_ASSIGN_OR_RETURN(const size_t num_elements, layout_.NumElements());
    const auto byte_width = GetByteWidth(element_type_);
    if (!byte_width) {
      return Unexpected(Status::kErrorInvalidArgument, "the element type has no fixed size");
    }
    return *byte_width * num_elements;
  }

 private:
  ::litert::ElementType element_type_;
  ::litert::Layout layout_;
};

// MakeRankedTensorType<float>({1, 2, 3}).
template <typename T>
RankedTensorType MakeRankedTensorType(std::initializer_list<Layout::Dim> shape) {
  return RankedTensorType(GetElementType<T>(), Layout(BuildLayout(shape)));
}
template <typename T, typename Shape>
RankedTensorType MakeRankedTensorType(const Shape& shape) {
  return RankedTensorType(GetElementType<T>(), Layout(BuildLayout(shape)));
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_RANKED_TENSOR_TYPE_H_

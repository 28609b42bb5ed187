// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_LAYOUT_H_
#define ODML_LITERT_LITERT_CC_LITERT_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <vector>

#include "litert/c/litert_layout.h"
#include "litert/cc/internal/litert_consts.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

using Dimensions = std::vector<int32_t>;
using Strides = std::vector<uint32_t>;

// A C layout of the given dimensions, with strides if `strides` is not null
// (one per dimension). Dimensions past LITERT_TENSOR_MAX_RANK are left out.
template <class Begin, class End>
constexpr LiteRtLayout BuildLayout(Begin begin, End end, const uint32_t* strides = nullptr) {
  LiteRtLayout layout{};
  size_t rank = 0;
  for (auto it = begin; it != end && rank < LITERT_TENSOR_MAX_RANK; ++it) {
    layout.dimensions[rank] = static_cast<int32_t>(*it);
    if (strides != nullptr) layout.strides[rank] = strides[rank];
    ++rank;
  }
  layout.rank = static_cast<uint32_t>(rank) & 0x7f;
  layout.has_strides = strides != nullptr;
  return layout;
}

template <class Dims>
constexpr LiteRtLayout BuildLayout(const Dims& dims, const uint32_t* strides = nullptr) {
  return BuildLayout(std::cbegin(dims), std::cend(dims), strides);
}

constexpr LiteRtLayout BuildLayout(std::initializer_list<int32_t> dims,
                                   const uint32_t* strides = nullptr) {
  return BuildLayout(dims.begin(), dims.end(), strides);
}

constexpr internal::Span<const int32_t> DimsSpan(const LiteRtLayout& layout) {
  return {layout.dimensions, layout.rank};
}

constexpr std::optional<internal::Span<const uint32_t>> StridesSpan(const LiteRtLayout& layout) {
  if (!layout.has_strides) return std::nullopt;
  return internal::Span<const uint32_t>(layout.strides, layout.rank);
}

// The shape of a tensor: [dim 0, ..., dim rank-1], outermost first. A negative
// dimension is dynamic.
class Layout {
 public:
  using Dim = int32_t;

  constexpr Layout() : lrt_layout_{} {}
  explicit Layout(const litert::Dimensions& dimensions) : lrt_layout_(BuildLayout(dimensions)) {}
  Layout(const litert::Dimensions& dimensions, const litert::Strides& strides)
      : lrt_layout_(BuildLayout(dimensions, strides.empty() ? nullptr : strides.data())) {}
  constexpr explicit Layout(const LiteRtLayout& layout) : lrt_layout_(layout) {}

  explicit operator const LiteRtLayout&() const { return lrt_layout_; }

  bool operator==(const Layout& other) const {
    if (HasStrides() != other.HasStrides()) return false;
    return Dimensions() == other.Dimensions() && Strides() == other.Strides();
  }
  bool operator!=(const Layout& other) const { return !(*this == other); }

  uint32_t Rank() const { return lrt_layout_.rank; }

  internal::Span<const Dim> Dimensions() const { return DimsSpan(lrt_layout_); }

  bool HasStrides() const { return lrt_layout_.has_strides; }

  // Empty if there are none.
  internal::Span<const uint32_t> Strides() const {
    return StridesSpan(lrt_layout_).value_or(internal::Span<const uint32_t>());
  }

  // The product of the dimensions, 1 for a scalar. kErrorInvalidArgument if one
  // is dynamic or the product does not fit.
  Expected<size_t> NumElements() const {
    size_t num_elements = 1;
    for (const Dim dim : Dimensions()) {
      if (dim < 0) {
        return Unexpected(Status::kErrorInvalidArgument, "the layout has a dynamic dimension");
      }
      if (__builtin_mul_overflow(num_elements, static_cast<size_t>(dim), &num_elements)) {
        return Unexpected(Status::kErrorInvalidArgument,
                          "the number of elements does not fit in size_t");
      }
    }
    return num_elements;
  }

 private:
  LiteRtLayout lrt_layout_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_LAYOUT_H_

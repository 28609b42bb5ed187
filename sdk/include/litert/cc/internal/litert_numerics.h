// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_NUMERICS_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_NUMERICS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "litert/cc/internal/litert_detail.h"

namespace litert {

// std::numeric_limits, open to specialization for element types that C++ lacks.
template <typename T>
struct NumericLimits {
  using DataType = T;
  // The smallest positive value of a float, the lowest of an integer.
  static constexpr T Min() { return std::numeric_limits<T>::min(); }
  static constexpr T Max() { return std::numeric_limits<T>::max(); }
  static constexpr T Lowest() { return std::numeric_limits<T>::lowest(); }
};

// The 64-bit type that holds a T: double or int64_t.
template <typename T>
using WideType = SelectT<std::is_floating_point<T>, double, std::is_integral<T>, int64_t>;

template <typename T>
constexpr WideType<T> Widen(T val) {
  return static_cast<WideType<T>>(val);
}

// `bound`, brought into the range of T.
template <typename T>
constexpr T UpperBoundary(WideType<T> bound) {
  return static_cast<T>(std::min(bound, Widen(NumericLimits<T>::Max())));
}
template <typename T>
constexpr T LowerBoundary(WideType<T> bound) {
  return static_cast<T>(std::max(bound, Widen(NumericLimits<T>::Lowest())));
}

// Zero for denormals and NaN, else `val`.
template <typename T, std::enable_if_t<std::is_floating_point_v<T>, bool> = true>
constexpr T GetOrFlush(T val) {
  return (val > NumericLimits<T>::Min() || -val > NumericLimits<T>::Min()) ? val : T{0};
}

// Bytes per element as a fraction, for elements smaller than a byte.
class ByteWidth {
 public:
  constexpr explicit ByteWidth(size_t numerator, size_t denominator = 1)
      : numerator_(numerator), denominator_(denominator) {}

  // Bytes that `num_elements` packed elements take, rounded up.
  constexpr size_t NumBytes(size_t num_elements = 1) const {
    return Ceil(num_elements * numerator_, denominator_);
  }
  template <class Int, class = std::enable_if_t<std::is_integral_v<Int>>>
  constexpr size_t operator*(Int num_elements) const {
    return NumBytes(static_cast<size_t>(num_elements));
  }
  constexpr operator size_t() const { return NumBytes(); }  // NOLINT

 private:
  size_t numerator_;
  size_t denominator_;
};

template <typename T>
using NumberLike = std::bool_constant<std::is_floating_point_v<T> || std::is_integral_v<T>>;

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_NUMERICS_H_

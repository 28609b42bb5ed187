// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_ANY_H_
#define ODML_LITERT_LITERT_CC_LITERT_ANY_H_

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>

#include "litert/c/litert_any.h"
#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

// The values that a LiteRtAny can hold. Text is not owned.
using LiteRtVariant = std::variant<std::monostate, bool, int8_t, int16_t, int32_t, int64_t, float,
                                   double, const char*, internal::StringView, const void*, void*>;
using any = LiteRtVariant;

inline LiteRtVariant ToStdAny(LiteRtAny litert_any) {
  switch (litert_any.type) {
    case kLiteRtAnyTypeBool:
      return litert_any.bool_value;
    case kLiteRtAnyTypeInt:
      return litert_any.int_value;
    case kLiteRtAnyTypeReal:
      return litert_any.real_value;
    case kLiteRtAnyTypeString:
      return litert_any.str_value;
    case kLiteRtAnyTypeVoidPtr:
      return const_cast<void*>(litert_any.ptr_value);
    default:
      return std::monostate{};
  }
}

// A string view must end in a zero: the C side takes a C string.
inline Expected<LiteRtAny> ToLiteRtAny(const LiteRtVariant& var) {
  return std::visit(
      [](auto value) -> Expected<LiteRtAny> {
        using T = decltype(value);
        LiteRtAny result{};
        if constexpr (std::is_same_v<T, std::monostate>) {
          result.type = kLiteRtAnyTypeNone;
        } else if constexpr (std::is_same_v<T, bool>) {
          result.type = kLiteRtAnyTypeBool;
          result.bool_value = value;
        } else if constexpr (std::is_integral_v<T>) {
          result.type = kLiteRtAnyTypeInt;
          result.int_value = value;
        } else if constexpr (std::is_floating_point_v<T>) {
          result.type = kLiteRtAnyTypeReal;
          result.real_value = value;
        } else if constexpr (std::is_same_v<T, const char*>) {
          result.type = kLiteRtAnyTypeString;
          result.str_value = value;
        } else if constexpr (std::is_same_v<T, internal::StringView>) {
          result.type = kLiteRtAnyTypeString;
          result.str_value = value.data();
        } else {
          result.type = kLiteRtAnyTypeVoidPtr;
          result.ptr_value = value;
        }
        return result;
      },
      var);
}

namespace internal {

inline const char* AnyTypeName(LiteRtAnyType type) {
  switch (type) {
    case kLiteRtAnyTypeNone:
      return "nothing";
    case kLiteRtAnyTypeBool:
      return "a bool";
    case kLiteRtAnyTypeInt:
      return "an integer";
    case kLiteRtAnyTypeReal:
      return "a real number";
    case kLiteRtAnyTypeString:
      return "a string";
    case kLiteRtAnyTypeVoidPtr:
      return "a pointer";
  }
  return "an unknown type";
}

inline Expected<void> CheckType(const LiteRtAny& any, LiteRtAnyType type) {
  if (any.type == type) return {};
  return Error(Status::kErrorInvalidArgument,
               std::string("expected ") + AnyTypeName(type) + ", found " + AnyTypeName(any.type));
}

// `value` as a T, if it is in range.
template <class T, class Wide>
Expected<T> Narrow(Wide value) {
  using Limits = std::numeric_limits<T>;
  if (value > static_cast<Wide>(Limits::max()) || value < static_cast<Wide>(Limits::lowest())) {
    return Error(Status::kErrorInvalidArgument, std::to_string(value) + " is not in [" +
                                                    std::to_string(Limits::lowest()) + ", " +
                                                    std::to_string(Limits::max()) + "]");
  }
  return static_cast<T>(value);
}

}  // namespace internal

// The value of `any` as a T: bool, a signed integer, float, double,
// std::string, a string view or const void*. An error if it holds another
// kind of value or one out of range.
template <class T>
Expected<T> Get(const LiteRtAny& any) {
  if constexpr (std::is_same_v<T, bool>) {
    LITERT_RETURN_IF_ERROR(internal::CheckType(any, kLiteRtAnyTypeBool));
    return T(any.bool_value);
  } else if constexpr (std::is_integral_v<T>) {
    LITERT_RETURN_IF_ERROR(internal::CheckType(any, kLiteRtAnyTypeInt));
    return internal::Narrow<T>(any.int_value);
  } else if constexpr (std::is_floating_point_v<T>) {
    LITERT_RETURN_IF_ERROR(internal::CheckType(any, kLiteRtAnyTypeReal));
    return internal::Narrow<T>(any.real_value);
  } else if constexpr (std::is_same_v<T, const void*>) {
    LITERT_RETURN_IF_ERROR(internal::CheckType(any, kLiteRtAnyTypeVoidPtr));
    return T(any.ptr_value);
  } else {
    LITERT_RETURN_IF_ERROR(internal::CheckType(any, kLiteRtAnyTypeString));
    return T(any.str_value != nullptr ? any.str_value : "");
  }
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_ANY_H_

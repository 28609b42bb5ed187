// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Option fields as text, for printing and comparing: "SAME", "1", "true", "[1,2]", "'name'". Equal
// texts mean equal values.

#ifndef NPUKIT_SDK_HOST_MODEL_OPTIONS_FIELD_TEXT_H_
#define NPUKIT_SDK_HOST_MODEL_OPTIONS_FIELD_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sdk/host/model/options/op_options.h"

namespace npukit {

std::string IntegerText(int64_t value);
// The shortest text that reads back as the same number; NaNs by their bits.
std::string FloatText(float value);
// With quotes; what is not printable as \xNN.
std::string QuotedText(std::string_view text);

template <typename T>
std::string FieldText(const T& value) {
  if constexpr (kIsSchemaEnum<T>) {
    return EnumName(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, float>) {
    return FloatText(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return QuotedText(value);
  } else {
    static_assert(std::is_integral_v<T> && sizeof(T) <= sizeof(int64_t));
    return IntegerText(value);
  }
}

template <typename T>
std::string FieldText(const std::vector<T>& values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != 0) text += ",";
    text += FieldText(static_cast<T>(values[i]));
  }
  return text + "]";
}

// Name and text of each field of the options, in schema order.
std::vector<std::pair<std::string, std::string>> FieldTexts(const OpOptions& options);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OPTIONS_FIELD_TEXT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options/option_value.h"

#include <fmt/format.h>
#include <optional>
#include <type_traits>
#include <utility>

#include "sdk/host/model/options/enumerators.h"
#include "sdk/host/model/options/option_fields.h"

namespace npukit {
namespace {

std::optional<int64_t> IntegerOf(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  if (const auto* number = std::get_if<int64_t>(&value)) return *number;
  return std::nullopt;
}

// nullopt: of another kind, or out of the type's range.
template <typename T>
std::optional<T> Converted(const OptionValue& value) {
  if constexpr (kIsSchemaEnum<T>) {
    const auto* name = std::get_if<std::string>(&value);
    return name == nullptr ? std::nullopt : EnumeratorOf<T>(*name);
  } else if constexpr (std::is_same_v<T, std::string>) {
    const auto* text = std::get_if<std::string>(&value);
    return text == nullptr ? std::nullopt : std::optional<T>(*text);
  } else if constexpr (std::is_same_v<T, float>) {
    if (const auto* number = std::get_if<double>(&value)) return static_cast<float>(*number);
    const std::optional<int64_t> integer = IntegerOf(value);
    return integer ? std::optional<T>(static_cast<float>(*integer)) : std::nullopt;
  } else {
    const std::optional<int64_t> integer = IntegerOf(value);
    if (!integer ||
        !std::in_range<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>(*integer))
      return std::nullopt;
    if (std::is_same_v<T, bool> && *integer > 1) return std::nullopt;
    return static_cast<T>(*integer);
  }
}

template <typename T>
bool Assign(T& field, const OptionValue& value) {
  const std::optional<T> converted = Converted<T>(value);
  if (converted) field = *converted;
  return converted.has_value();
}

template <typename T>
bool Assign(std::vector<T>& field, const OptionValue& value) {
  std::vector<T> converted;
  const auto convert = [&](const auto& list) {
    for (const auto& element : list) {
      const std::optional<T> one = Converted<T>(OptionValue(element));
      if (!one) return false;
      converted.push_back(*one);
    }
    return true;
  };
  const auto* integers = std::get_if<std::vector<int64_t>>(&value);
  const auto* numbers = std::get_if<std::vector<double>>(&value);
  if (integers == nullptr && numbers == nullptr) return false;
  if (!(integers != nullptr ? convert(*integers) : convert(*numbers))) return false;
  field = std::move(converted);
  return true;
}

}  // namespace

litert::Expected<void> SetOption(OpOptions& options, std::string_view field,
                                 const OptionValue& value) {
  bool is_found = false;
  bool is_assigned = false;
  std::string known;
  VisitFields(options, [&](std::string_view name, auto& member) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
    if (name != field) return;
    is_found = true;
    is_assigned = Assign(member, value);
  });
  if (is_assigned) return {};
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      is_found ? fmt::format("option '{}' can't have this value", field)
               : fmt::format("no option '{}'; {}", field,
                             known.empty() ? "there are none" : "there are " + known));
}

}  // namespace npukit

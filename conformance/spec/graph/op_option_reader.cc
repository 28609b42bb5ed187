// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/graph/op_option_reader.h"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/options/enumerators.h"
#include "sdk/host/model/options/option_fields.h"

namespace npukit::conformance {
namespace {

template <typename T>
inline constexpr bool kIsVector = false;
template <typename E>
inline constexpr bool kIsVector<std::vector<E>> = true;

// True for what a field of a table may hold that YAML can say.
template <typename T>
inline constexpr bool kIsReadable =
    kIsSchemaEnum<T> || std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

template <typename E>
litert::Expected<E> ReadEnum(const Value& value) {
  if (value.is_scalar()) {
    if (const std::optional<E> enumerator = EnumeratorOf<E>(value.text)) return *enumerator;
  }
  std::vector<std::string> names;
  for (auto& [enumerator, name] : Enumerators<E>()) names.push_back(std::move(name));
  return SpecError(value.at, "expected " + JoinChoices(names) + ", found " + value.Describe());
}

template <typename T>
litert::Expected<T> ReadField(const Value& value) {
  if constexpr (kIsSchemaEnum<T>) {
    return ReadEnum<T>(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return ReadBool(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    LITERT_ASSIGN_OR_RETURN(const double number, ReadNumber(value, /*allow_special=*/true));
    return static_cast<T>(number);
  } else if constexpr (std::is_integral_v<T>) {
    constexpr int64_t kMax = sizeof(T) == 8 ? std::numeric_limits<int64_t>::max()
                                            : static_cast<int64_t>(std::numeric_limits<T>::max());
    LITERT_ASSIGN_OR_RETURN(
        const int64_t number,
        ReadInteger(value, static_cast<int64_t>(std::numeric_limits<T>::min()), kMax));
    return static_cast<T>(number);
  } else {
    return ReadString(value);
  }
}

template <typename T>
litert::Expected<void> AssignField(T& field, const Value& value) {
  if constexpr (kIsReadable<T>) {
    LITERT_ASSIGN_OR_RETURN(field, ReadField<T>(value));
    return {};
  } else if constexpr (kIsVector<T>) {
    if constexpr (kIsReadable<typename T::value_type>) {
      LITERT_RETURN_IF_ERROR(ExpectList(value));
      field.clear();
      for (const Value& item : value.items) {
        LITERT_ASSIGN_OR_RETURN(auto element, ReadField<typename T::value_type>(item));
        field.push_back(element);
      }
      return {};
    }
  }
  return SpecError(value.at, "this option can't be written in a suite");
}

template <typename T>
std::string FieldText(const T& field) {
  if constexpr (kIsSchemaEnum<T>) {
    return EnumName(field);
  } else if constexpr (std::is_same_v<T, bool>) {
    return field ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    return fmt::format("{:f}", field);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return fmt::format("{}", field);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return field;
  } else if constexpr (kIsVector<T>) {
    if constexpr (kIsReadable<typename T::value_type>) {
      std::string text = "[";
      for (const auto& element : field) {
        if (text.size() > 1) text += ", ";
        text += FieldText(static_cast<typename T::value_type>(element));
      }
      return text + "]";
    }
  }
  return {};
}

litert::Expected<void> ReadFields(const Value& value, OpOptions& options) {
  std::vector<std::string> known;
  std::vector<std::string> observed;
  litert::Expected<void> outcome;
  VisitFields(options, [&](std::string_view name, auto& field) {
    known.emplace_back(name);
    const Value* member = value.Find(name);
    if (member == nullptr) return;
    observed.emplace_back(name);
    if (outcome) outcome = AssignField(field, *member);
  });
  if (!outcome) return outcome;
  if (observed.size() == value.members.size()) return {};
  for (const auto& [name, member] : value.members) {
    if (std::find(observed.begin(), observed.end(), name) == observed.end()) {
      return SpecError(member.key_at, "unknown option '" + name + "'; " +
                                          (known.empty() ? "this operator has none"
                                                         : "known are " + JoinChoices(known)));
    }
  }
  return {};
}

}  // namespace

litert::Expected<OpOptions> ReadOpOptions(LiteRtOpCode code, const Value& value) {
  if (!value.is_map())
    return SpecError(value.at, "expected a map of options, found " + value.Describe());
  OpOptions options = DefaultOpOptions(code);
  LITERT_RETURN_IF_ERROR(ReadFields(value, options));
  return options;
}

std::string OptionText(const OpOptions& options, std::string_view field) {
  std::string text;
  VisitFields(options, [&](std::string_view name, const auto& value) {
    if (name == field) text = FieldText(value);
  });
  return text;
}

std::vector<std::pair<std::string, std::string>> OptionTexts(const OpOptions& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  VisitFields(options, [&](std::string_view name, const auto& value) {
    texts.emplace_back(std::string(name), FieldText(value));
  });
  return texts;
}

}  // namespace npukit::conformance

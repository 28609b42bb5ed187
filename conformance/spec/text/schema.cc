// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/text/schema.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

litert::Unexpected WrongType(const Value& value, std::string_view expected) {
  return SpecError(value.at, "expected " + std::string(expected) + ", found " + value.Describe());
}

}  // namespace

std::string JoinChoices(const std::vector<std::string>& choices) {
  std::string text;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += choices[i];
  }
  return text;
}

litert::Expected<MapReader> MapReader::Of(const Value& value, std::string_view what) {
  if (!value.is_map()) return WrongType(value, "a map for " + std::string(what));
  return MapReader(value, what);
}

litert::Expected<const Value*> MapReader::Required(std::string_view key) {
  const Value* member = Optional(key);
  if (member == nullptr)
    return SpecError(value_->at, what_ + " needs a key '" + std::string(key) + "'");
  return member;
}

const Value* MapReader::Optional(std::string_view key) {
  known_.emplace_back(key);
  return value_->Find(key);
}

litert::Expected<void> MapReader::Finish() const {
  for (const Value::Member& member : value_->members) {
    if (std::find(known_.begin(), known_.end(), member.first) == known_.end()) {
      return SpecError(member.second.key_at, "unknown key '" + member.first + "' in " + what_ +
                                                 "; known are " + JoinChoices(known_));
    }
  }
  return {};
}

litert::Expected<std::string> ReadString(const Value& value) {
  if (!value.is_scalar()) return WrongType(value, "a string");
  return value.text;
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-.+/").find(c) != std::string_view::npos;
}

litert::Expected<std::string> ReadName(const Value& value) {
  LITERT_ASSIGN_OR_RETURN(std::string name, ReadString(value));
  if (name.empty() || !std::all_of(name.begin(), name.end(), IsNameCharacter))
    return SpecError(value.at, "a name has letters, digits and _-.+/ only, not '" + name + "'");
  return name;
}

litert::Expected<bool> ReadBool(const Value& value) {
  if (value.is_scalar() && !value.quoted && value.text == "true") return true;
  if (value.is_scalar() && !value.quoted && value.text == "false") return false;
  return WrongType(value, "true or false");
}

litert::Expected<int64_t> ReadInteger(const Value& value, int64_t min, int64_t max) {
  if (!value.is_scalar() || value.quoted) return WrongType(value, "an integer");
  int64_t number = 0;
  const char* end = value.text.data() + value.text.size();
  const auto [stop, code] = std::from_chars(value.text.data(), end, number);
  if (code != std::errc() || stop != end) return WrongType(value, "an integer");
  if (number < min || number > max) {
    return SpecError(value.at, fmt::format("{} is not between {} and {}", value.text, min, max));
  }
  return number;
}

litert::Expected<double> ReadNumber(const Value& value, bool allow_special) {
  if (!value.is_scalar() || value.quoted) return WrongType(value, "a number");
  double number = 0;
  const char* end = value.text.data() + value.text.size();
  const auto [stop, code] = std::from_chars(value.text.data(), end, number);
  if (code != std::errc() || stop != end) return WrongType(value, "a number");
  if (!allow_special && !std::isfinite(number)) return WrongType(value, "a finite number");
  return number;
}

litert::Expected<void> ExpectList(const Value& value) {
  if (!value.is_list()) return WrongType(value, "a list");
  return {};
}

litert::Expected<std::vector<std::string>> ReadStrings(const Value& value) {
  std::vector<std::string> strings;
  if (value.is_scalar()) {
    strings.push_back(value.text);
    return strings;
  }
  LITERT_RETURN_IF_ERROR(ExpectList(value));
  for (const Value& item : value.items) {
    LITERT_ASSIGN_OR_RETURN(std::string text, ReadString(item));
    strings.push_back(std::move(text));
  }
  return strings;
}

litert::Expected<std::vector<int64_t>> ReadIntegers(const Value& value, int64_t min, int64_t max) {
  LITERT_RETURN_IF_ERROR(ExpectList(value));
  std::vector<int64_t> numbers;
  for (const Value& item : value.items) {
    LITERT_ASSIGN_OR_RETURN(const int64_t number, ReadInteger(item, min, max));
    numbers.push_back(number);
  }
  return numbers;
}

litert::Expected<std::vector<double>> ReadNumbers(const Value& value, bool allow_special) {
  LITERT_RETURN_IF_ERROR(ExpectList(value));
  std::vector<double> numbers;
  for (const Value& item : value.items) {
    LITERT_ASSIGN_OR_RETURN(const double number, ReadNumber(item, allow_special));
    numbers.push_back(number);
  }
  return numbers;
}

litert::Expected<size_t> ReadChoice(const Value& value,
                                    const std::vector<std::string_view>& choices) {
  for (size_t i = 0; value.is_scalar() && i < choices.size(); ++i) {
    if (value.text == choices[i]) return i;
  }
  return WrongType(value, JoinChoices({choices.begin(), choices.end()}));
}

}  // namespace npukit::conformance

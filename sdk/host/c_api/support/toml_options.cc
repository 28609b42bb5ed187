// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/support/toml_options.h"

#include <charconv>
#include <optional>
#include <utility>

namespace npukit {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

template <typename T>
std::optional<T> ParseNumber(std::string_view text) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool IsBetween(std::string_view text, char open, char close) {
  return text.size() >= 2 && text.front() == open && text.back() == close;
}

std::optional<TomlValue> ParseList(std::string_view text) {
  std::vector<int32_t> list;
  while (!Trim(text).empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const auto number = ParseNumber<int32_t>(Trim(text.substr(0, comma)));
    if (!number) return std::nullopt;
    list.push_back(*number);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return list;
}

std::optional<TomlValue> ParseTextList(std::string_view text) {
  std::vector<std::string> list;
  for (text = Trim(text); !text.empty(); text = Trim(text)) {
    const size_t end = text.find(text.front(), 1);
    if ((text.front() != '"' && text.front() != '\'') || end == std::string_view::npos)
      return std::nullopt;
    list.emplace_back(text.substr(1, end - 1));
    text = Trim(text.substr(end + 1));
    if (text.empty()) break;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
  return list;
}

std::optional<TomlValue> ParseValue(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  const bool is_quoted = IsBetween(text, '"', '"') || IsBetween(text, '\'', '\'');
  if (is_quoted) return std::string(text.substr(1, text.size() - 2));
  if (IsBetween(text, '[', ']')) {
    const std::string_view items = text.substr(1, text.size() - 2);
    const bool has_text = items.find_first_of("\"'") != std::string_view::npos;
    return has_text ? ParseTextList(items) : ParseList(items);
  }
  if (const auto number = ParseNumber<int64_t>(text)) return *number;
  return std::nullopt;
}

std::string ToText(const TomlValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const int64_t* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return '"' + *text + '"';
  std::string list = "[";
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& item : *texts) list += (list.size() > 1 ? ", \"" : "\"") + item + '"';
    return list + "]";
  }
  for (int32_t number : std::get<std::vector<int32_t>>(value)) {
    list += (list.size() > 1 ? ", " : "") + std::to_string(number);
  }
  return list + "]";
}

}  // namespace

LiteRtStatus ParseTomlLines(
    std::string_view text,
    const std::function<void(std::string_view key, const TomlValue& value)>& visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) return kLiteRtStatusErrorInvalidArgument;
    const std::string_view key = Trim(line.substr(0, equals));
    const std::string_view value = Trim(line.substr(equals + 1));
    if (key.empty() || value.empty()) return kLiteRtStatusErrorInvalidArgument;
    if (const auto parsed = ParseValue(value)) visit(key, *parsed);
  }
  return kLiteRtStatusOk;
}

LiteRtStatus TomlOptions::Parse(std::string_view text) {
  return ParseTomlLines(text,
                        [this](std::string_view key, const TomlValue& value) { Set(key, value); });
}

std::string TomlOptions::Text() const {
  std::string text;
  for (const auto& [key, value] : values_) text += key + " = " + ToText(value) + "\n";
  return text;
}

}  // namespace npukit

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/plugin_options.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "npukit/compile_spec.h"

namespace acme::compiler {
namespace {

struct NumberOption {
  const char* key;
  uint32_t largest;
};
constexpr NumberOption kNumbers[] = {
    {kOptimizationLevelKey, 3}, {kForcePartitionIndexKey, (1 << 24) - 1}, {kShorterContextsKey, 1}};

std::optional<uint32_t> ToNumber(std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The value at the beginning of the text, which loses it; nothing if there is none.
std::optional<std::string> TakeValue(std::string_view& text) {
  std::string value;
  if (!text.starts_with('"')) {
    const size_t end = text.find_first_of(" \t\r#");
    value = text.substr(0, end);
    text.remove_prefix(value.size());
    if (!ToNumber(value) && value != "true" && value != "false") return std::nullopt;
    return value;
  }
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return value;
    }
    if (text[i] == '\\') {
      if (i + 1 == text.size() || (text[i + 1] != '"' && text[i + 1] != '\\')) return std::nullopt;
      ++i;
    }
    value += text[i];
  }
  return std::nullopt;
}

// One line that is neither empty nor a comment.
Expected<void> ReadLine(std::string_view line, PluginOptions& options) {
  const auto wrong = [](const std::string& what) {
    return Error(ErrorCode::kInvalidArgument, what);
  };
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos) return wrong("expected KEY = VALUE");
  const std::string key(Trimmed(line.substr(0, equals)));
  std::string_view rest = Trimmed(line.substr(equals + 1));
  const std::optional<std::string> value = TakeValue(rest);
  rest = Trimmed(rest);
  if (!value || (!rest.empty() && !rest.starts_with('#')))
    return wrong(key + (key == kEnableJitKey
                            ? ": expected true or false"
                            : ": expected a number of at least 0, or a text in quotes"));
  ACME_RETURN_IF_ERROR(CheckPluginOption(key, *value));
  if (!options.emplace(key, *value).second) return wrong(key + " stands twice");
  return {};
}

}  // namespace

Expected<void> CheckPluginOption(const std::string& key, const std::string& value) {
  if (key == NPUKIT_SPEC_DUMP_DIR) {
    if (!value.empty()) return {};
    return Error(ErrorCode::kInvalidArgument, key + ": the name of the folder is empty");
  }
  if (key == kEnableJitKey) {
    if (value == "true" || value == "false") return {};
    return Error(ErrorCode::kInvalidArgument,
                 fmt::format("{}: '{}' is neither true nor false", key, value));
  }
  for (const NumberOption& option : kNumbers) {
    if (key != option.key) continue;
    const std::optional<uint32_t> number = ToNumber(value);
    if (number && *number <= option.largest) return {};
    return Error(ErrorCode::kInvalidArgument,
                 fmt::format("{}: '{}' is not in 0 .. {}", key, value, option.largest));
  }
  return Error(ErrorCode::kNotFound, "there is no option '" + key + "'");
}

uint32_t PluginOptionNumber(std::string_view value) { return ToNumber(value).value_or(0); }

Expected<PluginOptions> ParsePluginOptions(std::string_view toml) {
  PluginOptions options;
  for (size_t number = 1; !toml.empty(); ++number) {
    const size_t end = toml.find('\n');
    const std::string_view line = Trimmed(toml.substr(0, end));
    toml = end == std::string_view::npos ? std::string_view() : toml.substr(end + 1);
    if (line.empty() || line.starts_with('#')) continue;
    const Expected<void> read = ReadLine(line, options);
    if (!read) {
      return Error(ErrorCode::kInvalidArgument,
                   fmt::format("line {}: {}", number, read.Error().Message()));
    }
  }
  return options;
}

}  // namespace acme::compiler

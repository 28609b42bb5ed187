// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/command_line/json_text.h"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace npukit::tools {

nlohmann::ordered_json ParseJson(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
}

nlohmann::ordered_json JsonNumber(double value) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (!std::isfinite(value)) return {};
  if (value >= -kEnd && value < kEnd && std::trunc(value) == value)
    return static_cast<int64_t>(value);
  return value;
}

std::string JsonText(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace npukit::tools

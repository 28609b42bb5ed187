// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// JSON from text and back, compiled once: a parser costs more than a second in each source that
// has one. Tools have one type of JSON, which keeps the order of keys.

#ifndef NPUKIT_SDK_TOOLS_COMMAND_LINE_JSON_TEXT_H_
#define NPUKIT_SDK_TOOLS_COMMAND_LINE_JSON_TEXT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace npukit::tools {

// is_discarded() if it is no JSON.
nlohmann::ordered_json ParseJson(std::string_view text);

// A whole number where the value is one that fits; null where it is not finite.
nlohmann::ordered_json JsonNumber(double value);

// On one line, or with `indent` spaces a level. Strings that are not UTF-8 have the bad bytes
// replaced.
std::string JsonText(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_COMMAND_LINE_JSON_TEXT_H_

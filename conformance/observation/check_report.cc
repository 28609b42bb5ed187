// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/observation/check_report.h"

#include <nlohmann/json.hpp>

#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {

using Json = nlohmann::ordered_json;

std::string SerializeReport(const CheckReport& report) {
  Json json = {{"answer", static_cast<int>(report.answer)},
               {"detail", report.detail},
               {"numbers", Json::object()},
               {"exercised", report.exercised}};
  for (const auto& [name, value] : report.numbers) json["numbers"][name] = value;
  return tools::JsonText(json);
}

std::optional<CheckReport> ParseReport(std::string_view text) {
  const Json json = tools::ParseJson(text);
  if (!json.is_object() || !json.contains("answer") || !json["answer"].is_number_integer())
    return std::nullopt;
  const int answer = json["answer"].get<int>();
  if (answer < 0 || answer > static_cast<int>(CheckReport::Answer::kForged)) return std::nullopt;
  CheckReport report;
  report.answer = static_cast<CheckReport::Answer>(answer);
  report.detail = json.value("detail", std::string());
  if (json.contains("numbers") && json["numbers"].is_object()) {
    for (const auto& [name, value] : json["numbers"].items()) {
      if (value.is_number()) report.numbers.emplace_back(name, value.get<double>());
    }
  }
  if (json.contains("exercised") && json["exercised"].is_array()) {
    for (const Json& claim : json["exercised"]) {
      if (claim.is_string()) report.exercised.push_back(claim.get<std::string>());
    }
  }
  return report;
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/verdict/baseline.h"

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "conformance/verdict/bad_json.h"
#include "conformance/verdict/judge.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 1;
constexpr char kMeasured[] = "/performance.cycles_repeatable";

std::optional<double> CyclesOf(const CaseResult& result) {
  if (!result.name.ends_with(kMeasured)) return std::nullopt;
  for (const auto& [name, value] : result.numbers) {
    if (name == "cycles") return value;
  }
  return std::nullopt;
}

std::string CaseOf(const CaseResult& result) {
  return result.name.substr(0, result.name.size() - (sizeof kMeasured - 1));
}

CaseResult Compare(const CaseResult& measured, double cycles, double recorded, double growth) {
  CaseResult result;
  result.name = CaseOf(measured) + "/performance.baseline";
  result.suite = measured.suite;
  result.check = "performance.baseline";
  result.klass = "performance";
  result.result = Result::kPassed;
  result.numbers = {{"cycles", cycles}, {"baseline_cycles", recorded}};
  if (cycles <= recorded * (1 + growth)) return result;
  result.result = Result::kFailed;
  result.cause = Cause::kCheck;
  result.detail = fmt::format("{:.0f} cycles, {:.0f} are recorded ({:+.2f} %; {:.2f} % is allowed)",
                              cycles, recorded, 100 * (cycles / recorded - 1), 100 * growth);
  result.group = "performance.baseline: more cycles than recorded";
  return result;
}

}  // namespace

litert::Expected<Baseline> ParseBaseline(const std::string& text, const std::string& file) {
  const Json json = tools::ParseJson(text);
  if (!json.is_object()) return BadJson(file, "is no JSON object");
  if (json.value("baseline", Json()) != kFormatVersion)
    return BadJson(file, "expected \"baseline\": 1");
  Baseline baseline{.file = file};
  if (!json.contains("manufacturer") || !json["manufacturer"].is_string())
    return BadJson(file, "has no manufacturer");
  baseline.manufacturer = json["manufacturer"].get<std::string>();
  if (json.contains("allowed_growth")) {
    const Json& growth = json["allowed_growth"];
    if (!growth.is_number() || growth.get<double>() < 0)
      return BadJson(file, "allowed_growth must be a number, 0 or more");
    baseline.allowed_growth = growth.get<double>();
  }
  if (!json.contains("cycles") || !json["cycles"].is_object())
    return BadJson(file, "has no map of cycles");
  for (const auto& [name, value] : json["cycles"].items()) {
    if (!value.is_number() || !(value.get<double>() > 0))
      return BadJson(file, "cycles of '" + name + "' must be a number above 0");
    baseline.cycles[name] = value.get<double>();
  }
  return baseline;
}

std::string WriteBaseline(const Baseline& baseline) {
  Json json = {{"baseline", kFormatVersion},
               {"manufacturer", baseline.manufacturer},
               {"allowed_growth", baseline.allowed_growth},
               {"cycles", Json::object()}};
  for (const auto& [name, cycles] : baseline.cycles) json["cycles"][name] = cycles;
  return tools::JsonText(json, 1) + "\n";
}

Baseline RecordBaseline(const std::string& manufacturer, double allowed_growth,
                        const std::vector<CaseResult>& results) {
  Baseline baseline;
  baseline.manufacturer = manufacturer;
  baseline.allowed_growth = allowed_growth;
  for (const CaseResult& result : results) {
    const std::optional<double> cycles = CyclesOf(result);
    if (cycles && result.result == Result::kPassed) baseline.cycles[CaseOf(result)] = *cycles;
  }
  return baseline;
}

std::vector<CaseResult> JudgeBaseline(const Baseline& baseline,
                                      const std::vector<CaseResult>& results,
                                      const Claims& claims) {
  std::vector<CaseResult> judged;
  for (const CaseResult& result : results) {
    const std::optional<double> cycles = CyclesOf(result);
    if (!cycles) continue;
    const auto recorded = baseline.cycles.find(CaseOf(result));
    if (recorded == baseline.cycles.end()) continue;
    judged.push_back(Compare(result, *cycles, recorded->second, baseline.allowed_growth));
    MeetExpectation(&claims, judged.back());
  }
  return judged;
}

}  // namespace npukit::conformance

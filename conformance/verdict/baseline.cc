// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/verdict/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "conformance/observation/run_costs.h"
#include "conformance/spec/text/text_file.h"
#include "conformance/verdict/bad_json.h"
#include "conformance/verdict/judge.h"
#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 2;
constexpr int kCyclesOnlyVersion = 1;  // "cycles": a number for each case
constexpr char kCheck[] = "performance.baseline";
constexpr std::string_view kRefused =
    "refused_modules";  // of those that were damaged: more are better
constexpr std::string_view kTracing = "performance.cycles_repeatable";

// Which results tell which numbers. Where a case has several of them, the first that passed tells.
bool Tells(std::string_view check, std::string_view name) {
  if (check == "dispatch.resealed") return name == kRefused;
  if (check != kTracing && check != "numerics.oracle" && check != "model.ahead_of_time")
    return false;
  if (IsDigest(name)) return (name == kTracedMetrics) == (check == kTracing);
  return std::find(std::begin(kRunCostNames), std::end(kRunCostNames), name) !=
         std::end(kRunCostNames);
}

bool IsKnown(std::string_view name) {
  return name == kRefused || Tells(kTracing, name) || Tells("numerics.oracle", name);
}

std::string CaseOf(const CaseResult& result) {
  return result.name.substr(0, result.name.size() - result.check.size() - 1);
}

// What a case's results tell together.
struct Measured {
  std::string suite;
  Costs costs;
  std::vector<std::string> checks;
  void Add(const CaseResult& result) {
    suite = result.suite;
    checks.push_back(result.check);
    for (const auto& [name, value] : result.numbers) {
      if (Tells(result.check, name)) costs.emplace(name, value);
    }
  }
  bool IsTold(std::string_view name) const {
    return std::any_of(checks.begin(), checks.end(),
                       [&](const std::string& check) { return Tells(check, name); });
  }
};

std::map<std::string, Measured> MeasuredCases(const std::vector<CaseResult>& results) {
  std::map<std::string, Measured> cases;
  for (const CaseResult& result : results) {
    const bool measures = Tells(result.check, kRunCostNames[0]) || Tells(result.check, kRefused);
    if (result.result == Result::kPassed && measures) cases[CaseOf(result)].Add(result);
  }
  return cases;
}

// Whether it is as good as what is recorded.
bool IsGood(std::string_view name, double value, double recorded, double growth) {
  if (IsDigest(name)) return true;
  return name == kRefused ? value >= recorded : value <= recorded * (1 + growth);
}

// What is wrong with one number; empty if nothing is.
std::string Problem(const std::string& name, std::optional<double> value, double recorded,
                    const Baseline& baseline) {
  if (!value) return fmt::format("no {} are told, {:.0f} are recorded", name, recorded);
  if (*value == recorded) return {};
  if (!baseline.exact && IsGood(name, *value, recorded, baseline.allowed_growth)) return {};
  if (IsDigest(name)) return "metrics of other names than these are not what is recorded";
  const std::string allowed =
      baseline.exact ? "none" : fmt::format("{:.2f} %", 100 * baseline.allowed_growth);
  return fmt::format("{:.0f} {}, {:.0f} are recorded ({:+.2f} %; {} is allowed)", *value, name,
                     recorded, 100 * (*value / recorded - 1), allowed);
}

CaseResult Compare(const std::string& name_of_case, const Measured& measured, const Costs& recorded,
                   const Baseline& baseline) {
  CaseResult result;
  result.name = name_of_case + "/" + kCheck;
  result.suite = measured.suite;
  result.check = kCheck;
  result.klass = "performance";
  result.result = Result::kPassed;
  for (const auto& [name, before] : recorded) {
    if (!measured.IsTold(name)) continue;
    const auto found = measured.costs.find(name);
    const auto value = found == measured.costs.end() ? std::nullopt : std::optional(found->second);
    const std::string problem = Problem(name, value, before, baseline);
    if (value && (name == kRunCostNames[0] || !problem.empty())) {
      result.numbers.emplace_back(name, *value);
      result.numbers.emplace_back("baseline_" + name, before);
    }
    if (problem.empty()) continue;
    result.detail += (result.detail.empty() ? "" : "; ") + problem;
  }
  if (result.detail.empty()) return result;
  result.result = Result::kFailed;
  result.cause = Cause::kCheck;
  result.group =
      std::string(kCheck) + (baseline.exact ? ": not what is recorded" : ": more than is recorded");
  return result;
}

litert::Expected<Costs> ReadCosts(const Json& json, const std::string& where) {
  if (json.is_number()) return ReadCosts(Json{{kRunCostNames[0], json}}, where);
  if (!json.is_object()) return BadJson(where, "expected a map of numbers");
  Costs costs;
  for (const auto& [name, value] : json.items()) {
    if (!IsKnown(name)) return BadJson(where, "nothing is called '" + name + "'");
    if (!value.is_number() || !(value.get<double>() > 0))
      return BadJson(where, name + " must be a number above 0");
    costs[name] = value.get<double>();
  }
  return costs;
}

}  // namespace

litert::Expected<Baseline> ParseBaseline(const std::string& text, const std::string& file) {
  const Json json = tools::ParseJson(text);
  if (!json.is_object()) return BadJson(file, "is no JSON object");
  const Json version = json.value("baseline", Json());
  if (version != kFormatVersion && version != kCyclesOnlyVersion)
    return BadJson(file, fmt::format("expected \"baseline\": {}", kFormatVersion));
  Baseline baseline{.file = file, .manufacturer = {}, .cases = {}};
  if (!json.contains("manufacturer") || !json["manufacturer"].is_string())
    return BadJson(file, "has no manufacturer");
  baseline.manufacturer = json["manufacturer"].get<std::string>();
  if (json.contains("allowed_growth")) {
    const Json& growth = json["allowed_growth"];
    if (!growth.is_number() || growth.get<double>() < 0)
      return BadJson(file, "allowed_growth must be a number, 0 or more");
    baseline.allowed_growth = growth.get<double>();
  }
  if (json.contains("exact")) {
    if (!json["exact"].is_boolean()) return BadJson(file, "exact must be true or false");
    baseline.exact = json["exact"].get<bool>();
  }
  const char* cases = version == kFormatVersion ? "cases" : "cycles";
  if (!json.contains(cases) || !json[cases].is_object())
    return BadJson(file, fmt::format("has no map of {}", cases));
  for (const auto& [name, value] : json[cases].items()) {
    LITERT_ASSIGN_OR_RETURN(baseline.cases[name],
                            ReadCosts(value, fmt::format("{}: '{}'", file, name)));
  }
  return baseline;
}

litert::Expected<Baseline> LoadBaseline(const std::string& path, const std::string& manufacturer) {
  LITERT_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(path));
  LITERT_ASSIGN_OR_RETURN(Baseline baseline, ParseBaseline(text, path));
  if (baseline.manufacturer != manufacturer) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("{}: is of {}, not of {}", path, baseline.manufacturer, manufacturer));
  }
  return baseline;
}

std::string WriteBaseline(const Baseline& baseline) {
  std::string text = fmt::format(
      "{{\n \"baseline\": {},\n \"manufacturer\": {},\n \"allowed_growth\": {},\n"
      " \"exact\": {},\n \"cases\": {{",
      kFormatVersion, tools::JsonText(baseline.manufacturer), baseline.allowed_growth,
      baseline.exact);
  const char* separator = "\n";
  for (const auto& [name, costs] : baseline.cases) {
    Json numbers = Json::object();
    for (const auto& [cost, value] : costs) numbers[cost] = tools::JsonNumber(value);
    text += fmt::format("{}  {}: {}", separator, tools::JsonText(name), tools::JsonText(numbers));
    separator = ",\n";
  }
  return text + "\n }\n}\n";
}

Baseline RecordBaseline(const std::string& manufacturer, const Baseline& before,
                        const std::vector<CaseResult>& results) {
  Baseline baseline{.file = {},
                    .manufacturer = manufacturer,
                    .allowed_growth = before.allowed_growth,
                    .exact = before.exact,
                    .cases = {}};
  for (auto& [name, measured] : MeasuredCases(results)) {
    if (!measured.costs.empty()) baseline.cases.emplace(name, measured.costs);
  }
  return baseline;
}

std::vector<CaseResult> JudgeBaseline(const Baseline& baseline,
                                      const std::vector<CaseResult>& results,
                                      const Claims& claims) {
  std::vector<CaseResult> judged;
  const std::map<std::string, Measured> measured = MeasuredCases(results);
  for (const auto& [name, recorded] : baseline.cases) {
    const auto found = measured.find(name);
    const auto is_told = [&](const auto& cost) { return found->second.IsTold(cost.first); };
    if (found == measured.end() || std::none_of(recorded.begin(), recorded.end(), is_told))
      continue;
    judged.push_back(Compare(name, found->second, recorded, baseline));
    MeetExpectation(&claims, judged.back());
  }
  return judged;
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/reduce/symptom.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSlowerThan = "slower-than";

struct Unit {
  std::string_view name;
  Symptom::Limit limit;
  double factor;
};
constexpr Unit kUnits[] = {
    {"", Symptom::Limit::kRunMs, 1},      {"ns", Symptom::Limit::kRunMs, 1e-6},
    {"us", Symptom::Limit::kRunMs, 1e-3}, {"ms", Symptom::Limit::kRunMs, 1},
    {"s", Symptom::Limit::kRunMs, 1e3},   {"cycles", Symptom::Limit::kCycles, 1},
};

std::optional<Ending> EndingOf(std::string_view name) {
  const auto found = std::find(std::begin(kEndingNames), std::end(kEndingNames), name);
  if (found == std::end(kEndingNames)) return std::nullopt;
  return static_cast<Ending>(found - std::begin(kEndingNames));
}

litert::Unexpected BadSymptom(std::string_view text) {
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format("--while '{}': expected compile-fails, load-fails, run-fails, differs, crashes, "
                  "hangs, or slower-than with a time (5ms) or a number of cycles (2e6cycles)",
                  text));
}

// "5ms", behind slower-than.
std::optional<Symptom> ParseLimit(std::string_view text) {
  Symptom symptom;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, symptom.amount);
  if (error != std::errc() || !(symptom.amount > 0)) return std::nullopt;
  const std::string_view name(rest, static_cast<size_t>(end - rest));
  for (const Unit& unit : kUnits) {
    if (unit.name != name) continue;
    symptom.limit = unit.limit;
    symptom.amount *= unit.factor;
    return symptom;
  }
  return std::nullopt;
}

}  // namespace

std::string ToText(const Observed& observed) {
  Json json = {{"ending", kEndingNames[static_cast<size_t>(observed.ending)]},
               {"message", observed.message},
               {"signal", observed.signal}};
  if (observed.run_ms) json["run_ms"] = *observed.run_ms;
  if (observed.cycles) json["cycles"] = *observed.cycles;
  return tools::JsonText(json);
}

litert::Expected<Observed> ParseObserved(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto bad = litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "no trial's result");
  if (!json.is_object() || !json.contains("ending") || !json["ending"].is_string()) return bad;
  const std::optional<Ending> ending = EndingOf(json["ending"].get<std::string>());
  if (!ending || !json.contains("message") || !json["message"].is_string()) return bad;
  Observed observed{.ending = *ending, .message = json["message"].get<std::string>()};
  if (json.contains("signal") && json["signal"].is_number_integer())
    observed.signal = json["signal"].get<int>();
  if (json.contains("run_ms") && json["run_ms"].is_number())
    observed.run_ms = json["run_ms"].get<double>();
  if (json.contains("cycles") && json["cycles"].is_number())
    observed.cycles = json["cycles"].get<double>();
  return observed;
}

bool IsOnNpu(Ending ending) {
  return ending != Ending::kNotOnNpu && ending != Ending::kNotLoaded &&
         ending != Ending::kWrongRequest;
}

Observed ObservedIn(const ChildOutcome& outcome) {
  using End = ChildOutcome::End;
  const std::string where = outcome.stage.empty() ? "" : " while " + outcome.stage;
  switch (outcome.end) {
    case End::kReported: {
      auto observed = ParseObserved(outcome.report);
      if (observed) return std::move(*observed);
      return {.ending = Ending::kCrashes, .message = "it sent no valid report"};
    }
    case End::kSignalled: {
      std::string message = SignalName(outcome.signal) + where;
      if (!outcome.stack.empty()) message += "\n" + outcome.stack;
      return {.ending = Ending::kCrashes, .message = std::move(message), .signal = outcome.signal};
    }
    case End::kTimedOut:
      return {.ending = Ending::kHangs,
              .message = fmt::format("not done after {:.0f} s{}", outcome.seconds, where)};
    case End::kExited:
    case End::kForged:
    case End::kNotJudged:
      return {.ending = Ending::kCrashes,
              .message =
                  fmt::format("the process ended with exit code {}{}", outcome.exit_code, where)};
    case End::kOutputLimit:
      return {.ending = Ending::kCrashes, .message = "wrote more than it may" + where};
    case End::kDeviceLost:
      return {.ending = Ending::kRunFails, .message = "device lost" + where};
    case End::kCancelled:
      break;
  }
  // An ending that is nobody's symptom (ParseSymptom).
  return {.ending = Ending::kNotOnNpu, .message = "cancelled"};
}

bool Symptom::IsShownBy(const Observed& observed) const {
  if (observed.message.find(message) == std::string::npos) return false;
  switch (limit) {
    case Limit::kRunMs:
      return observed.run_ms && *observed.run_ms > amount;
    case Limit::kCycles:
      return observed.cycles && *observed.cycles > amount;
    case Limit::kNone:
      break;
  }
  if (ending == Ending::kCrashes && signal && *signal != observed.signal) return false;
  return observed.ending == ending;
}

std::string Symptom::ToString() const {
  switch (limit) {
    case Limit::kRunMs:
      return fmt::format("{} {:g}ms", kSlowerThan, amount);
    case Limit::kCycles:
      return fmt::format("{} {:g}cycles", kSlowerThan, amount);
    case Limit::kNone:
      break;
  }
  return kEndingNames[static_cast<size_t>(ending)];
}

litert::Expected<Symptom> ParseSymptom(std::string_view text) {
  if (text.starts_with(kSlowerThan) && text.size() > kSlowerThan.size() + 1 &&
      std::string_view(" =:").find(text[kSlowerThan.size()]) != std::string_view::npos) {
    if (auto symptom = ParseLimit(text.substr(kSlowerThan.size() + 1))) return *symptom;
    return BadSymptom(text);
  }
  const std::optional<Ending> ending = EndingOf(text);
  if (!ending || *ending == Ending::kFine || !IsOnNpu(*ending)) return BadSymptom(text);
  return Symptom{.ending = *ending};
}

bool BelongsToSymptom(std::string_view value, std::string_view word) {
  if (value.empty()) return word == kSlowerThan;
  return value == kSlowerThan && ParseLimit(word).has_value();
}

}  // namespace npukit::conformance

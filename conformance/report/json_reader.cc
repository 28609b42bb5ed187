// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "conformance/report/json_report.h"
#include "conformance/verdict/bad_json.h"
#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {
namespace {

using Json = nlohmann::ordered_json;

std::string TextOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double NumberOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

// 0 for what counts nothing.
uint64_t CountOf(const Json& json, const char* key) {
  constexpr double kEnd = 9007199254740992;  // 2^53
  const double number = NumberOf(json, key);
  return number >= 0 && number < kEnd ? static_cast<uint64_t>(number) : 0;
}

const Json& Member(const Json& json, const char* key) {
  static const Json kNone;
  const auto found = json.find(key);
  return found != json.end() ? *found : kNone;
}

// The strings of a list; none if it is not there.
std::vector<std::string> TextsOf(const Json& json, const char* name) {
  std::vector<std::string> texts;
  const Json& list = Member(json, name);
  if (!list.is_array()) return texts;
  for (const Json& text : list) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

litert::Expected<CaseResult> ReadCase(const Json& json, const std::string& where) {
  if (!json.is_object()) return BadJson(where, "is no object");
  CaseResult result;
  result.name = TextOf(json, "name");
  if (result.name.empty()) return BadJson(where, "has no name");
  const std::optional<Result> outcome = ResultFromName(TextOf(json, "result"));
  if (!outcome) return BadJson(where, "has no known result: '" + TextOf(json, "result") + "'");
  result.result = *outcome;
  result.suite = TextOf(json, "suite");
  result.check = TextOf(json, "check");
  result.klass = TextOf(json, "class");
  result.detail = TextOf(json, "detail");
  result.group = TextOf(json, "group");
  result.stage = TextOf(json, "stage");
  result.stack = TextOf(json, "stack");
  result.output = TextOf(json, "output");
  if (const std::string cause = TextOf(json, "cause"); !cause.empty())
    result.cause = CauseFromName(cause).value_or(Cause::kUnknown);
  result.seconds = NumberOf(json, "seconds");
  result.peak_memory_bytes = CountOf(json, "peak_memory_bytes");
  if (const Json& numbers = Member(json, "numbers"); numbers.is_object()) {
    for (const auto& [name, value] : numbers.items()) {
      if (value.is_number()) result.numbers.emplace_back(name, value.get<double>());
    }
  }
  result.exercised = TextsOf(json, "exercised");
  result.asked = TextsOf(json, "asked");
  result.outside_claims = TextsOf(json, "outside_claims");
  return result;
}

std::vector<ClaimSummary::Entry> ReadEntries(const Json& json) {
  std::vector<ClaimSummary::Entry> entries;
  if (!json.is_array()) return entries;
  for (const Json& entry : json) {
    if (entry.is_object()) entries.push_back({TextOf(entry, "text"), TextOf(entry, "at")});
  }
  return entries;
}

litert::Expected<void> ReadShard(const Json& json, const std::string& file, RunInfo& info) {
  const Json& shard = Member(json, "shard");
  if (!shard.is_object()) return BadJson(file, "has no shard");
  const double index = NumberOf(shard, "index");
  const double count = NumberOf(shard, "count");
  if (!(count >= 1 && count <= 1e6 && index >= 0 && index < count))
    return BadJson(file, "shard: expected 0 <= index < count");
  info.shard_index = static_cast<int>(index);
  info.shard_count = static_cast<int>(count);
  return {};
}

// What the run was of and how it was asked for.
void ReadRun(const Json& json, RunInfo& info) {
  info.kit_version = TextOf(json, "kit_version");
  info.manufacturer = TextOf(json, "manufacturer");
  info.plugin = TextOf(json, "plugin");
  info.dispatch = TextOf(json, "dispatch");
  info.claims = TextOf(json, "claims");
  info.specs = TextsOf(json, "specs");
  info.filter = TextOf(json, "filter");
  info.profile = TextOf(json, "profile");
  info.waivers = TextOf(json, "waivers");
  info.baseline = TextOf(json, "baseline");
  info.command = TextOf(json, "command");
  info.seconds = NumberOf(json, "seconds");
  if (const Json& seed = Member(json, "seed"); seed.is_number_unsigned())
    info.seed = seed.get<uint64_t>();
  if (const Json& interrupted = Member(json, "interrupted"); interrupted.is_boolean())
    info.interrupted = interrupted.get<bool>();
  info.isolation_gaps = TextsOf(json, "isolation_gaps");
  info.suites = TextsOf(json, "suites");
}

void ReadDigests(const Json& json, RunInfo& info) {
  const Json& digests = Member(json, "digests");
  if (!digests.is_object()) return;
  info.plugin_digest = TextOf(digests, "plugin");
  info.dispatch_digest = TextOf(digests, "dispatch");
  info.claims_digest = TextOf(digests, "claims");
  info.suites_digest = TextOf(digests, "suites");
  info.waivers_digest = TextOf(digests, "waivers");
  info.baseline_digest = TextOf(digests, "baseline");
  info.kit_digest = TextOf(digests, "kit");
  info.host_digest = TextOf(digests, "host");
}

void ReadProfileAsks(const Json& json, RunInfo& info) {
  const Json& asks = Member(json, "profile_asks");
  if (!asks.is_object()) return;
  for (const auto& [title, asked] : asks.items()) {
    const Json& results = Member(asked, "results");
    info.profile_asks[title] = {.results = results.is_number_unsigned() ? results.get<size_t>() : 0,
                                .digest = TextOf(asked, "digest")};
  }
}

void ReadClaimed(const Json& json, ClaimSummary& summary) {
  const Json& claimed = Member(json, "claimed");
  if (!claimed.is_object()) return;
  summary.ops = ReadEntries(Member(claimed, "ops"));
  summary.option_values = ReadEntries(Member(claimed, "option_values"));
  summary.expected_failures = ReadEntries(Member(claimed, "expected_failures"));
  summary.profiles = ReadEntries(Member(claimed, "profiles"));
  summary.waivers = ReadEntries(Member(claimed, "waivers"));
}

}  // namespace

litert::Expected<RunRecord> ReadJsonReport(const std::string& text, const std::string& file) {
  const Json json = tools::ParseJson(text);
  if (!json.is_object()) return BadJson(file, "is no results.json");
  if (NumberOf(json, "schema") != kResultsSchema) return BadJson(file, "expected \"schema\": 1");
  RunRecord record;
  RunInfo& info = record.info;
  ReadRun(json, info);
  LITERT_RETURN_IF_ERROR(ReadShard(json, file, info));
  ReadDigests(json, info);
  ReadProfileAsks(json, info);
  ReadClaimed(json, info.claim_summary);
  if (const Json& reproductions = Member(json, "reproductions"); reproductions.is_object()) {
    for (const auto& [name, where] : reproductions.items()) {
      if (where.is_string()) info.reproductions[name] = where.get<std::string>();
    }
  }
  const Json& cases = Member(json, "cases");
  if (!cases.is_array()) return BadJson(file, "has no list of cases");
  for (size_t i = 0; i < cases.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(CaseResult result,
                            ReadCase(cases[i], fmt::format("{}: case {}", file, i)));
    record.results.push_back(std::move(result));
  }
  return record;
}

}  // namespace npukit::conformance

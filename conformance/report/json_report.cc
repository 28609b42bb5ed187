// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/report/json_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {
namespace {

using Json = nlohmann::ordered_json;

double Rounded(double seconds) { return std::round(seconds * 1e4) / 1e4; }

Json CaseJson(const CaseResult& result) {
  Json json = {{"name", result.name},
               {"class", result.klass},
               {"result", std::string(ResultName(result.result))},
               {"detail", result.detail},
               {"suite", result.suite},
               {"check", result.check},
               {"seconds", Rounded(result.seconds)},
               {"peak_memory_bytes", result.peak_memory_bytes}};
  if (result.cause != Cause::kNone) json["cause"] = std::string(CauseName(result.cause));
  if (!result.group.empty()) json["group"] = result.group;
  if (!result.stage.empty()) json["stage"] = result.stage;
  if (!result.stack.empty()) json["stack"] = result.stack;
  if (!result.output.empty()) json["output"] = result.output;
  if (!result.exercised.empty()) json["exercised"] = result.exercised;
  if (!result.asked.empty()) json["asked"] = result.asked;
  if (!result.outside_claims.empty()) json["outside_claims"] = result.outside_claims;
  if (!result.numbers.empty()) {
    Json numbers = Json::object();
    for (const auto& [name, value] : result.numbers) numbers[name] = value;
    json["numbers"] = numbers;
  }
  return json;
}

Json EntriesJson(const std::vector<ClaimSummary::Entry>& entries) {
  Json json = Json::array();
  for (const ClaimSummary::Entry& entry : entries)
    json.push_back({{"text", entry.text}, {"at", entry.at}});
  return json;
}

Json ProfileAsksJson(const std::map<std::string, ProfileAsks>& asks) {
  Json json = Json::object();
  for (const auto& [title, asked] : asks)
    json[title] = {{"results", asked.results}, {"digest", asked.digest}};
  return json;
}

Json ProfilesJson(const std::vector<ProfileVerdict>& profiles) {
  Json json = Json::array();
  for (const ProfileVerdict& profile : profiles) {
    json.push_back({{"name", profile.name},
                    {"version", profile.version},
                    {"digest", profile.digest},
                    {"verdict", std::string(ProfileStateName(profile.state))},
                    {"asked", profile.asked},
                    {"present", profile.present},
                    {"passed", profile.passed},
                    {"waived", profile.waived},
                    {"reasons", profile.reasons}});
  }
  return json;
}

Json ChangesJson(const std::vector<Change>& changes) {
  Json json = Json::array();
  for (const Change& change : changes) {
    json.push_back({{"change", std::string(ChangeName(change.kind))},
                    {"name", change.name},
                    {"detail", change.detail}});
  }
  return json;
}

}  // namespace

std::string JsonReport(const RunInfo& info, const std::vector<CaseResult>& results) {
  const Summary summary = Summarize(results);
  Json json = {{"schema", kResultsSchema},
               {"verdict", std::string(Verdict(summary))},
               {"summary",
                {{"passed", summary.passed},
                 {"failed", summary.failed},
                 {"skipped", summary.skipped},
                 {"expected_failures", summary.expected_failures},
                 {"waived", summary.waived},
                 {"not_run", summary.not_run},
                 {"rounded_once", summary.rounded_once}}},
               {"kit_version", info.kit_version},
               {"manufacturer", info.manufacturer},
               {"plugin", info.plugin},
               {"dispatch", info.dispatch},
               {"claims", info.claims},
               {"suites", info.suites},
               {"specs", info.specs},
               {"filter", info.filter},
               {"profile", info.profile},
               {"waivers", info.waivers},
               {"baseline", info.baseline},
               {"shard", {{"index", info.shard_index}, {"count", info.shard_count}}},
               {"seed", info.seed},
               {"seconds", Rounded(info.seconds)},
               {"interrupted", info.interrupted},
               {"isolation_gaps", info.isolation_gaps},
               {"command", info.command},
               {"profiles", ProfilesJson(info.profiles)},
               {"profile_asks", ProfileAsksJson(info.profile_asks)},
               {"digests",
                {{"plugin", info.plugin_digest},
                 {"dispatch", info.dispatch_digest},
                 {"claims", info.claims_digest},
                 {"suites", info.suites_digest},
                 {"waivers", info.waivers_digest},
                 {"baseline", info.baseline_digest},
                 {"kit", info.kit_digest},
                 {"host", info.host_digest}}},
               {"claimed",
                {{"ops", EntriesJson(info.claim_summary.ops)},
                 {"option_values", EntriesJson(info.claim_summary.option_values)},
                 {"expected_failures", EntriesJson(info.claim_summary.expected_failures)},
                 {"profiles", EntriesJson(info.claim_summary.profiles)},
                 {"waivers", EntriesJson(info.claim_summary.waivers)}}},
               {"cases", Json::array()}};
  if (!info.compared_with.empty()) {
    json["compared_with"] = info.compared_with;
    json["changes"] = ChangesJson(info.changes);
  }
  if (!info.reproductions.empty()) json["reproductions"] = info.reproductions;
  for (const CaseResult& result : results) json["cases"].push_back(CaseJson(result));
  return tools::JsonText(json, 1) + "\n";
}

}  // namespace npukit::conformance

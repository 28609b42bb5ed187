// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The results of a run's shards to one report. Shards that did not judge the same thing by the same
// rules are refused: a verdict over them would hold for no plugin.

#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "conformance/runner/command_line.h"
#include "conformance/runner/judge_whole.h"
#include "conformance/runner/report_files.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

struct Loaded {
  std::string path;
  RunRecord record;
};

litert::Unexpected Refused(const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, message);
}

std::string Joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string Digests(const std::map<std::string, ProfileAsks>& asks) {
  std::vector<std::string> texts;
  for (const auto& [title, asked] : asks) texts.push_back(title + " " + asked.digest);
  return Joined(texts);
}

// What must be the same in all shards, by name.
std::vector<std::pair<std::string, std::string>> Identity(const RunInfo& info) {
  return {{"kit version", info.kit_version},
          {"manufacturer", info.manufacturer},
          {"digest of the compiler plugin", info.plugin_digest},
          {"digest of the dispatch library", info.dispatch_digest},
          {"digest of the claims", info.claims_digest},
          {"digest of the suites", info.suites_digest},
          {"digest of the waivers", info.waivers_digest},
          {"digests of the profiles", Digests(info.profile_asks)},
          {"suites", Joined(info.suites)},
          {"compile specs", Joined(info.specs)},
          {"filter", info.filter},
          {"profile", info.profile},
          {"seed", fmt::format("{}", info.seed)},
          {"number of shards", fmt::format("{}", info.shard_count)}};
}

litert::Expected<void> CheckSame(const Loaded& first, const Loaded& other) {
  const auto wanted = Identity(first.record.info);
  const auto found = Identity(other.record.info);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].second == found[i].second) continue;
    return Refused("can't merge: the " + wanted[i].first + " is '" + wanted[i].second + "' in " +
                   first.path + ", '" + found[i].second + "' in " + other.path);
  }
  return {};
}

litert::Expected<std::vector<Loaded>> LoadShards(const std::vector<std::string>& paths) {
  std::vector<Loaded> shards;
  for (const std::string& path : paths) {
    LITERT_ASSIGN_OR_RETURN(RunRecord record, LoadResults(path));
    shards.push_back({path, std::move(record)});
    LITERT_RETURN_IF_ERROR(CheckSame(shards.front(), shards.back()));
  }
  std::stable_sort(shards.begin(), shards.end(), [](const Loaded& a, const Loaded& b) {
    return a.record.info.shard_index < b.record.info.shard_index;
  });
  for (size_t i = 1; i < shards.size(); ++i) {
    if (shards[i].record.info.shard_index != shards[i - 1].record.info.shard_index) continue;
    return Refused(fmt::format("can't merge: {} and {} are both shard {}", shards[i - 1].path,
                               shards[i].path, shards[i].record.info.shard_index));
  }
  return shards;
}

CaseResult MissingShard(int index, int count) {
  CaseResult result;
  result.suite = "shards";
  result.name = fmt::format("shards/{}_of_{}", index, count);
  result.klass = "shards";
  result.check = "shards.present";
  result.detail = "this shard's results were not given";
  return result;
}

void AddOnce(const std::string& gap, RunInfo& info) {
  auto& gaps = info.isolation_gaps;
  if (std::find(gaps.begin(), gaps.end(), gap) == gaps.end()) gaps.push_back(gap);
}

// One run of all shards' results, in the order of the plan: result k of the plan is number
// k / count of shard k % count.
RunRecord Join(std::vector<Loaded>& shards) {
  RunRecord joined;
  joined.info = shards.front().record.info;
  joined.info.seconds = 0;
  joined.info.shard_index = 0;
  const auto count = static_cast<size_t>(joined.info.shard_count);
  joined.info.shard_count = 1;
  std::vector<std::vector<CaseResult>*> by_index(count, nullptr);
  size_t longest = 0;
  for (Loaded& shard : shards) {
    joined.info.seconds += shard.record.info.seconds;
    joined.info.interrupted = joined.info.interrupted || shard.record.info.interrupted;
    for (const std::string& gap : shard.record.info.isolation_gaps) AddOnce(gap, joined.info);
    joined.info.reproductions.merge(shard.record.info.reproductions);
    by_index[static_cast<size_t>(shard.record.info.shard_index)] = &shard.record.results;
    longest = std::max(longest, shard.record.results.size());
  }
  for (size_t row = 0; row < longest; ++row) {
    for (std::vector<CaseResult>* results : by_index) {
      if (results != nullptr && row < results->size())
        joined.results.push_back(std::move((*results)[row]));
    }
  }
  for (size_t index = 0; index < count; ++index) {
    if (by_index[index] == nullptr)
      joined.results.push_back(MissingShard(static_cast<int>(index), static_cast<int>(count)));
  }
  return joined;
}

litert::Expected<void> CheckUnique(const std::vector<CaseResult>& results) {
  std::set<std::string> names;
  for (const CaseResult& result : results) {
    if (!names.insert(result.name).second)
      return Refused("can't merge: " + result.name + " stands in two shards");
  }
  return {};
}

}  // namespace

int RunMerge(const MergeArguments& arguments) {
  auto shards = LoadShards(arguments.results);
  if (!shards) return ReportError(kExitUsage, shards.Error().Message());
  const bool complete =
      shards->size() == static_cast<size_t>(shards->front().record.info.shard_count);
  const auto before = LoadOlderRun(arguments.compare);
  if (!before) return ReportError(kExitUsage, before.Error().Message());
  RunRecord joined = Join(*shards);
  if (auto unique = CheckUnique(joined.results); !unique)
    return ReportError(kExitUsage, unique.Error().Message());
  if (auto comparable = CheckComparable(*before, joined.info); !comparable)
    return ReportError(kExitUsage, comparable.Error().Message());
  if (auto judged = JudgeWhole(joined.info, joined.results, complete); !judged)
    return ReportError(kExitUsage, judged.Error().Message());
  CompareWith(*before, joined.info, joined.results);
  return FinishRun(arguments.report_dir, arguments.json, joined.info, joined.results);
}

}  // namespace npukit::conformance

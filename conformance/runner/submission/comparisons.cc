// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "conformance/observation/sha256.h"
#include "conformance/report/terminal_report.h"
#include "conformance/runner/report_files.h"
#include "conformance/runner/submission/examination.h"
#include "conformance/spec/text/text_file.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/library/plugin_search.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {

using Json = nlohmann::ordered_json;

void CompareIdentity(const Submission& submission, const Examined& examined, Problems& problems) {
  const RunInfo& info = examined.record.info;
  const auto differ = [&](const char* what, const std::string& said, const std::string& found) {
    if (said != found)
      problems.Add(fmt::format("the {} is '{:.80}', expected '{}'", what, said, found));
  };
  differ("manufacturer of the manifest", submission.manifest.manufacturer, info.manufacturer);
  differ("manufacturer", info.manufacturer, examined.under_test.claims.manufacturer);
  differ("kit version of the manifest", submission.manifest.kit_version, info.kit_version);
  const auto digests = DigestsOf(info);
  for (const auto& [name, digest] : digests) {
    const auto said = submission.manifest.digests.find(name);
    differ(("digest of the " + name + " in the manifest").c_str(),
           said == submission.manifest.digests.end() ? "" : said->second, digest);
  }
  const auto digest_of = [&](const char* name) {
    const std::string_view text = submission.File(name);
    return text.empty() ? std::string() : Sha256(text);
  };
  differ("digest of the claims", info.claims_digest, digest_of(kClaimsName));
  differ("digest of the waivers", info.waivers_digest, digest_of(kWaiversName));
  differ("digest of the baseline", info.baseline_digest, digest_of(kBaselineName));
  differ("digest of the suites", info.suites_digest, SuitesDigest(examined.request->suites));
  if (info.shard_count != 1 || !info.filter.empty() || !info.specs.empty() || info.interrupted)
    problems.Add("the results are not of a whole run");
}

void CompareNames(const Examined& examined, Problems& problems) {
  const std::vector<PlannedCheck>& plan = examined.request->plan;
  const std::vector<CaseResult>& results = examined.record.results;
  for (size_t i = 0; i < plan.size(); ++i) {
    const ResultId& id = plan[i].id;
    if (i >= results.size()) {
      problems.Add("missing: " + id.name);
      return;
    }
    if (results[i].name != id.name) {
      problems.Add(
          fmt::format("result {} is '{:.200}', expected '{}'", i, results[i].name, id.name));
      return;
    }
    if (results[i].check != id.check->id || results[i].klass != id.check->klass ||
        results[i].suite != id.suite)
      problems.Add(id.name + ": its check, class or suite is not what its name says");
  }
}

void CompareWhole(const Submission& submission, const Examined& examined, const RunRecord& whole,
                  Problems& problems) {
  const auto& said = examined.record.results;
  for (size_t i = 0; i < std::max(said.size(), whole.results.size()); ++i) {
    if (i >= said.size()) {
      problems.Add("missing: " + whole.results[i].name);
    } else if (i >= whole.results.size() || said[i].name != whole.results[i].name) {
      problems.Add(fmt::format("surplus, or in another's place: '{:.200}'", said[i].name));
      break;
    } else if (said[i].result != whole.results[i].result) {
      problems.Add(fmt::format("{}: said to be {}, is {}: {:.300}", said[i].name,
                               ResultName(said[i].result), ResultName(whole.results[i].result),
                               whole.results[i].detail));
    }
  }
  const Json then = tools::ParseJson(submission.File(kResultsName));
  const Json now = tools::ParseJson(JsonReport(whole.info, whole.results));
  for (const char* part : {"verdict", "summary", "profile_asks"}) {
    if (!then.contains(part) || then[part] != now[part])
      problems.Add(fmt::format("its {} is not what follows from its results", part));
  }
  for (const Json& profile : now["profiles"]) {
    const auto& list = then.contains("profiles") ? then["profiles"] : Json::array();
    const bool is_same = std::any_of(list.begin(), list.end(), [&](const Json& other) {
      return other.is_object() && other.value("name", "") == profile["name"] &&
             other.value("digest", "") == profile["digest"] &&
             other.value("verdict", "") == profile["verdict"];
    });
    if (!is_same)
      problems.Add(fmt::format("its verdict on {} is not what follows from its results",
                               profile["name"].get<std::string>()));
  }
  if (submission.File(kLogName) != TerminalReport(examined.record.info, said))
    problems.Add(fmt::format("{} is not the log of its results", kLogName));
}

litert::Expected<void> ComparePlugin(const std::string& folder, const RunInfo& info,
                                     Problems& problems) {
  LITERT_ASSIGN_OR_RETURN(const PluginFiles files, FindPluginFiles(folder));
  const auto has = [](const std::vector<std::string>& paths, const std::string& digest) {
    return std::any_of(paths.begin(), paths.end(),
                       [&](const std::string& path) { return FileDigest(path) == digest; });
  };
  if (!has(files.compiler_plugins, info.plugin_digest))
    problems.Add(folder + ": has not the compiler plugin that was judged");
  if (!info.dispatch_digest.empty() && !has(files.dispatch, info.dispatch_digest))
    problems.Add(folder + ": has not the dispatch library that was judged");
  return {};
}

litert::Expected<void> CompareWaivers(const std::string& path, const Submission& submission,
                                      Problems& problems) {
  const std::string_view handed_in = submission.File(kWaiversName);
  if (path.empty()) {
    if (!handed_in.empty())
      problems.Add("it brings waivers: --waivers FILE says which were granted");
    return {};
  }
  LITERT_ASSIGN_OR_RETURN(const std::string granted, ReadTextFile(path));
  if (handed_in != granted) problems.Add(path + ": its waivers are others than these");
  return {};
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/submission/examination.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "conformance/runner/command_line.h"
#include "conformance/runner/judge_whole.h"
#include "conformance/runner/suite_search.h"
#include "conformance/spec/text/value_parser.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/tools/command_line/version.h"

namespace npukit::conformance {
namespace {

std::string Text(std::string_view view) { return std::string(view); }

litert::Unexpected Refused(const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, message);
}

// The arguments of the run, as far as they decide what it asks. Suites are this installation's.
litert::Expected<ConformArguments> ArgumentsOf(const RunInfo& info) {
  ConformArguments arguments;
  arguments.seed = info.seed;
  arguments.profile = info.profile;
  // A plugin that was no file is a device's.
  arguments.compile_on_device = !LinkedName(info.plugin).empty();
  if (!info.profile.empty() || IsUnrestricted(info)) return arguments;
  std::vector<std::string> known = SuiteNames(SuiteFolder());
  known.emplace_back("claimed");
  for (const std::string& name : info.suites) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return Refused(fmt::format("this kit has no suite '{:.100}'", name));
    arguments.suites.push_back(name);
  }
  return arguments;
}

litert::Expected<void> ReadPlan(Examined& examined) {
  LITERT_ASSIGN_OR_RETURN(const ConformArguments arguments, ArgumentsOf(examined.record.info));
  LITERT_ASSIGN_OR_RETURN(examined.request, ReadRequest(arguments));
  // A run is whole, whatever this process's environment says of shards.
  examined.request->shard = {};
  LITERT_RETURN_IF_ERROR(AddClaimedSuite(arguments, examined.under_test, examined.request->suites));
  return MakePlan(arguments, *examined.request);
}

}  // namespace

std::vector<std::string> Problems::texts() const {
  std::vector<std::string> all = texts_;
  if (count_ > kMost) all.push_back(fmt::format("and {} more", count_ - kMost));
  return all;
}

litert::Expected<Examined> Examine(const Submission& submission) {
  Examined examined;
  LITERT_ASSIGN_OR_RETURN(examined.record,
                          ReadJsonReport(Text(submission.File(kResultsName)), kResultsName));
  const RunInfo& info = examined.record.info;
  if (info.kit_version != tools::Version()) {
    return Refused(
        fmt::format("was made by kit {:.40}, this is {}", info.kit_version, tools::Version()));
  }
  LITERT_ASSIGN_OR_RETURN(const Value claims,
                          ParseValue(submission.File(kClaimsName), kClaimsName));
  LITERT_ASSIGN_OR_RETURN(examined.under_test.claims, ReadClaims(claims));
  examined.under_test.manufacturer = info.manufacturer;
  examined.under_test.seed = info.seed;
  if (const std::string_view text = submission.File(kWaiversName); !text.empty()) {
    LITERT_ASSIGN_OR_RETURN(const Value value, ParseValue(text, kWaiversName));
    LITERT_ASSIGN_OR_RETURN(examined.waivers, ReadWaivers(value, Today()));
    LITERT_RETURN_IF_ERROR(CheckWaivers(*examined.waivers, examined.under_test.claims));
  }
  if (const std::string_view text = submission.File(kBaselineName); !text.empty()) {
    LITERT_ASSIGN_OR_RETURN(examined.baseline, ParseBaseline(Text(text), kBaselineName));
  }
  LITERT_ASSIGN_OR_RETURN(examined.observations,
                          ObservationReader::Of(submission.File(kObservationFile)));
  LITERT_RETURN_IF_ERROR(ReadPlan(examined));
  return examined;
}

}  // namespace npukit::conformance

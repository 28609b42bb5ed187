// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// From a run's report folder to the archive that a vendor hands in.

#include <fmt/format.h>
#include <sys/utsname.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/observation/observation_file.h"
#include "conformance/observation/sha256.h"
#include "conformance/report/terminal_report.h"
#include "conformance/runner/command_line.h"
#include "conformance/runner/report_files.h"
#include "conformance/runner/submission/submission.h"
#include "conformance/spec/claims/waivers.h"
#include "conformance/spec/suite/suite.h"
#include "conformance/spec/text/text_file.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

litert::Unexpected Refused(const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, message);
}

// Why no verdict over the run could be made again elsewhere; empty if one can.
std::string WhyNotWhole(const RunInfo& info) {
  if (info.interrupted) return "the run was interrupted";
  if (info.shard_count != 1) return "it is a shard of a run";
  if (!info.filter.empty()) return "the run had a --filter";
  if (!info.specs.empty()) return "the run had compile specs";
  for (const std::string& suite : info.suites) {
    if (suite == kModelSuite) return "the run had a --model, which is not handed in";
  }
  return {};
}

// A file that took part in the run, as it was then.
litert::Expected<std::string> ReadUnchanged(const std::string& path, const std::string& digest) {
  LITERT_ASSIGN_OR_RETURN(std::string text, ReadTextFile(path));
  if (Sha256(text) != digest) return Refused(path + ": was changed since the run");
  return text;
}

litert::Expected<void> CheckUnchanged(const RunInfo& info) {
  for (const auto& [path, digest] : {std::pair(info.plugin, info.plugin_digest),
                                     std::pair(info.dispatch, info.dispatch_digest)}) {
    std::error_code error;
    // The dispatch library of a device is not here.
    if (!std::filesystem::exists(path, error)) continue;
    if (FileDigest(path) != digest) return Refused(path + ": was changed since the run");
  }
  return {};
}

std::string SystemText() {
  utsname system = {};
  if (uname(&system) != 0) return {};
  return fmt::format("{} {} {}", system.sysname, system.release, system.machine);
}

struct Parts {
  std::string claims, results, log, observations, waivers, baseline;
  std::vector<TarEntry> entries() const {
    std::vector<TarEntry> all = {{kClaimsName, claims},
                                 {kResultsName, results},
                                 {kLogName, log},
                                 {kObservationFile, observations}};
    if (!waivers.empty()) all.push_back({kWaiversName, waivers});
    if (!baseline.empty()) all.push_back({kBaselineName, baseline});
    return all;
  }
};

litert::Expected<Parts> ReadParts(const std::string& folder, const RunRecord& record) {
  const RunInfo& info = record.info;
  Parts parts;
  LITERT_ASSIGN_OR_RETURN(parts.results, ReadTextFile(folder + "/" + kResultsName));
  LITERT_ASSIGN_OR_RETURN(parts.claims, ReadUnchanged(info.claims, info.claims_digest));
  parts.log = TerminalReport(info, record.results);
  auto observations = ReadTextFile(folder + "/" + kObservationFile);
  if (!observations) {
    return Refused(fmt::format("{}: the run was without --observations: {}", folder,
                               observations.Error().Message()));
  }
  parts.observations = std::move(*observations);
  if (!info.waivers.empty()) {
    LITERT_ASSIGN_OR_RETURN(parts.waivers, ReadUnchanged(info.waivers, info.waivers_digest));
  }
  if (!info.baseline.empty()) {
    LITERT_ASSIGN_OR_RETURN(parts.baseline, ReadUnchanged(info.baseline, info.baseline_digest));
  }
  return parts;
}

litert::Expected<std::string> Package(const PackageArguments& arguments) {
  LITERT_ASSIGN_OR_RETURN(const RunRecord record, LoadResults(arguments.report_dir));
  const RunInfo& info = record.info;
  if (const std::string why = WhyNotWhole(info); !why.empty())
    return Refused(fmt::format("{}: can't be handed in: {}", arguments.report_dir, why));
  LITERT_RETURN_IF_ERROR(CheckUnchanged(info));
  LITERT_ASSIGN_OR_RETURN(const Parts parts, ReadParts(arguments.report_dir, record));
  Manifest manifest;
  manifest.kit_version = info.kit_version;
  manifest.manufacturer = info.manufacturer;
  manifest.made = Today();
  manifest.system = SystemText();
  manifest.digests = DigestsOf(info);
  LITERT_RETURN_IF_ERROR(WriteSubmission(arguments.output, std::move(manifest), parts.entries()));
  return fmt::format("{}: {}, {} results, {:.1f} MB of observations", arguments.output,
                     Verdict(Summarize(record.results)), record.results.size(),
                     static_cast<double>(parts.observations.size()) / 1e6);
}

}  // namespace

int RunPackage(const PackageArguments& arguments) {
  const auto packed = Package(arguments);
  if (!packed) return ReportError(kExitUsage, packed.Error().Message());
  fmt::print("{}\n", *packed);
  return kExitConformant;
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Writes the lists of results that new versions of profiles stand for.

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "conformance/runner/command_line.h"
#include "conformance/runner/report_files.h"
#include "conformance/runner/suite_search.h"
#include "conformance/spec/suite/frozen_profile.h"
#include "conformance/spec/text/text_file.h"
#include "conformance/spec/text/value_parser.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

// A list that is there already stays what it is: results were judged by it.
litert::Expected<void> Freeze(const std::string& path, const std::vector<Suite>& suites) {
  LITERT_ASSIGN_OR_RETURN(const Value value, ParseValueFile(path));
  LITERT_ASSIGN_OR_RETURN(Profile profile, ReadProfile(value));
  const std::string frozen = FrozenPath(profile, path);
  std::error_code error;
  if (std::filesystem::exists(frozen, error)) {
    fmt::print("{}: frozen already\n", profile.title());
    return {};
  }
  const std::string text = FreezeProfile(profile, suites);
  // Reads it back, so that a profile that asks nothing is never written.
  LITERT_RETURN_IF_ERROR(ReadFrozen(text, frozen, profile));
  LITERT_RETURN_IF_ERROR(WriteTextFile(frozen, text));
  fmt::print("{}: {} results, digest {}, in {}\n", profile.title(), profile.results.size(),
             profile.digest, frozen);
  return {};
}

litert::Expected<void> FreezeAll(const std::string& folder) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<Suite> suites, LoadDefaultSuites());
  const std::vector<std::string> names = SuiteNames(folder);
  if (names.empty())
    return litert::Unexpected(kLiteRtStatusErrorNotFound, fmt::format("no profiles in {}", folder));
  for (const std::string& name : names)
    LITERT_RETURN_IF_ERROR(Freeze(fmt::format("{}/{}.yaml", folder, name), suites));
  return {};
}

}  // namespace

int RunFreeze(const FreezeArguments& arguments) {
  const auto frozen = FreezeAll(arguments.folder);
  return frozen ? kExitConformant : ReportError(kExitUsage, frozen.Error().Message());
}

}  // namespace npukit::conformance

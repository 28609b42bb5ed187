// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/report_files.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "conformance/observation/observation_file.h"
#include "conformance/observation/sha256.h"
#include "conformance/report/html_report.h"
#include "conformance/report/junit_report.h"
#include "conformance/report/terminal_report.h"
#include "conformance/runner/command_line.h"
#include "conformance/spec/text/text_file.h"
#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/terminal.h"

namespace npukit::conformance {
namespace {

constexpr const char* kReportNames[] = {"results.json", "junit.xml", "index.html",
                                        kObservationFile};

// Under another name first, so that no reader sees a part of it.
litert::Expected<void> WriteWholeFile(const std::string& path, const std::string& text) {
  const std::string part = path + ".part";
  LITERT_RETURN_IF_ERROR(WriteTextFile(part, text));
  std::error_code error;
  std::filesystem::rename(part, path, error);
  if (!error) return {};
  return litert::Unexpected(kLiteRtStatusErrorFileIO, fmt::format("{}: {}", path, error.message()));
}

// The verdict's line stands behind an empty one and begins with whose it is.
std::string WithColours(const std::string& report, const RunInfo& info, bool is_conformant) {
  const size_t before = report.rfind(fmt::format("\n\n{}: ", info.manufacturer));
  if (before == std::string::npos) return report;
  const size_t begin = before + 2;
  const size_t end = report.find('\n', begin);
  const tools::Colour colour = is_conformant ? tools::Colour::kGreen : tools::Colour::kRed;
  return report.substr(0, begin) +
         tools::Coloured(stdout, colour, report.substr(begin, end - begin)) + report.substr(end);
}

}  // namespace

std::string FileDigest(const std::string& path) {
  const auto text = ReadTextFile(path);
  return text ? Sha256(*text) : std::string();
}

litert::Expected<RunRecord> LoadResults(const std::string& path) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  const std::string file = folder ? (std::filesystem::path(path) / "results.json").string() : path;
  LITERT_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(file));
  return ReadJsonReport(text, file);
}

litert::Expected<void> RemoveReports(const std::string& folder) {
  for (const char* name : kReportNames) {
    std::error_code error;
    const std::filesystem::path file = std::filesystem::path(folder) / name;
    std::filesystem::remove(file, error);
    if (error)
      return litert::Unexpected(kLiteRtStatusErrorFileIO,
                                fmt::format("{}: {}", file.string(), error.message()));
  }
  return {};
}

litert::Expected<void> WriteReports(const std::string& folder, const RunInfo& info,
                                    const std::vector<CaseResult>& results) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return litert::Unexpected(kLiteRtStatusErrorFileIO, folder + ": " + error.message());
  LITERT_RETURN_IF_ERROR(WriteWholeFile(folder + "/junit.xml", JunitReport(info, results)));
  LITERT_RETURN_IF_ERROR(WriteWholeFile(folder + "/index.html", HtmlReport(info, results)));
  return WriteWholeFile(folder + "/results.json", JsonReport(info, results));
}

int ReportError(int code, const std::string& message) {
  fmt::print(stderr, "{} {}\n", tools::Coloured(stderr, tools::Colour::kRed, "npukit conform:"),
             message);
  return code;
}

int FinishRun(const std::string& report_dir, bool json, const RunInfo& info,
              const std::vector<CaseResult>& results) {
  if (!report_dir.empty()) {
    if (auto written = WriteReports(report_dir, info, results); !written)
      return ReportError(kExitUsage, written.Error().Message());
  }
  const bool is_conformant = Verdict(Summarize(results)) == "conformant";
  fmt::print("{}", json ? JsonReport(info, results)
                        : WithColours(TerminalReport(info, results), info, is_conformant));
  std::fflush(stdout);
  if (!is_conformant) return kExitNotConformant;
  // One shard does not decide on a profile.
  const bool is_whole = info.shard_count == 1;
  if (is_whole && !info.profile.empty() && ConformantTo(info.profiles).empty())
    return kExitNotConformant;
  return kExitConformant;
}

}  // namespace npukit::conformance

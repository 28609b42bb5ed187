// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a vendor hands in: an archive (tar_archive.h) of a run's claims, results and observations, with
// a manifest that names the versions and the SHA-256 of everything.

#ifndef NPUKIT_CONFORMANCE_RUNNER_SUBMISSION_SUBMISSION_H_
#define NPUKIT_CONFORMANCE_RUNNER_SUBMISSION_SUBMISSION_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/report/run_info.h"
#include "conformance/runner/submission/tar_archive.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

inline constexpr char kManifestName[] = "manifest.json";
inline constexpr char kClaimsName[] = "claims.yaml";
inline constexpr char kResultsName[] = "results.json";
inline constexpr char kLogName[] = "log.txt";
// Where a run had them.
inline constexpr char kWaiversName[] = "waivers.yaml";
inline constexpr char kBaselineName[] = "baseline.json";

struct Manifest {
  struct File {
    uint64_t bytes = 0;
    std::string sha256;
  };
  std::string kit_version;
  std::string manufacturer;
  std::string made;    // the day
  std::string system;  // that it was made on
  // SHA-256 of what took part, by name: "plugin", "dispatch", "kit", ...
  std::map<std::string, std::string> digests;
  std::map<std::string, File> files;  // the archive's others
};

// With a last member, the SHA-256 of what stands before it.
std::string ManifestText(const Manifest& manifest);
// Takes no text but such as ManifestText gives.
litert::Expected<Manifest> ReadManifest(std::string_view text);

// What a manifest says of a run's parts.
std::map<std::string, std::string> DigestsOf(const RunInfo& info);

// A whole submission, in memory. Only in one piece: its parts point into `archive`.
struct Submission {
  std::string archive;
  Manifest manifest;
  std::map<std::string, std::string_view> files;  // without the manifest

  std::string_view File(const std::string& name) const;  // empty if there is none
};

// Reads an archive into `submission` and holds each file against the manifest. A submission is not
// trusted: surplus, missing and changed files are errors, as is one that is no regular file or larger
// than 2 GiB.
litert::Expected<void> ReadSubmission(const std::string& path, Submission& submission);

// Makes the manifest's list of files and writes the archive.
litert::Expected<void> WriteSubmission(const std::string& path, Manifest manifest,
                                       const std::vector<TarEntry>& files);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_SUBMISSION_SUBMISSION_H_

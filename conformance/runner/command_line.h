// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-conform's verbs. Each returns the exit code: 0 conformant or done, 1 not, 2 wrong usage or
// a suite or claims file that can't be read, 3 the plugin can't be loaded.

#ifndef NPUKIT_CONFORMANCE_RUNNER_COMMAND_LINE_H_
#define NPUKIT_CONFORMANCE_RUNNER_COMMAND_LINE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace npukit::conformance {

enum ExitCode { kExitConformant = 0, kExitNotConformant = 1, kExitUsage = 2, kExitNotLoaded = 3 };

struct ConformArguments {
  std::string plugin_dir;
  std::string plugin;  // manufacturer, where the folder holds several
  std::vector<std::string> suites;
  std::vector<std::string> models;
  std::vector<std::string> op_package_dirs;
  std::string claims;
  std::vector<std::string> specs;  // KEY=VALUE, for every partition
  std::string soc_file;
  std::string filter;
  std::string shard;
  std::string report_dir;
  std::string profile;
  std::string compare;          // older results.json, or its folder
  std::string waivers;          // granted failures
  std::string baseline;         // recorded cycles to hold the run against
  std::string record_baseline;  // where to write this run's
  int jobs = 0;                 // 0: run.h and docs/remote.md say how many
  uint64_t seed = 1;
  std::optional<double> timeout_s;
  size_t max_failures = 0;
  bool json = false;
  bool list = false;
  bool no_isolation = false;
  bool no_minimize = false;
  bool observations = false;         // keep what workers saw beside the reports
  std::vector<std::string> devices;  // where the dispatch library runs; empty: here
  std::string device_dir;            // folder with the devices' libraries; empty: plugin_dir
  bool compile_on_device = false;    // by the compiler plugin there
  std::string propose_claims;        // where to write a first draft; "-": standard output
};
int RunConform(const ConformArguments& arguments);

struct MergeArguments {
  std::vector<std::string> results;  // results.json files, or their folders, one a shard
  std::string report_dir;
  std::string compare;
  bool json = false;
};
int RunMerge(const MergeArguments& arguments);

struct PackageArguments {
  std::string report_dir;  // of a run with --observations
  std::string output;
};
int RunPackage(const PackageArguments& arguments);

struct VerifyArguments {
  std::string archive;
  std::string waivers;     // those that were granted; empty: none
  std::string plugin_dir;  // whose libraries must be those judged; empty: not asked
  int jobs = 0;
  bool json = false;
};
// 0 if the archive's verdict is what its observations give, 1 if not.
int RunVerify(const VerifyArguments& arguments);

struct FreezeArguments {
  std::string folder;  // of profiles
};
int RunFreeze(const FreezeArguments& arguments);

struct CoverageArguments {
  std::string claims;
  bool json = false;
};
// 0 if every claim, and every value of an option that one limits, has a case; 1 if not.
int RunCoverage(const CoverageArguments& arguments);

struct MutationArguments {
  std::string plugins_dir;  // empty: faulty_plugins beside the program's folder
  std::string filter;
  int jobs = 0;
  bool json = false;
};
int RunMutationReport(const MutationArguments& arguments);

struct ExportAtsArguments {
  std::string folder;
  std::vector<std::string> suites;  // empty: all but smoke
  std::vector<std::string> ops;     // empty: any
  std::string filter;               // of cases' names
  std::string claims;               // only cases of which every op is claimed there
  bool float_ends = false;
  uint64_t seed = 1;  // of constants
  bool json = false;
};
// 1 if no case can be such a model.
int RunExportAts(const ExportAtsArguments& arguments);

struct ImportAtsArguments {
  std::string folder;
  std::string output;  // the suite's file
  std::string name = "ats";
  bool json = false;
};
// 1 if a model can't be read.
int RunImportAts(const ImportAtsArguments& arguments);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_COMMAND_LINE_H_

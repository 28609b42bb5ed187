// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-conform: judges a vendor's plugin.

#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/command_line.h"
#include "conformance/runner/suite_search.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"

namespace {

using npukit::conformance::ConformArguments;
using npukit::conformance::CoverageArguments;
using npukit::conformance::ExportAtsArguments;
using npukit::conformance::FreezeArguments;
using npukit::conformance::ImportAtsArguments;
using npukit::conformance::MergeArguments;
using npukit::conformance::MutationArguments;
using npukit::conformance::PackageArguments;
using npukit::conformance::VerifyArguments;
using npukit::tools::Argument;
using npukit::tools::CommandLine;

std::vector<std::string> InstalledSuites() {
  return npukit::conformance::SuiteNames(npukit::conformance::SuiteFolder());
}

void AddPluginOptions(CommandLine& line, ConformArguments& arguments) {
  line.Add("--plugin-dir", arguments.plugin_dir,
           "folder with the compiler plugin and the dispatch library");
  line.Add("--plugin", arguments.plugin, "manufacturer, where the folder holds several plugins");
  line.Add("--suite", arguments.suites,
           "name of a suite, or a .yaml file (default: all but smoke)");
  line.Suggest("--suite", [] {
    std::vector<std::string> names = InstalledSuites();
    names.emplace_back("claimed");
    return names;
  });
  line.Add("--model", arguments.models, "a .tflite to judge as well");
  line.Add("--op-package-dir", arguments.op_package_dirs,
           "folder with operator packages that models need, besides those in "
           "NPUKIT_OP_PACKAGE_PATH")
      .OneValueEach();
  line.Add("--claims", arguments.claims,
           "claims file (default: MANUFACTURER.claims.yaml beside the plugin)");
  line.Add(
          "--spec", arguments.specs,
          "compile spec KEY=VALUE, for every partition; VALUE may be @FILE or hex:DIGITS; of equal "
          "keys the last counts. The cycles are then held against no baseline but --baseline's")
      .OneValueEach();
  line.Add("--soc-file", arguments.soc_file,
           "description of the SoC, in the vendor's format; short for --spec soc_file=F with the "
           "whole path");
}

void AddSelectionOptions(CommandLine& line, ConformArguments& arguments) {
  line.Add("--filter", arguments.filter,
           "only results whose name this regular expression is found in");
  line.Add("--shard", arguments.shard,
           "i/n: every n-th result, i counted from 0 (default: from the environment)");
  line.Add("--profile", arguments.profile,
           "only what this profile asks (int8-vision, ...); exit code 0 if it conforms");
  line.Suggest("--profile", [] {
    std::vector<std::string> names;
    const auto profiles = npukit::conformance::LoadProfiles(npukit::conformance::ProfileFolder());
    if (!profiles) return names;
    for (const npukit::conformance::Profile& profile : *profiles) names.push_back(profile.name);
    return names;
  });
}

void AddRunOptions(CommandLine& line, ConformArguments& arguments) {
  line.Add("--compare", arguments.compare, "older results.json, or its folder: say what changed");
  line.Add("--waivers", arguments.waivers, "failures that were granted to the vendor's devices");
  line.AddFlag("--observations", arguments.observations,
               "with --report: keep what workers saw, for npukit-conform package");
  line.Add("--baseline", arguments.baseline,
           "recorded cycles (default: MANUFACTURER.baseline.json beside the plugin)");
  line.Add("--record-baseline", arguments.record_baseline, "write this run's cycles there");
  line.Add("--jobs", arguments.jobs,
           "processes at a time (default: one more than there are processors, since some checks "
           "wait; "
           "with --device two per processor, or as many as hide the latency of the connection)")
      .Between(1, 1024);
  line.Add("--report", arguments.report_dir, "folder for results.json, junit.xml and index.html");
  line.Add("--seed", arguments.seed, "seed of random inputs (default 1)");
  line.Add("--timeout", arguments.timeout_s, "seconds for each result, instead of the suites' own")
      .Positive();
  line.Add("--max-failures", arguments.max_failures, "stop after this many failures");
  line.AddFlag("--json", arguments.json, "print results.json instead of a summary");
  line.AddFlag("--list", arguments.list, "print the results' names and run nothing");
  line.AddFlag("--no-minimize", arguments.no_minimize,
               "with --report: do not shrink failures to small models");
}

void AddDeviceOptions(CommandLine& line, ConformArguments& arguments) {
  line.Add("--device", arguments.devices,
           "where the vendor's libraries run: local:, exec:COMMAND or ssh:[USER@]HOST[:DIR]; "
           "several "
           "share the run")
      .OneValueEach();
  line.Add("--device-dir", arguments.device_dir,
           "folder with the libraries for that device (default: --plugin-dir)")
      .Needs(line.Find("--device"));
  line.AddFlag(
      "--compile-on-device", arguments.compile_on_device,
      "compile on the device, too, by the compiler plugin of --device-dir, and ask whether this "
      "machine's gives the same");
}

// In the order of the help.
void AddConformOptions(CommandLine& line, ConformArguments& arguments) {
  AddPluginOptions(line, arguments);
  AddSelectionOptions(line, arguments);
  AddRunOptions(line, arguments);
  AddDeviceOptions(line, arguments);
  Argument propose = line.Add(
      "--propose-claims", arguments.propose_claims,
      "watch what the plugin takes and write a first draft of its claims there; needs no claims, "
      "judges nothing; - is standard output");
  line.AddFlag("--no-isolation", arguments.no_isolation, "run in this process, for a debugger");
  // With either of the two nothing is judged, and these have nothing to report.
  Argument list = line.Find("--list");
  for (const char* option : {"--report", "--json", "--record-baseline"}) {
    list.Excludes(option);
    propose.Excludes(option);
  }
  list.Excludes("--compare");
  propose.Excludes("--list");
}

void AddMergeOptions(CommandLine& verb, MergeArguments& arguments) {
  verb.Add("results", arguments.results, "results.json of each shard, or its folder").Required();
  verb.Add("--report", arguments.report_dir, "folder for results.json, junit.xml and index.html");
  verb.Add("--compare", arguments.compare, "older results.json, or its folder: say what changed");
  verb.AddFlag("--json", arguments.json, "print results.json instead of a summary");
}

void AddPackageOptions(CommandLine& verb, PackageArguments& arguments) {
  verb.Add("report", arguments.report_dir, "folder of a run with --observations").Required();
  verb.Add("-o,--output", arguments.output, "the archive, a .tar").Required();
}

void AddVerifyOptions(CommandLine& verb, VerifyArguments& arguments) {
  verb.Add("archive", arguments.archive, "what npukit-conform package wrote").Required();
  verb.Add("--waivers", arguments.waivers, "the waivers that were granted (default: none)");
  verb.Add("--plugin-dir", arguments.plugin_dir,
           "whose libraries must be those that were judged; none is loaded");
  verb.Add("--jobs", arguments.jobs, "processes at a time (default: one per processor)")
      .Between(1, 1024);
  verb.AddFlag("--json", arguments.json, "print JSON");
}

void AddFreezeOptions(CommandLine& verb, FreezeArguments& arguments) {
  verb.Add("folder", arguments.folder, "folder of profiles").Required();
}

void AddCoverageOptions(CommandLine& verb, CoverageArguments& arguments) {
  verb.Add("claims", arguments.claims, "claims file").Required();
  verb.AddFlag("--json", arguments.json, "print JSON");
}

void AddMutationOptions(CommandLine& verb, MutationArguments& arguments) {
  verb.Add("--plugins-dir", arguments.plugins_dir, "folder with a folder for each faulty plugin");
  verb.Add("--filter", arguments.filter,
           "only plugins whose name this regular expression is found in");
  verb.Add("--jobs", arguments.jobs, "processes at a time (default: one more than processors)")
      .Between(1, 1024);
  verb.AddFlag("--json", arguments.json, "print JSON");
}

void AddExportAtsOptions(CommandLine& verb, ExportAtsArguments& arguments) {
  verb.Add("folder", arguments.folder, "new folder for the models").Required();
  verb.Add("--suite", arguments.suites,
           "name of a suite, or a .yaml file (default: all but smoke)");
  verb.Suggest("--suite", InstalledSuites);
  verb.Add("--op", arguments.ops, "only cases with this operator, as claims name it");
  verb.Add("--filter", arguments.filter,
           "only cases whose name this regular expression is found in");
  verb.Add("--claims", arguments.claims, "only cases of which this file claims every op");
  verb.AddFlag("--float-ends", arguments.float_ends,
               "QUANTIZE and DEQUANTIZE at quantised inputs and outputs, which LiteRT's suite can "
               "neither fill nor compare");
  verb.Add("--seed", arguments.seed, "of random constants (default 1)");
  verb.AddFlag("--json", arguments.json, "print JSON");
}

void AddImportAtsOptions(CommandLine& verb, ImportAtsArguments& arguments) {
  verb.Add("folder", arguments.folder, "folder of .tflite files").Required();
  verb.Add("-o,--output", arguments.output, "the suite's .yaml file").Required();
  verb.Add("--name", arguments.name, "the suite's name").ShowDefault();
  verb.AddFlag("--json", arguments.json, "print JSON");
}

int Conform(CommandLine& line, int argc, char** argv) {
  ConformArguments conform;
  MergeArguments merge;
  CoverageArguments coverage;
  PackageArguments package;
  VerifyArguments verify;
  FreezeArguments freeze;
  MutationArguments mutation;
  ExportAtsArguments export_ats;
  ImportAtsArguments import_ats;
  AddConformOptions(line, conform);
  CommandLine& merge_verb = line.AddVerb("merge", "joins the results of a run's shards");
  AddMergeOptions(merge_verb, merge);
  CommandLine& coverage_verb = line.AddVerb(
      "coverage", "which claims, and which values of their options, the suites exercise");
  AddCoverageOptions(coverage_verb, coverage);
  CommandLine& package_verb =
      line.AddVerb("package", "makes an archive of a run, for others to verify");
  AddPackageOptions(package_verb, package);
  CommandLine& verify_verb =
      line.AddVerb("verify-submission", "judges such an archive again, without the plugin");
  AddVerifyOptions(verify_verb, verify);
  CommandLine& freeze_verb = line.AddVerb(
      "freeze", "for maintainers: lists what profiles of a new version ask, beside their rules");
  AddFreezeOptions(freeze_verb, freeze);
  CommandLine& mutation_verb = line.AddVerb(
      "mutation-report", "runs the kit on plugins with planted faults and says which it finds");
  AddMutationOptions(mutation_verb, mutation);
  CommandLine& export_verb =
      line.AddVerb("export-ats", "writes cases as models for LiteRT's accelerator test suite");
  AddExportAtsOptions(export_verb, export_ats);
  CommandLine& import_verb =
      line.AddVerb("import-ats", "makes a suite of a folder of models, as that suite takes them");
  AddImportAtsOptions(import_verb, import_ats);
  line.AddNote(
      "Exit codes: 0 conformant, 1 not conformant, 2 wrong usage, 3 the plugin or a model could "
      "not be loaded.");
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  if (merge_verb.IsChosen()) return npukit::conformance::RunMerge(merge);
  if (coverage_verb.IsChosen()) return npukit::conformance::RunCoverage(coverage);
  if (package_verb.IsChosen()) return npukit::conformance::RunPackage(package);
  if (verify_verb.IsChosen()) return npukit::conformance::RunVerify(verify);
  if (freeze_verb.IsChosen()) return npukit::conformance::RunFreeze(freeze);
  if (mutation_verb.IsChosen()) return npukit::conformance::RunMutationReport(mutation);
  if (export_verb.IsChosen()) return npukit::conformance::RunExportAts(export_ats);
  if (import_verb.IsChosen()) return npukit::conformance::RunImportAts(import_ats);
  return npukit::conformance::RunConform(conform);
}

}  // namespace

NPUKIT_VERB("conform", "judge a plugin by what its vendor claims", Conform)

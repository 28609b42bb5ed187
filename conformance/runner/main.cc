// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-conform: judges a vendor's plugin.

#include <CLI/CLI.hpp>

#include "conformance/runner/command_line.h"

namespace {

using npukit::conformance::ConformArguments;
using npukit::conformance::MergeArguments;
using npukit::conformance::MutationArguments;

void AddConformOptions(CLI::App& app, ConformArguments& arguments) {
  app.add_option("--plugin-dir", arguments.plugin_dir,
                 "folder with the compiler plugin and the dispatch library");
  app.add_option("--plugin", arguments.plugin,
                 "manufacturer, where the folder holds several plugins");
  app.add_option("--suite", arguments.suites,
                 "name of a suite, or a .yaml file (default: all but smoke)");
  app.add_option("--model", arguments.models, "a .tflite to judge as well");
  app.add_option("--claims", arguments.claims,
                 "claims file (default: MANUFACTURER.claims.yaml beside the plugin)");
  app.add_option("--filter", arguments.filter,
                 "only results whose name this regular expression is found in");
  app.add_option("--shard", arguments.shard,
                 "i/n: every n-th result (default: from the environment)");
  app.add_option("--profile", arguments.profile,
                 "only what this profile asks (int8-vision, ...); exit code 0 if it conforms");
  app.add_option("--compare", arguments.compare,
                 "older results.json, or its folder: say what changed");
  app.add_option("--baseline", arguments.baseline,
                 "recorded cycles (default: MANUFACTURER.baseline.json beside the plugin)");
  app.add_option("--record-baseline", arguments.record_baseline, "write this run's cycles there");
  app.add_option("--jobs", arguments.jobs, "processes at a time (default: one per processor)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--report", arguments.report_dir,
                 "folder for results.json, junit.xml and index.html");
  app.add_option("--seed", arguments.seed, "of random values (default 1)");
  app.add_option("--timeout", arguments.timeout_s,
                 "seconds for each result, instead of the suites' own")
      ->check(CLI::PositiveNumber);
  app.add_option("--max-failures", arguments.max_failures, "stop after so many failures");
  app.add_flag("--json", arguments.json, "print results.json instead of a summary");
  app.add_flag("--list", arguments.list, "print the results' names and run nothing");
  app.add_flag("--no-minimize", arguments.no_minimize,
               "with --report: do not shrink failures to small models");
  app.add_option(
      "--propose-claims", arguments.propose_claims,
      "watch what the plugin takes and write a first draft of its claims there; needs no "
      "claims, judges nothing; - is standard output");
  app.add_flag("--no-isolation", arguments.no_isolation, "run in this process, for a debugger");
}

void AddMergeOptions(CLI::App& verb, MergeArguments& arguments) {
  verb.add_option("results", arguments.results, "results.json of each shard, or its folder")
      ->required();
  verb.add_option("--report", arguments.report_dir,
                  "folder for results.json, junit.xml and index.html");
  verb.add_option("--compare", arguments.compare,
                  "older results.json, or its folder: say what changed");
  verb.add_flag("--json", arguments.json, "print results.json instead of a summary");
}

void AddMutationOptions(CLI::App& verb, MutationArguments& arguments) {
  verb.add_option("--plugins-dir", arguments.plugins_dir,
                  "folder with a folder for each faulty plugin");
  verb.add_option("--filter", arguments.filter,
                  "only plugins whose name this regular expression is found in");
  verb.add_option("--jobs", arguments.jobs, "processes at a time (default: one per processor)")
      ->check(CLI::Range(1, 1024));
  verb.add_flag("--json", arguments.json, "print JSON");
}

}  // namespace

// `npukit` without arguments finds the verb's line of help behind this mark
// (sdk/tools/verb.h).
[[gnu::used]] static const char kVerbHelp[] =
    "npukit verb help\x1f"
    "judge a plugin by what its vendor claims";

int main(int argc, char** argv) {
  CLI::App app(
      "Judges a LiteRT NPU plugin by what its vendor claims.\n"
      "Exit codes: 0 conformant, 1 not conformant, 2 wrong usage, 3 the plugin could not be "
      "loaded.");
  app.name("npukit conform");
  ConformArguments conform;
  MergeArguments merge;
  MutationArguments mutation;
  AddConformOptions(app, conform);
  CLI::App* merge_verb = app.add_subcommand("merge", "joins the results of a run's shards");
  AddMergeOptions(*merge_verb, merge);
  CLI::App* mutation_verb = app.add_subcommand(
      "mutation-report", "runs the kit on plugins with planted faults and says which it finds");
  AddMutationOptions(*mutation_verb, mutation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : npukit::conformance::kExitUsage;
  }
  if (merge_verb->parsed()) return npukit::conformance::RunMerge(merge);
  if (mutation_verb->parsed()) return npukit::conformance::RunMutationReport(mutation);
  return npukit::conformance::RunConform(conform);
}

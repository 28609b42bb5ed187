// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-conform: judges a vendor's plugin.

#include <CLI/CLI.hpp>

#include "conformance/runner/command_line.h"

namespace {

using npukit::conformance::ConformArguments;
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
  app.add_option("--jobs", arguments.jobs, "processes at a time (default: one per processor)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--report", arguments.report_dir, "folder for results.json and junit.xml");
  app.add_option("--seed", arguments.seed, "of random values (default 1)");
  app.add_option("--timeout", arguments.timeout_s,
                 "seconds for each result, instead of the suites' own")
      ->check(CLI::PositiveNumber);
  app.add_option("--max-failures", arguments.max_failures, "stop after so many failures");
  app.add_flag("--json", arguments.json, "print results.json instead of a summary");
  app.add_flag("--list", arguments.list, "print the results' names and run nothing");
  app.add_flag("--no-isolation", arguments.no_isolation, "run in this process, for a debugger");
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
// (sdk/tools/command_line.h).
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
  MutationArguments mutation;
  AddConformOptions(app, conform);
  CLI::App* mutation_verb = app.add_subcommand(
      "mutation-report", "runs the kit on plugins with planted faults and says which it finds");
  AddMutationOptions(*mutation_verb, mutation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : npukit::conformance::kExitUsage;
  }
  if (mutation_verb->parsed()) return npukit::conformance::RunMutationReport(mutation);
  return npukit::conformance::RunConform(conform);
}

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-sim: the simulator on its own.

#include <CLI/CLI.hpp>

#include "simulator/tools/sim_run.h"
#include "simulator/tools/sim_sweep.h"

// `npukit` without arguments finds the verb's line of help behind this mark
// (sdk/tools/command_line.h).
[[gnu::used]] static const char kVerbHelp[] =
    "npukit verb help\x1f"
    "run or sweep programs on the simulated NPU, without any model";

int main(int argc, char** argv) {
  CLI::App app("Runs programs on a simulated Acme NPU.", "npukit-sim");
  app.require_subcommand(1);
  int exit_code = 0;
  acme::AddRunCommand(app, &exit_code);
  acme::AddSweepCommand(app, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  return exit_code;
}

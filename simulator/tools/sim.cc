// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-sim: the simulator on its own.

#include <CLI/CLI.hpp>

#include "simulator/tools/errors.h"
#include "simulator/tools/sim_run.h"
#include "simulator/tools/verb.h"

namespace acme {

int SimMain(int argc, char** argv) {
  CLI::App app("Runs programs on a simulated Acme NPU.", "npukit sim");
  app.require_subcommand(1);
  int parsed = 0;
  int exit_code = 0;
  AddRunCommand(app, &exit_code);
  app.set_version_flag("--version", "npukit sim " NPUKIT_VERSION);
  if (!ParseArguments(app, argc, argv, parsed)) return parsed;
  return exit_code;
}

}  // namespace acme

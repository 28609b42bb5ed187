// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit-sim sweep.

#ifndef NPUKIT_SIMULATOR_TOOLS_SIM_SWEEP_H_
#define NPUKIT_SIMULATOR_TOOLS_SIM_SWEEP_H_

namespace CLI {
class App;
}  // namespace CLI

namespace acme {

// Adds the subcommand; its exit code goes to *exit_code.
void AddSweepCommand(CLI::App& app, int* exit_code);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TOOLS_SIM_SWEEP_H_

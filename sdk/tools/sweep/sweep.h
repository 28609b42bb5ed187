// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit bench --sweep: compiles and times a model for each point of a grid of SoCs.

#ifndef NPUKIT_SDK_TOOLS_SWEEP_SWEEP_H_
#define NPUKIT_SDK_TOOLS_SWEEP_SWEEP_H_

#include <string>

#include "sdk/tools/flags/session_flags.h"
#include "sdk/tools/flags/step_flags.h"

namespace npukit::tools {

struct SweepFlags {
  std::string grid;  // empty: no sweep
  std::string shard;
  std::string csv;
  std::string html;
  int jobs = 1;
  bool resume = false;

  void AddTo(CommandLine& line);
};

// Gives the exit code: 2 for a grid or CSV file that cannot be used, 1 if points failed or a signal
// (Ctrl-C) ended the sweep before all were run; what was found by then is reported.
int RunSweep(SessionFlags& flags, StepFlags& step, const SweepFlags& sweep);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_SWEEP_SWEEP_H_

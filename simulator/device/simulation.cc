// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/simulation.h"

#include "simulator/device/functional_run.h"
#include "simulator/device/timed_run.h"

namespace acme {

Expected<RunResult> RunProgram(const Program& program, const Hardware& hardware, Units* units,
                               const RunOptions& options, RunFailure* failure) {
  if (options.mode != RunMode::kTimeOnly && units == nullptr) {
    return Error(ErrorCode::kInvalidArgument, "computing values needs memory");
  }
  if (units != nullptr) units->memory().bad_index.reset();
  // The race checker needs the order of the timed schedule.
  if (options.mode == RunMode::kFunctionOnly && !options.check_races) {
    return RunFunctional(program, hardware, *units, options, failure);
  }
  TimedRun run(program, hardware, units, options);
  Expected<RunResult> result = run.Run();
  if (!result && failure != nullptr) failure->handle = run.FailedHandle();
  if (result && options.mode == RunMode::kFunctionOnly) *result = RunResult{};
  return result;
}

}  // namespace acme

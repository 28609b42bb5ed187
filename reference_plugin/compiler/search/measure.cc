// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/search/measure.h"

#include "reference_plugin/compiler/emit/emit.h"
#include "reference_plugin/compiler/emit/hazards.h"
#include "simulator/device/simulation.h"
#include "simulator/isa/sequencer.h"

namespace acme::compiler {

Expected<void> Emit(PlannedTasks& planned) {
  if (!planned.code.empty()) return {};
  planned.syncs = PlanSync(planned.tasks, planned.conflicts);
  ACME_ASSIGN_OR_RETURN(planned.code, EmitCode(planned.tasks, planned.syncs));
  return {};
}

Expected<int64_t> MeasureCycles(PlannedTasks& planned, const Hardware& hardware) {
  ACME_RETURN_IF_ERROR(Emit(planned));
  ACME_ASSIGN_OR_RETURN(const Program program, Program::Decode(planned.code));
  RunOptions options;
  options.mode = RunMode::kTimeOnly;
  ACME_ASSIGN_OR_RETURN(const RunResult result,
                        RunProgram(program, hardware, /*units=*/nullptr, options));
  return result.counters.cycles;
}

}  // namespace acme::compiler

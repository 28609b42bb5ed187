// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Counters as JSON, as a table for people, and per handle as CSV.

#ifndef NPUKIT_SIMULATOR_TOOLS_SIM_REPORT_H_
#define NPUKIT_SIMULATOR_TOOLS_SIM_REPORT_H_

#include <string>

#include "simulator/device/simulation.h"
#include "simulator/hw/hardware.h"
#include "simulator/module/module.h"

namespace acme {

std::string ReportJson(const RunResult& result, const Module& module, const ModuleEntry& entry,
                       const Hardware& hardware);
std::string ReportText(const RunResult& result, const ModuleEntry& entry, const Hardware& hardware);
std::string ReportCsv(const RunResult& result, const Module& module);

// Busy cycles that no schedule on this hardware can avoid for the same instructions: the largest
// over engines of busy cycles without stalls, and DRAM bytes at full bandwidth.
int64_t ProgramBoundCycles(const RunResult& result, const Hardware& hardware);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TOOLS_SIM_REPORT_H_

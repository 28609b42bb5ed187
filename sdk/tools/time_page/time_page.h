// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where a run's time went, and what would help, as one HTML page, which needs neither other files
// nor a network. Pure.

#ifndef NPUKIT_SDK_TOOLS_TIME_PAGE_TIME_PAGE_H_
#define NPUKIT_SDK_TOOLS_TIME_PAGE_TIME_PAGE_H_

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "sdk/tools/time_page/layers.h"

namespace npukit::tools {

// One run with the metrics of NPUKIT_METRICS_DETAIL_TRACE; an entry per step in each.
struct TimedModel {
  std::string model;
  std::span<const StepInfo> steps;
  std::span<const StepTime> times;
  std::span<const DispatchMetrics> metrics;
};

// What the page shows:
//
//   model, soc, cycles, macs, bytes, roofline_cycles, energy_pj    of the run; null: not reported
//   chip      {array_macs_per_cycle, memory_bytes_per_cycle, scratchpad_bytes, clock_mhz}
//   layers    [{name, ops, target, cycles, macs, bytes, energy_pj, host_us, stalls {cause: cycles},
//             doubled {resource: cycles}, limit, help}]
//   doubled   [{resource, cycles, error}]
//   timeline  timeline.h
//   notes     [what was not reported or measured, and so is not shown]
//
// `not_measured`: why nothing was doubled; empty if it was.
nlohmann::ordered_json TimePageData(const TimedModel& run, std::span<const DoubledRun> doubled,
                                    const std::string& not_measured);

std::string TimePage(const nlohmann::ordered_json& data);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TIME_PAGE_TIME_PAGE_H_

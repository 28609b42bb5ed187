// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_TIME_PAGE_TIMELINE_H_
#define NPUKIT_SDK_TOOLS_TIME_PAGE_TIMELINE_H_

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "sdk/tools/time_page/layers.h"

namespace npukit::tools {

// What the engines did, from the traces that dispatch libraries reported (NPUKIT_METRIC_TRACE_EVENTS),
// one step after the other on one axis:
//
//   unit     "cycles"; "microseconds" where a clock or exact cycles are not reported
//   end      where the axis ends
//   kinds    [name]: of instructions, as slices count them
//   engines  [{name, slices: [begin, duration, layer or -1, kind, begin, ...]}]
//   memory   [[time, bytes of the scratchpad from there on]]; absent if not reported
//
// What is no such event is left out. Null if no library reported a trace.
nlohmann::ordered_json TimelineJson(std::span<const StepInfo> steps,
                                    std::span<const DispatchMetrics> metrics,
                                    const std::vector<Layer>& layers, const Chip& chip);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TIME_PAGE_TIMELINE_H_

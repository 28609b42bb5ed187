// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a sweep found as one HTML page, which needs neither other files nor a network. Pure.

#ifndef NPUKIT_SDK_TOOLS_SWEEP_SWEEP_PAGE_H_
#define NPUKIT_SDK_TOOLS_SWEEP_SWEEP_PAGE_H_

#include <string>

#include "sdk/tools/sweep/sweep_grid.h"
#include "sdk/tools/sweep/sweep_table.h"

namespace npukit::tools {

// For each cost a chart of cycles over it, points of the Pareto front joined; then the points as a
// table, the front's first.
std::string SweepPage(const SweepGrid& grid, const std::string& model, const SweepRows& rows);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_SWEEP_SWEEP_PAGE_H_

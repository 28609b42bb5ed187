// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_SWEEP_ROUND_MARKS_H_
#define NPUKIT_SDK_TOOLS_SWEEP_ROUND_MARKS_H_

#include <vector>

namespace npukit::tools {

// Where a chart's axis from `low` to `high` is marked: ascending values of one, two or five times a
// power of ten, on a linear axis their multiples; two to eight of them. `is_log`: `low` is above 0.
// None where a double has no steps between the ends: they are infinite, hardly differ or are hardly 0.
std::vector<double> RoundMarks(double low, double high, bool is_log);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_SWEEP_ROUND_MARKS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_TIME_PAGE_LAYER_LIMIT_H_
#define NPUKIT_SDK_TOOLS_TIME_PAGE_LAYER_LIMIT_H_

#include <span>
#include <string>

#include "sdk/tools/time_page/layers.h"

namespace npukit::tools {

// What limits a layer, and what would help, in words.
struct LayerLimit {
  std::string limit;
  std::string help;  // empty: nothing that was measured
};

// Where runs with more of something were measured, they decide: what makes the layer at least 5%
// faster limits it, the most first. Else what its busiest engine waits for, or that it does not
// wait; where no stalls are reported the chip's roofs. Says so where nothing is known.
LayerLimit LimitOf(const Layer& layer, const Chip& chip, std::span<const DoubledRun> doubled);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TIME_PAGE_LAYER_LIMIT_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The instruction that computes a tile of a depthwise convolution, and what stands beside it.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DEPTHWISE_DEPTHWISE_TASK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DEPTHWISE_DEPTHWISE_TASK_H_

#include <cstdint>
#include <optional>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/tasks/task.h"

namespace acme::compiler {

// Bytes of one channel's record.
int64_t RecordSize(const Depthwise& op);
// Of the records among the constants.
int64_t RecordsBytes(const Depthwise& op, int32_t channels);
// Of these and the weights.
int64_t ParameterBytes(const Depthwise& op, int32_t channels);

// Where the parts of one tile stand.
struct TilePlaces {
  ScratchpadBox x;
  ScratchpadBox y;
  int32_t in_rows = 1;
  int32_t in_cols = 1;
  int32_t y0 = 0;
  int32_t x0 = 0;
  int64_t records = 0;
  int64_t weights = 0;
  int64_t tap_stride = 0;
  int64_t table = 0;
  std::optional<isa::VEpilogue> extremes = {};  // of the results
};

Task MakeTask(const Depthwise& op, const DepthwiseTile& tile, const TilePlaces& places);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_DEPTHWISE_DEPTHWISE_TASK_H_

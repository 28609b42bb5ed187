// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// NPUs are compiled for fixed shapes. A file gives each dynamic dimension a value to begin with (a
// batch of 1, mostly); a model that is compiled is compiled for those.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_FIXED_SHAPES_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_FIXED_SHAPES_H_

#include <string>
#include <vector>

#include "sdk/host/model/graph/model.h"

namespace npukit {

// Makes every dynamic dimension that the file has a value for a fixed one of that value. Gives the
// inputs of all subgraphs that it changed, as "name [1,640]". Tensors whose shape itself holds -1
// stay dynamic.
std::vector<std::string> FixDynamicShapes(Model& model);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_FIXED_SHAPES_H_

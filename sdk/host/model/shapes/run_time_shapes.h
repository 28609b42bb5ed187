// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which tensors have shapes that only a run shows, whatever shape the file gives them: those that
// depend on values that are neither constant nor made of constants and shapes.

#ifndef NPUKIT_SDK_HOST_MODEL_SHAPES_RUN_TIME_SHAPES_H_
#define NPUKIT_SDK_HOST_MODEL_SHAPES_RUN_TIME_SHAPES_H_

#include <vector>

#include "sdk/host/model/graph/model.h"

namespace npukit {

// Whether the result depends on the operand's shape, not on its elements.
bool ReadsOnlyShapes(LiteRtOpCode code);

// By subgraph and op: whether the op has an input or output of such a shape. Inputs of the model have
// the shapes that the file gives them. Ops that call subgraphs give fixed shapes where all that they
// call give the same, and a loop's body changes none; a subgraph that is ever called with other
// shapes has none that are fixed. Subgraphs do not call each other in a circle.
std::vector<std::vector<bool>> FindRunTimeShapes(const Model& model);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SHAPES_RUN_TIME_SHAPES_H_

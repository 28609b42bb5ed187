// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether the shapes that a file gives an op's tensors can all be true. A file gives each dynamic
// dimension some value, mostly 1: what grows in a loop then has a shape that its op can't make. A
// result of unknown rank, behind a shape that is computed, has none at all.

#ifndef NPUKIT_SDK_HOST_MODEL_SHAPES_STORED_SHAPES_H_
#define NPUKIT_SDK_HOST_MODEL_SHAPES_STORED_SHAPES_H_

#include "sdk/host/model/graph/op.h"

namespace npukit {

// Looks at ops that make a tensor larger than their operand, CONCATENATION, and PAD, PADV2,
// MIRROR_PAD and TILE by constant operands; and at the rank of what has a shape by values of an
// operand. False for all others, and for what is not known.
bool HasImpossibleShapes(const Op& op);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_SHAPES_STORED_SHAPES_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Borders around images. In: layers that move an image into a larger one whose rest is one number. Out: the
// same network, where what reads that image pads instead:
//
//   x -> move: x in a border of the zero point -> conv             x -> conv, padded
//   x -> move: x in a border of the least number -> pool of maxima  x -> pool, padded

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_BORDERS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_BORDERS_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Only where nobody else sees the padded image, since it is no longer computed.
void FuseBorders(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_BORDERS_H_

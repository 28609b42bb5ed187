// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A network of images that are made one of the other, for tests of what is computed together.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_TESTS_IMAGE_CHAIN_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_TESTS_IMAGE_CHAIN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {

// v0 (input) -> v1 -> ... -> output by layers that need no other rows. `shape`: of each image, [1, rows, columns,
// channels] of bytes.
inline Network ImageChain(size_t layers, const Shape& shape) {
  Network network;
  ValueId last = AddInput(network, shape);
  for (size_t i = 0; i < layers; ++i) {
    auto map = std::make_shared<Map>();
    map->x = last;
    map->row_elems = shape[2] * shape[3];
    last = AddValue(network, shape);
    AddLayer(network, last, std::move(map));
  }
  MakeOutput(network, last);
  return network;
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_TESTS_IMAGE_CHAIN_H_

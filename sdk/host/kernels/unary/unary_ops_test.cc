// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of one element, computed by hand.

#include <gtest/gtest.h>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using testing::ExpectResults;
using testing::kI8;
using testing::NodeBuilder;

// Halves go upwards before the sign: -1 times 0.5 gives 0, -3 times 0.5 gives -1. (Since v2.1.4; TFLite
// took the multiplier with its sign before.)
TEST(UnaryOps, FallingLeakyReluRoundsBeforeTheSign) {
  ExpectResults({
      {.name = "leaky_relu_falling",
       .code = kLiteRtOpCodeTflLeakyRelu,
       .options = LeakyReluOptions{.alpha = -0.5f},
       .build = [](NodeBuilder& n) { n.Input(kI8, {5}, Affine(1, 0)).Output(kI8, Affine(1, 0)); },
       .inputs = {BytesOf(std::vector<int8_t>{-1, -2, -3, 0, 2})},
       .shapes = {{5}},
       .outputs = {BytesOf(std::vector<int8_t>{0, 1, 1, 0, 2})}},
  });
}

}  // namespace
}  // namespace npukit::kernels

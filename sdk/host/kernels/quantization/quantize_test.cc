// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Forms of QUANTIZE and FAKE_QUANT that few models have, with results by hand.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using testing::ExpectResults;
using testing::Floats;
using testing::Ints;
using testing::kF32;
using testing::kI16;
using testing::kI32;
using testing::kI8;
using testing::NodeBuilder;
using testing::Shorts;

TEST(Quantize, Int32HasAZeroPointToo) {
  ExpectResults({{.name = "from_int32",
                  .code = kLiteRtOpCodeTflQuantize,
                  .build =
                      [](NodeBuilder& n) {
                        n.Input(kI32, {4}, Affine(0.5f, 1000)).Output(kI8, Affine(1, 1));
                      },
                  .inputs = {BytesOf(Ints{1000, 1010, 980, 2000})},
                  .shapes = {{4}},
                  .outputs = {{1, 6, static_cast<uint8_t>(-9), 127}}},
                 {.name = "to_int32",
                  .code = kLiteRtOpCodeTflQuantize,
                  .build =
                      [](NodeBuilder& n) {
                        n.Input(kI16, {3}, Affine(0.5f, 0)).Output(kI32, Affine(0.25f, -70000));
                      },
                  .inputs = {BytesOf(Shorts{0, 3, -30000})},
                  .shapes = {{3}},
                  .outputs = {BytesOf(Ints{-70000, -69994, -130000})}}});
}

// A range beside 0 is moved to it: 0.75 to 3 becomes 0 to 2.25, and -4 to -1 becomes -3 to 0.
TEST(FakeQuant, MovesARangeThatDoesNotHoldZero) {
  const auto in_range = [](const char* name, float min, float max, const Floats& out) {
    return testing::ResultCase{.name = name,
                               .code = kLiteRtOpCodeTflFakeQuant,
                               .options = FakeQuantOptions{.min = min, .max = max, .num_bits = 2},
                               .build = [](NodeBuilder& n) { n.Input(kF32, {4}).Output(kF32); },
                               .inputs = {BytesOf(Floats{-9, -1.5f, 0.75f, 9})},
                               .shapes = {{4}},
                               .outputs = {BytesOf(out)}};
  };
  ExpectResults({in_range("above", 0.75f, 3, {0, 0, 0.75f, 2.25f}),
                 in_range("below", -4, -1, {-3, -1, 0, 0})});
}

}  // namespace
}  // namespace npukit::kernels

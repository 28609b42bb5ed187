// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of int16 of which some tensors have a scale and others none, with results by hand.

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
using testing::kI16;
using testing::NodeBuilder;
using testing::Shorts;

testing::ResultCase OfScaledInputs(const char* name, LiteRtOpCode code, const Shorts& a,
                                   const Shorts& b, const Shorts& out) {
  const auto count = static_cast<int32_t>(a.size());
  return {.name = name,
          .code = code,
          .build =
              [count](NodeBuilder& n) {
                n.Input(kI16, {count}, Affine(0.5f, 0)).Input(kI16, {count}, Affine(0.25f, 0));
                n.Output(kI16);
              },
          .inputs = {BytesOf(a), BytesOf(b)},
          .shapes = {{count}},
          .outputs = {BytesOf(out)}};
}

// As TFLite: MUL multiplies as stored, SUB and DIV have a multiplier of 0.
TEST(Arithmetic, OfScaledInt16ToAnOutputWithoutAScale) {
  ExpectResults(
      {OfScaledInputs("mul", kLiteRtOpCodeTflMul, {5, -7, 300, -32768}, {3, -2, 300, -1},
                      {15, 14, 24464, -32768}),
       OfScaledInputs("sub", kLiteRtOpCodeTflSub, {5, -7}, {3, -2}, {0, 0}),
       // A shift by 32, which the processor takes for none, rounds up.
       OfScaledInputs("div", kLiteRtOpCodeTflDiv, {32767, 32767, 1}, {1, -3, 4}, {0, 0, 1})});
}

// Scales that are powers of two, none of them the output's: shifting could not do it.
TEST(Arithmetic, OfInt16WithoutOptionsMultiplies) {
  ExpectResults({{.name = "add",
                  .code = kLiteRtOpCodeTflAdd,
                  .build =
                      [](NodeBuilder& n) {
                        n.Input(kI16, {3}, Affine(0.5f, 0)).Input(kI16, {3}, Affine(0.5f, 0));
                        n.Output(kI16, Affine(1, 0));
                      },
                  .inputs = {BytesOf(Shorts{3, 100, -32768}), BytesOf(Shorts{5, -30, -32768})},
                  .shapes = {{3}},
                  .outputs = {BytesOf(Shorts{4, 35, -32768})}}});
}

}  // namespace
}  // namespace npukit::kernels

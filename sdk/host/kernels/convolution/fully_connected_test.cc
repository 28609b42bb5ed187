// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Forms of FULLY_CONNECTED that few models have, with results by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::Bytes;
using testing::BytesOf;
using testing::ExpectErrors;
using testing::ExpectResults;
using testing::Floats;
using testing::Ints;
using testing::kF32;
using testing::kI16;
using testing::kI32;
using testing::kI8;
using testing::kU8;
using testing::NodeBuilder;
using testing::Shorts;
using testing::ValuesOf;

constexpr FullyConnectedOptions kShuffled = {
    .weights_format = FullyConnectedOptionsWeightsFormat::kShuffled4x16Int8};

// (in - 10)(w - 20) summed, plus the bias, times 0.5 * 0.5 / 0.25 = 1.
TEST(FullyConnected, GivesInt16OfUint8) {
  ExpectResults(
      {{.name = "uint8_to_int16",
        .code = kLiteRtOpCodeTflFullyConnected,
        .build =
            [](NodeBuilder& n) {
              n.Input(kU8, {2, 3}, Affine(0.5f, 10));
              n.Constant(kU8, {2, 3}, {21, 22, 23, 0, 0, 0}, Affine(0.5f, 20));
              n.Constant(kI32, {2}, BytesOf(Ints{100, -7}));
              n.Output(kI16, Affine(0.25f, 0));
            },
        .inputs = {{11, 12, 13, 255, 255, 255}},
        .shapes = {{2, 2}},
        .outputs = {BytesOf(Shorts{100 + 1 + 4 + 9, -7 - 20 * 6, 100 + 245 * 6, -7 - 20 * 735})}}});
  ExpectErrors({{.name = "a zero point of the output",
                 .code = kLiteRtOpCodeTflFullyConnected,
                 .build =
                     [](NodeBuilder& n) {
                       n.Input(kU8, {1, 1}, Affine(0.5f, 10));
                       n.Constant(kU8, {1, 1}, {21}, Affine(0.5f, 20));
                       n.Constant(kI32, {1}, BytesOf(Ints{100}));
                       n.Output(kI16, Affine(0.25f, 1));
                     },
                 .inputs = {{11}},
                 .says = {"FULLY_CONNECTED", "'out0'", "zero point 0"}}});
}

// 430 * 0.32 * 5.1 / 3.5 is just below 200.5, and with 16 bits of the multiplier just above it where
// the two scales are multiplied in float32, as TFLite does.
TEST(FullyConnected, MultipliesTheScalesOfInt16WeightsInFloat32) {
  ExpectResults({{.name = "int16_by_int16",
                  .code = kLiteRtOpCodeTflFullyConnected,
                  .build =
                      [](NodeBuilder& n) {
                        n.Input(kI16, {1, 1}, Affine(0.32f, 0));
                        n.Constant(kI16, {1, 1}, BytesOf(Shorts{10}), Affine(5.1f, 0));
                        n.Omitted().Output(kI16, Affine(3.5f, 0));
                      },
                  .inputs = {BytesOf(Shorts{43})},
                  .shapes = {{1, 1}},
                  .outputs = {BytesOf(Shorts{201})}}});
}

// Unit u of 8 has the weight u + 1 at depth u and at depth 16 + u, else 0, in blocks of 4 units by 16
// of the depth.
std::vector<uint8_t> BlocksOfWeights() {
  std::vector<uint8_t> weights;
  for (int group = 0; group < 2; ++group) {
    for (int block = 0; block < 2; ++block) {
      for (int unit = 4 * group; unit < 4 * group + 4; ++unit) {
        for (int d = 0; d < 16; ++d) weights.push_back(d == unit ? unit + 1 : 0);
      }
    }
  }
  return weights;
}

// Row r has 128 + d + 100 r at depth d: without 128, d + 100 r, as int8.
std::vector<uint8_t> RowsOfInputs(int rows) {
  std::vector<uint8_t> in;
  for (int row = 0; row < rows; ++row) {
    for (int d = 0; d < 32; ++d) in.push_back(static_cast<uint8_t>(128 + d + 20 * row));
  }
  return in;
}

testing::ResultCase ShuffledRows(int32_t rows) {
  Ints bias;
  Shorts out;
  for (int unit = 0; unit < 8; ++unit) bias.push_back(1000 * unit);
  for (int row = 0; row < rows; ++row) {
    for (int unit = 0; unit < 8; ++unit) {
      const int sum = (unit + 1) * (unit + 20 * row + 16 + unit + 20 * row);
      out.push_back(static_cast<int16_t>((sum + 1000 * unit) / 2));  // both are even
    }
  }
  std::vector<uint8_t> shuffled;
  for (int block = 0; block < 2; ++block) {
    for (int row = 0; row < rows; ++row) {
      for (int d = 0; d < 16; ++d) shuffled.push_back(16 * block + d + 20 * row);
    }
  }
  return {.name = "shuffled",
          .code = kLiteRtOpCodeTflFullyConnected,
          .options = kShuffled,
          .build =
              [=](NodeBuilder& n) {
                n.Input(kU8, {rows, 32}, Affine(0.5f, 128));
                n.Constant(kU8, {8, 32}, BlocksOfWeights(), Affine(0.5f, 128));
                n.Constant(kI32, {8}, BytesOf(bias));
                n.Output(kI16, Affine(0.5f, 0)).Output(kU8);
              },
          .inputs = {RowsOfInputs(rows)},
          .shapes = {{rows, 8}, {rows, 32}},
          .outputs = {BytesOf(out), shuffled}};
}

TEST(FullyConnected, TakesShuffledWeights) {
  ExpectResults({ShuffledRows(1), ShuffledRows(4)});
  const auto rows_and_depth = [](int32_t rows, int32_t depth, int32_t units, bool with_bias) {
    return [=](NodeBuilder& n) {
      n.Input(kU8, {rows, depth}, Affine(0.5f, 128));
      n.Input(kU8, {units, depth}, Affine(0.5f, 128));
      if (with_bias) n.Input(kI32, {units});
      n.Output(kI16, Affine(0.5f, 0)).Output(kU8);
    };
  };
  ExpectErrors({{.name = "two rows",
                 .code = kLiteRtOpCodeTflFullyConnected,
                 .options = kShuffled,
                 .build = rows_and_depth(2, 16, 4, true),
                 .says = {"FULLY_CONNECTED", "'in0'", "2 rows", "1 or 4"}},
                {.name = "a depth that is no multiple",
                 .code = kLiteRtOpCodeTflFullyConnected,
                 .options = kShuffled,
                 .build = rows_and_depth(1, 24, 4, true),
                 .says = {"FULLY_CONNECTED", "'in1'", "multiples of 4 units and of 16"}},
                {.name = "two outputs, plain weights",
                 .code = kLiteRtOpCodeTflFullyConnected,
                 .build = rows_and_depth(1, 16, 4, true),
                 .says = {"FULLY_CONNECTED", "two outputs"}},
                {.name = "one output, shuffled weights",
                 .code = kLiteRtOpCodeTflFullyConnected,
                 .options = kShuffled,
                 .build =
                     [](NodeBuilder& n) {
                       n.Input(kU8, {1, 16}, Affine(0.5f, 128));
                       n.Input(kU8, {4, 16}, Affine(0.5f, 128));
                       n.Input(kI32, {4}).Output(kI16, Affine(0.5f, 0));
                     },
                 .says = {"FULLY_CONNECTED", "no second output"}}});
}

// Activations that 8 bits hold exactly: 127 is the largest.
TEST(FullyConnected, HasTanhAndSignOfHybrids) {
  const auto run = [](ActivationFunctionType activation) {
    NodeBuilder n(kLiteRtOpCodeTflFullyConnected,
                  FullyConnectedOptions{.fused_activation_function = activation});
    n.Input(kF32, {1, 2})
        .Constant(kI8, {3, 2}, BytesOf(Bytes{1, 0, -1, 0, 0, 1}), Affine(0.0078125f, 0));
    n.Constant(kF32, {3}, BytesOf(Floats{0.0f, 0.25f, 0.5f})).Output(kF32);
    auto outputs = n.Run({BytesOf(Floats{127, 64}), {}, {}});
    EXPECT_TRUE(outputs) << outputs.Error().Message();
    return outputs ? ValuesOf<float>((*outputs)[0]) : Floats{};
  };
  const auto near = [](float x) { return ::testing::FloatNear(std::tanh(x), 1e-6f); };
  EXPECT_THAT(run(ActivationFunctionType::kTanh),
              ::testing::ElementsAre(near(0.9921875f), near(-0.7421875f), near(1.0f)));
  EXPECT_THAT(run(ActivationFunctionType::kSignBit), ::testing::ElementsAre(0, 1, 0));
}

}  // namespace
}  // namespace npukit::kernels

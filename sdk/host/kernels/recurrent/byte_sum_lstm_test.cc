// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The LSTM with twelve intermediate tensors. The expected numbers were computed by the rule in another
// program: products to 8 bits, their sum to 16, layer normalisation, logistic and tanh in float32.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::Bytes;
using testing::BytesOf;
using ::testing::HasSubstr;
using testing::Ints;
using testing::kI16;
using testing::kI32;
using testing::kI8;
using testing::NodeBuilder;
using testing::Shorts;
using testing::ValuesOf;

constexpr int32_t kInputs = 2;
constexpr int32_t kCells = 3;
constexpr int32_t kOutputs = 2;

// `scale` and zero point of: the sum, the input's products, the state's products.
void AddIntermediates(NodeBuilder& n, float sum, float in, int64_t in_zero, float state,
                      int64_t state_zero) {
  n.Intermediate(kI16, Affine(sum, 0));
  n.Intermediate(kI8, Affine(in, in_zero)).Intermediate(kI8, Affine(state, state_zero));
}

void AddLstm(NodeBuilder& n, bool with_norms = true, bool with_projection = true) {
  const auto weights = [&](const Bytes& values, int32_t rows, int32_t cols, float scale) {
    n.Constant(kI8, {rows, cols}, BytesOf(values), Affine(scale, 0));
  };
  n.Input(kI8, {3, 1, kInputs}, Affine(0.05f, -3));
  n.Omitted();
  weights({10, -20, 30, 40, -50, 60}, kCells, kInputs, 0.02f);
  weights({70, -30, -20, 10, 5, 90}, kCells, kInputs, 0.02f);
  weights({-15, 25, 35, -45, 55, 65}, kCells, kInputs, 0.02f);
  n.Omitted();
  weights({12, -22, 32, 42, -52, 62}, kCells, kOutputs, 0.03f);
  weights({72, -32, -22, 12, 7, 92}, kCells, kOutputs, 0.03f);
  weights({1, 2, 3, 4, 5, 6}, kCells, kOutputs, 0.03f);
  n.Omitted().Omitted().Omitted();  // peepholes
  n.Omitted();
  n.Constant(kI32, {kCells}, BytesOf(Ints{100000, -200000, 300000}));
  n.Constant(kI32, {kCells}, BytesOf(Ints{-400000, 500000, 600000}));
  n.Constant(kI32, {kCells}, BytesOf(Ints{700000, 800000, -900000}));
  if (with_projection) {
    weights({20, -30, 40, 50, 60, -70}, kOutputs, kCells, 0.01f);
    n.Constant(kI32, {kOutputs}, BytesOf(Ints{50000, -60000}));
  } else {
    n.Omitted().Omitted();
  }
  n.Variable(kI8, {1, with_projection ? kOutputs : kCells}, Affine(0.01f, 5));
  n.Variable(kI16, {1, kCells}, Affine(0x1p-15f, 0));
  n.Omitted();
  const Quantization norm = Affine(0.0003f, 0);
  if (with_norms) {
    n.Constant(kI16, {kCells}, BytesOf(Shorts{1000, -2000, 3000}), norm);
    n.Constant(kI16, {kCells}, BytesOf(Shorts{4000, 5000, -6000}), norm);
    n.Constant(kI16, {kCells}, BytesOf(Shorts{7000, -8000, 9000}), norm);
  }
  n.Output(kI8, Affine(0.01f, 5));
  AddIntermediates(n, 0.005f, 0.005f, 0, 0.005f, 0);  // of the input gate: not looked at
  AddIntermediates(n, 0.001f, 0.05f, 4, 0.02f, -6);
  AddIntermediates(n, 0.002f, 0.06f, -2, 0.03f, 8);
  AddIntermediates(n, 0.0015f, 0.07f, 1, 0.04f, 3);
}

std::vector<std::vector<uint8_t>> Inputs() { return {BytesOf(Bytes{40, -70, 15, 90, -128, 127})}; }

TEST(ByteSumLstm, GivesWhatTheRuleSays) {
  NodeBuilder n(kLiteRtOpCodeTflLstm, LSTMOptions{});
  AddLstm(n);
  const auto outputs = n.Run(Inputs());
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_THAT(ValuesOf<int8_t>((*outputs)[0]), ::testing::ElementsAre(11, 1, 18, -37, -12, -10));
}

TEST(ByteSumLstm, ClipsTheProjection) {
  NodeBuilder n(kLiteRtOpCodeTflLstm, LSTMOptions{.proj_clip = 0.1f});
  AddLstm(n);
  const auto outputs = n.Run(Inputs());
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  const auto values = ValuesOf<int8_t>((*outputs)[0]);
  EXPECT_EQ(values[0], 10);
  EXPECT_EQ(values[1], 1);
  for (int8_t value : values) EXPECT_LE(std::abs(value), 10);
}

TEST(ByteSumLstm, SaysWhatItLacks) {
  const struct {
    bool with_norms;
    bool with_projection;
    std::string says;
  } kCases[] = {{false, true, "no layer normalisation"}, {true, false, "no projection"}};
  for (const auto& c : kCases) {
    NodeBuilder n(kLiteRtOpCodeTflLstm, LSTMOptions{});
    AddLstm(n, c.with_norms, c.with_projection);
    const auto outputs = n.Run(Inputs());
    ASSERT_FALSE(outputs) << c.says;
    EXPECT_THAT(outputs.Error().Message(), HasSubstr(c.says));
  }
}

}  // namespace
}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The custom operators of audio models that TFLite brings. Numbers are those that TFLite gives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <flatbuffers/flexbuffers.h>

#include <vector>

#include "sdk/host/kernels/testing/custom_node.h"
#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using testing::CustomNode;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Ints;
using testing::kF32;
using testing::kI32;
using ::testing::Pointwise;
using testing::ValuesOf;

std::vector<uint8_t> Spectrogram(int window, int stride, bool squared) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Int("window_size", window);
    options.Int("stride", stride);
    options.Bool("magnitude_squared", squared);
  });
  options.Finish();
  return options.GetBuffer();
}

std::vector<uint8_t> Mfcc(int upper_hz, int lower_hz, int bands, int coefficients) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Int("upper_frequency_limit", upper_hz);
    options.Int("lower_frequency_limit", lower_hz);
    options.Int("filterbank_channel_count", bands);
    options.Int("dct_coefficient_count", coefficients);
  });
  options.Finish();
  return options.GetBuffer();
}

// Runs it, and holds the result against the oracle's.
Floats ResultOf(CustomNode& node, const std::vector<std::vector<uint8_t>>& inputs) {
  const auto outputs = node.Run(inputs);
  EXPECT_TRUE(outputs) << (outputs ? "" : outputs.Error().Message());
  if (!outputs) return {};
  const auto oracle = node.Oracle(inputs);
  EXPECT_TRUE(oracle) << (oracle ? "" : oracle.Error().Message());
  if (oracle) {
    const auto comparison = CompareWithOracle(node.node(), oracle->front(), outputs->front());
    EXPECT_TRUE(comparison && comparison->ok());
  }
  return ValuesOf<float>(outputs->front());
}

TEST(AudioSpectrogram, GivesMagnitudesOfWindows) {
  CustomNode plain("AudioSpectrogram", Spectrogram(8, 1, false));
  plain.Input(kF32, {8, 1}).Output(kF32);
  const Floats wave = {-1, 0, 1, 0, -1, 0, 1, 0};
  EXPECT_THAT(ResultOf(plain, {BytesOf(wave)}), Pointwise(FloatNear(1e-6F), Floats{0, 1, 2, 1, 0}));
  EXPECT_EQ(plain.node().outputs[0]->shape, (Shape{1, 1, 5}));

  CustomNode strided("AudioSpectrogram", Spectrogram(8, 2, true));
  strided.Input(kF32, {10, 1}).Output(kF32);
  EXPECT_THAT(ResultOf(strided, {BytesOf(Floats{-1, 0, 1, 0, -1, 0, 1, 0, 1, 0})}),
              Pointwise(FloatNear(1e-6F), Floats{0, 1, 4, 1, 0, 1, 2, 1, 2, 1}));

  // Channels alternate; a window of 6 is filled up to 8.
  CustomNode channels("AudioSpectrogram", Spectrogram(6, 3, true));
  channels.Input(kF32, {6, 2}).Output(kF32);
  const Floats both = ResultOf(channels, {BytesOf(Floats{1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0})});
  EXPECT_EQ(channels.node().outputs[0]->shape, (Shape{2, 1, 5}));
  EXPECT_NEAR(both[0], 9, 1e-5);  // the window sums to 3
  EXPECT_THAT(Floats(both.begin() + 5, both.end()), ElementsAre(0, 0, 0, 0, 0));

  CustomNode too_short("AudioSpectrogram", Spectrogram(8, 1, false));
  too_short.Input(kF32, {7, 1}).Output(kF32);
  EXPECT_TRUE(ResultOf(too_short, {BytesOf(Floats(7, 1))}).empty());
  EXPECT_EQ(too_short.node().outputs[0]->shape, (Shape{1, 0, 5}));
}

TEST(Mfcc, GivesCepstralCoefficients) {
  CustomNode node("Mfcc", Mfcc(4000, 20, 40, 13));
  node.Input(kF32, {1, 1, 513}).Constant(kI32, {}, BytesOf(Ints{22050})).Output(kF32);
  Floats squares;
  for (int i = 1; i <= 513; ++i) squares.push_back(static_cast<float>(i));
  EXPECT_THAT(ResultOf(node, {BytesOf(squares), {}}),
              Pointwise(FloatNear(1e-4F),
                        Floats{29.13970072F, -6.41568601F, -0.61903012F, -0.96778652F, -0.26819878F,
                               -0.40907028F, -0.15614748F, -0.23203119F, -0.10481487F, -0.1543029F,
                               -0.0769791F, -0.10806114F, -0.06047613F}));
}

// TFLite computes no bands whose highest frequency the spectrogram does not have, and no logarithms.
TEST(Mfcc, BeyondTheSpectrogramGivesZeros) {
  CustomNode node("Mfcc", Mfcc(4000, 20, 4, 3));
  node.Input(kF32, {1, 2, 9}).Constant(kI32, {1}, BytesOf(Ints{6000})).Output(kF32);
  EXPECT_THAT(ResultOf(node, {BytesOf(Floats(18, 5)), {}}), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(HadamardRotation, TransformsEachChunk) {
  flexbuffers::Builder options;
  options.Map([&] { options.Int("hadamard_size", 4); });
  options.Finish();
  CustomNode node("aeq.hadamard_rotation", options.GetBuffer());
  node.Input(kF32, {1, 8}).Output(kF32);
  EXPECT_THAT(ResultOf(node, {BytesOf(Floats{1, 2, 3, 4, 1, 0, 0, 0})}),
              ElementsAre(5, -1, -2, 0, 0.5F, 0.5F, 0.5F, 0.5F));
}

TEST(AudioOps, HostileOptionsAreErrors) {
  struct Case {
    const char* code;
    std::vector<uint8_t> options;
    const char* says;
  };
  const Case cases[] = {
      {"AudioSpectrogram", {}, "no FlexBuffer"},
      {"AudioSpectrogram", Spectrogram(1, 1, true), "out of range"},
      {"AudioSpectrogram", Spectrogram(8, 0, true), "out of range"},
      {"AudioSpectrogram", Spectrogram(1 << 30, 1, true), "out of range"},
      {"aeq.hadamard_rotation", {1, 2, 3}, "hadamard"},
  };
  for (const Case& hostile : cases) {
    CustomNode node(hostile.code, hostile.options);
    node.Input(kF32, {4, 2}).Output(kF32);
    const auto shapes = node.Infer();
    ASSERT_FALSE(shapes) << hostile.code;
    EXPECT_THAT(shapes.Error().Message(), HasSubstr(hostile.says));
  }
  for (const auto& options : {Mfcc(20, 4000, 40, 13), Mfcc(4000, 20, 12, 13), Mfcc(4000, 20, 0, 0),
                              Mfcc(4000, 20, 1 << 30, 13)}) {
    CustomNode node("Mfcc", options);
    node.Input(kF32, {1, 1, 9}).Constant(kI32, {1}, BytesOf(Ints{8000})).Output(kF32);
    const auto shapes = node.Infer();
    ASSERT_FALSE(shapes);
    EXPECT_THAT(shapes.Error().Message(), HasSubstr("out of range"));
  }
  CustomNode silent("Mfcc", Mfcc(4000, 20, 40, 13));
  silent.Input(kF32, {1, 1, 9}).Constant(kI32, {1}, BytesOf(Ints{0})).Output(kF32);
  ASSERT_FALSE(silent.Infer());
}

}  // namespace
}  // namespace npukit::kernels

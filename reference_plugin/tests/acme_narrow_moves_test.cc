// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Movement that lies in float32 between conversions, which AcmeCorp does in the narrower type: equal
// to the CPU's bytes, and in less time than the float32 images alone take through the DRAM.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

constexpr MirrorPadOptions kReflect{.mode = MirrorPadMode::kReflect};

Tensor* Indices(ModelBuilder& b, const char* name, const Shape& shape,
                const std::vector<int32_t>& values) {
  return b.Constant<int32_t>(name, shape, values);
}

Tensor* Dequantized(ModelBuilder& b, const std::string& name, Tensor* x) {
  Tensor* y = b.Value(name, kF32, x->shape);
  b.AddOp(kLiteRtOpCodeTflDequantize, {x}, {y}, 2);
  return y;
}

// An image of a conversion's type, enlarged and with mirrored edges, then of another scale; and a
// convolution over it, if it is int8.
OpCase ImageCase(LiteRtElementType type, float scale, int32_t zero_point, bool convolved) {
  OpCase test;
  test.name = "image_" + Name(type) + (scale == 0.05f ? "_same" : "_other");
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", type, {1, 60, 45, 16}, Quant(type, 0.05f, 0));
    Tensor* large = b.Value("large", kF32, {1, 120, 90, 16});
    Tensor* framed = b.Value("framed", kF32, {1, 124, 93, 16});
    Tensor* y = b.Value("y", type, {1, 124, 93, 16}, Quant(type, scale, zero_point));
    b.AddOp(kLiteRtOpCodeTflResizeNearestNeighbor, ResizeNearestNeighborOptions{},
            {Dequantized(b, "real", x), Indices(b, "size", {2}, {120, 90})}, {large}, 2);
    b.AddOp(kLiteRtOpCodeTflMirrorPad, kReflect,
            {large, Indices(b, "frame", {4, 2}, {0, 0, 2, 2, 3, 0, 0, 0})}, {framed});
    b.AddOp(kLiteRtOpCodeTflQuantize, {framed}, {y}, 2);
    if (!convolved) return b.Output(y);
    Tensor* z = b.Value("z", type, {1, 122, 91, 24}, Quant(type, 0.04f, 7));
    b.AddOp(kLiteRtOpCodeTflConv2d,
            Conv2DOptions{.padding = Padding::kValid, .stride_w = 1, .stride_h = 1},
            {y, AddConstant<int8_t>(b, "w", {24, 3, 3, 16}, PerTensor(0.002f), -127, 127),
             AddConstant<int32_t>(b, "bias", {24}, PerTensor(0.002f * scale), -300, 300)},
            {z}, 3);
    b.Output(z);
  };
  return test;
}

// Parts of two scales, one of them read elsewhere, joined and padded with a number; then to `type`.
OpCase PartsCase(LiteRtElementType type, float fill) {
  OpCase test;
  test.name = "parts_" + Name(type) + (fill == 0 ? "_zero" : "_fill");
  test.build = [=](ModelBuilder& b) {
    Tensor* a = Dequantized(b, "a_real", b.Input("a", kI8, {6, 40}, PerTensor(0.05f, 3)));
    Tensor* c = Dequantized(b, "c_real", b.Input("c", kU8, {6, 30}, PerTensor(0.07f, 100)));
    Tensor* negative = b.Value("negative", kF32, {6, 40});
    Tensor* joined = b.Value("joined", kF32, {6, 70});
    Tensor* padded = b.Value("padded", kF32, {8, 73});
    Tensor* turned = b.Value("turned", kF32, {73, 8});
    Tensor* y = b.Value("y", type, {73, 8}, Quant(type, 0.06f, 0));
    b.AddOp(kLiteRtOpCodeTflNeg, {a}, {negative});
    b.AddOp(kLiteRtOpCodeTflConcatenation, ConcatenationOptions{.axis = 1}, {a, c}, {joined}, 2);
    b.AddOp(kLiteRtOpCodeTflPadv2,
            {joined, Indices(b, "amounts", {2, 2}, {1, 1, 0, 3}),
             b.Constant<float>("fill", {1}, {fill})},
            {padded});
    b.AddOp(kLiteRtOpCodeTflTranspose, {padded, Indices(b, "order", {2}, {1, 0})}, {turned}, 2);
    b.AddOp(kLiteRtOpCodeTflQuantize, {turned}, {y}, 2);
    b.Output(negative);
    b.Output(y);
  };
  return test;
}

// What is moved and then read as float32; the padding's zero is a step of x, the other is none.
OpCase FloatCase(float fill) {
  OpCase test;
  test.name = fill == 0 ? "float_zero" : "float_fill";
  test.build = [=](ModelBuilder& b) {
    Tensor* x = Dequantized(b, "real", b.Input("x", kI16, {20, 30}, PerTensor(0.003f)));
    Tensor* padded = b.Value("padded", kF32, {22, 31});
    Tensor* turned = b.Value("turned", kF32, {31, 22});
    Tensor* y = b.Value("y", kF32, {31, 22});
    b.AddOp(
        kLiteRtOpCodeTflPadv2,
        {x, Indices(b, "amounts", {2, 2}, {1, 1, 0, 1}), b.Constant<float>("fill", {1}, {fill})},
        {padded});
    b.AddOp(kLiteRtOpCodeTflTranspose, {padded, Indices(b, "order", {2}, {1, 0})}, {turned}, 2);
    b.AddOp(kLiteRtOpCodeTflAbs, {turned}, {y});
    b.Output(y);
  };
  return test;
}

std::vector<OpCase> Cases() {
  std::vector<OpCase> cases;
  for (LiteRtElementType type : {kI8, kU8, kI16}) {
    cases.push_back(ImageCase(type, 0.05f, 0, false));
    cases.push_back(ImageCase(type, 0.031f, type == kI16 ? 0 : 9, type == kI8));
    cases.push_back(PartsCase(type, 0));
    cases.push_back(PartsCase(type, 1.27f));
  }
  cases.push_back(FloatCase(0));
  cases.push_back(FloatCase(0.00172f));
  return cases;
}

class AcmeNarrowMoves : public OnSoc {};

TEST_P(AcmeNarrowMoves, EqualTheCpu) { ExpectNpuEqualsCpu(); }

INSTANTIATE_TEST_SUITE_P(Moves, AcmeNarrowMoves, OnEverySoc(Cases()), OnSoc::Name);

// 120 x 90 x 16 float32 elements and their frame, written and read, are 2.9 MB: 180000 cycles.
TEST(AcmeNarrowMoves, TakeLessThanFloatsThroughTheDram) {
  const NpuCycles measured = MeasureCycles(ImageCase(kI8, 0.031f, 9, true), "acme_a1");
  EXPECT_LT(measured.cycles, 100000);
}

}  // namespace
}  // namespace npukit

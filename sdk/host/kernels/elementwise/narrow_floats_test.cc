// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators of one or two inputs on floats of 16 and 64 bits, and on numbers that few operators take.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using testing::ExpectErrors;
using testing::ExpectResults;
using testing::Floats;
using testing::kBool;
using testing::kF32;
using testing::kI16;
using testing::kI8;
using testing::kNan;
using testing::NodeBuilder;
using testing::ResultCase;

constexpr auto kF16 = kLiteRtElementTypeFloat16;
constexpr auto kBF16 = kLiteRtElementTypeBFloat16;
constexpr auto kF64 = kLiteRtElementTypeFloat64;
constexpr auto kC64 = kLiteRtElementTypeComplex64;
constexpr auto kU32 = kLiteRtElementTypeUInt32;

using Doubles = std::vector<double>;
using Complexes = std::vector<std::complex<float>>;
using Unsigned = std::vector<uint32_t>;

std::vector<uint8_t> Narrow(LiteRtElementType type, const Floats& values) {
  std::vector<uint16_t> bits;
  for (float value : values)
    bits.push_back(type == kF16 ? FloatToHalf(value) : FloatToBFloat16(value));
  return BytesOf(bits);
}

ResultCase Binary(const std::string& name, LiteRtOpCode code, LiteRtElementType type,
                  std::vector<uint8_t> a, std::vector<uint8_t> b, LiteRtElementType out_type,
                  std::vector<uint8_t> out, int32_t count, OpOptions options = {}) {
  return {.name = name + "_" + ElementTypeName(type),
          .code = code,
          .options = std::move(options),
          .build =
              [=](NodeBuilder& n) { n.Input(type, {count}).Input(type, {count}).Output(out_type); },
          .inputs = {std::move(a), std::move(b)},
          .shapes = {{count}},
          .outputs = {std::move(out)}};
}

ResultCase Unary(const std::string& name, LiteRtOpCode code, LiteRtElementType type,
                 std::vector<uint8_t> in, std::vector<uint8_t> out, int32_t count) {
  return {.name = name + "_" + ElementTypeName(type),
          .code = code,
          .build = [=](NodeBuilder& n) { n.Input(type, {count}).Output(type); },
          .inputs = {std::move(in)},
          .shapes = {{count}},
          .outputs = {std::move(out)}};
}

// a b / 2^15 / 2^8, rounded twice, ties away from zero in the second step; scales are not looked at.
TEST(Mul, OfFractionsGivesEightBits) {
  const std::vector<int16_t> a = {-32768, 16384, 16384, -16384, 20000, 384, -384};
  const std::vector<int16_t> b = {-32768, 16384, -16384, 16384, 20000, 32767, 32767};
  const auto product = [&](std::string name, LiteRtElementType out, int64_t zero_point,
                           std::vector<uint8_t> expected, MulOptions options = {}) {
    return ResultCase{.name = std::move(name),
                      .code = kLiteRtOpCodeTflMul,
                      .options = options,
                      .build =
                          [=](NodeBuilder& n) {
                            n.Input(kI16, {7}, testing::Affine(0.5f, 0));
                            n.Input(kI16, {7}).Output(out, testing::Affine(0.25f, zero_point));
                          },
                      .inputs = {BytesOf(a), BytesOf(b)},
                      .shapes = {{7}},
                      .outputs = {std::move(expected)}};
  };
  const auto bytes = [](const std::vector<int8_t>& values) { return BytesOf(values); };
  ExpectResults({
      product("int8", kI8, 0, bytes({127, 32, -32, -32, 48, 2, -2})),
      product("int8 with a zero point", kI8, -100, bytes({28, -68, -128, -128, -52, -98, -102})),
      product("uint8", testing::kU8, 128, {255, 160, 96, 96, 176, 130, 126}),
      product("int8 below 6", kI8, 0, bytes({24, 24, 0, 0, 24, 2, 0}),
              {.fused_activation_function = ActivationFunctionType::kRelu6}),
  });
  ExpectErrors({{.name = "broadcast",
                 .code = kLiteRtOpCodeTflMul,
                 .build =
                     [](NodeBuilder& n) {
                       n.Input(kI16, {7}).Input(kI16, {1}).Output(kI8, testing::Affine(0.25f, 0));
                     },
                 .inputs = {BytesOf(a), {0, 0}},
                 .says = {"MUL", "'in1'", "the other factor's shape"}}});
}

// Sums and products are rounded once, infinities become the largest number.
TEST(NarrowFloats, AreAddedAndMultiplied) {
  const Floats a = {1, 60000, -60000, 3.5f, 0.125f};
  const Floats b = {0.00048828125f, 60000, -6000, -1.5f, 8};  // 2^-11: half a step above 1
  ExpectResults({
      Binary("add", kLiteRtOpCodeTflAdd, kF16, Narrow(kF16, a), Narrow(kF16, b), kF16,
             Narrow(kF16, {1, 65504, -65504, 2, 8.125f}), 5),
      Binary("mul", kLiteRtOpCodeTflMul, kF16, Narrow(kF16, a), Narrow(kF16, b), kF16,
             Narrow(kF16, {0.00048828125f, 65504, 65504, -5.25f, 1}), 5),
      Binary("add_up_to_6", kLiteRtOpCodeTflAdd, kF16, Narrow(kF16, a), Narrow(kF16, b), kF16,
             Narrow(kF16, {1, 6, 0, 2, 6}), 5,
             AddOptions{.fused_activation_function = ActivationFunctionType::kRelu6}),
  });
}

TEST(NarrowFloats, GoThroughFunctionsOfOneInput) {
  const Floats x = {-1.5f, 0.5f, 2.5f, 3.25f};
  std::vector<ResultCase> cases = {
      Unary("cos", kLiteRtOpCodeTflCos, kF16, Narrow(kF16, x),
            Narrow(kF16, {std::cos(-1.5f), std::cos(0.5f), std::cos(2.5f), std::cos(3.25f)}), 4),
      Unary("sin", kLiteRtOpCodeTflSin, kF16, Narrow(kF16, x),
            Narrow(kF16, {std::sin(-1.5f), std::sin(0.5f), std::sin(2.5f), std::sin(3.25f)}), 4),
      // x / 2 erfc(-x / sqrt 2)
      Unary("gelu", kLiteRtOpCodeTflGelu, kF16, Narrow(kF16, x),
            Narrow(kF16, {-0.1002108f, 0.3457312f, 2.4844758f, 3.2481247f}), 4),
      // e^-4.75, e^-2.75, e^-0.75 and 1, over their sum, 1.5449459
      Unary("softmax", kLiteRtOpCodeTflSoftmax, kF16, Narrow(kF16, x),
            Narrow(kF16, {0.0056000f, 0.0413787f, 0.3057495f, 0.6472718f}), 4)};
  for (const LiteRtElementType type : {kF16, kBF16}) {
    cases.push_back(Unary("floor", kLiteRtOpCodeTflFloor, type, Narrow(type, x),
                          Narrow(type, {-2, 0, 2, 3}), 4));
    cases.push_back(Unary("round", kLiteRtOpCodeTflRound, type, Narrow(type, x),
                          Narrow(type, {-2, 0, 2, 3}), 4));
  }
  ExpectResults(cases);
}

TEST(NarrowFloats, AreCompared) {
  const Floats a = {1, 2, -3, kNan};
  const Floats b = {1, 3, -4, 1};
  const auto half = [&](const std::string& name, LiteRtOpCode code, std::vector<uint8_t> out) {
    return Binary(name, code, kF16, Narrow(kF16, a), Narrow(kF16, b), kBool, std::move(out), 4);
  };
  ExpectResults({
      half("equal", kLiteRtOpCodeTflEqual, {1, 0, 0, 0}),
      half("not_equal", kLiteRtOpCodeTflNotEqual, {0, 1, 1, 1}),
      half("less", kLiteRtOpCodeTflLess, {0, 1, 0, 0}),
      half("less_equal", kLiteRtOpCodeTflLessEqual, {1, 1, 0, 0}),
      half("greater", kLiteRtOpCodeTflGreater, {0, 0, 1, 0}),
      half("greater_equal", kLiteRtOpCodeTflGreaterEqual, {1, 0, 1, 0}),
      Binary("less", kLiteRtOpCodeTflLess, kBF16, Narrow(kBF16, a), Narrow(kBF16, b), kBool,
             {0, 1, 0, 0}, 4),
      Binary("greater", kLiteRtOpCodeTflGreater, kBF16, Narrow(kBF16, a), Narrow(kBF16, b), kBool,
             {0, 0, 1, 0}, 4),
  });
}

TEST(NarrowFloats, AreSelectedAndNegated) {
  std::vector<ResultCase> cases;
  for (LiteRtElementType type : {kF16, kBF16}) {
    const auto a = Narrow(type, {1, -2, kNan});
    const auto b = Narrow(type, {0.5F, 3, 7});
    cases.push_back(
        Binary("maximum", kLiteRtOpCodeTflMaximum, type, a, b, type, Narrow(type, {1, 3, 7}), 3));
    cases.push_back(Binary("minimum", kLiteRtOpCodeTflMinimum, type, a, b, type,
                           Narrow(type, {0.5F, -2, 7}), 3));
    cases.push_back(Unary("neg", kLiteRtOpCodeTflNeg, type, Narrow(type, {1, -2, 0}),
                          Narrow(type, {-1, 2, -0.0F}), 3));
  }
  ExpectResults(cases);
}

// Computed in float32 and rounded once.
TEST(NarrowFloats, FunctionsAreRoundedOnce) {
  std::vector<ResultCase> cases;
  for (LiteRtElementType type : {kF16, kBF16}) {
    const Floats x = {-20, -1, 0, 0.5F, 20};
    Floats tanh, logistic, angle;
    for (float v : x) {
      tanh.push_back(std::tanh(v));
      logistic.push_back(1 / (1 + std::exp(-v)));
      angle.push_back(std::atan2(v, 2.0F));
    }
    cases.push_back(
        Unary("tanh", kLiteRtOpCodeTflTanh, type, Narrow(type, x), Narrow(type, tanh), 5));
    cases.push_back(Unary("logistic", kLiteRtOpCodeTflLogistic, type, Narrow(type, x),
                          Narrow(type, logistic), 5));
    cases.push_back(Binary("atan2", kLiteRtOpCodeTflAtan2, type, Narrow(type, x),
                           Narrow(type, Floats(5, 2)), type, Narrow(type, angle), 5));
  }
  ExpectResults(cases);
}

TEST(RareTypes, AreComputed) {
  ExpectResults({
      Unary("sign", kLiteRtOpCodeTflSign, kF64, BytesOf(Doubles{-1e-300, 0, 4}),
            BytesOf(Doubles{-1, 0, 1}), 3),
      Binary("mul", kLiteRtOpCodeTflMul, kU32, BytesOf(Unsigned{3, 0x80000000u}),
             BytesOf(Unsigned{5, 2}), kU32, BytesOf(Unsigned{15, 0}), 2, MulOptions{}),
      Binary("mul_relu6", kLiteRtOpCodeTflMul, kU32, BytesOf(Unsigned{3, 1}),
             BytesOf(Unsigned{5, 2}), kU32, BytesOf(Unsigned{6, 2}), 2,
             MulOptions{.fused_activation_function = ActivationFunctionType::kRelu6}),
      Binary("mul", kLiteRtOpCodeTflMul, kC64, BytesOf(Complexes{{1, 2}, {0, 1}}),
             BytesOf(Complexes{{3, -1}, {0, 1}}), kC64, BytesOf(Complexes{{5, 5}, {-1, 0}}), 2,
             MulOptions{}),
  });
  ExpectErrors({{.name = "complex numbers with an activation",
                 .code = kLiteRtOpCodeTflMul,
                 .options = MulOptions{.fused_activation_function = ActivationFunctionType::kRelu},
                 .build = [](NodeBuilder& n) { n.Input(kC64, {1}).Input(kC64, {1}).Output(kC64); },
                 .inputs = {BytesOf(Complexes{{1, 0}}), BytesOf(Complexes{{1, 0}})},
                 .says = {"MUL", "complex numbers cannot have"}}});
}

// Without a fused activation nothing asks for the scale.
TEST(Pooling, OfIntegersNeedsNoScale) {
  std::vector<ResultCase> cases;
  for (const LiteRtOpCode code : {kLiteRtOpCodeTflMaxPool2d, kLiteRtOpCodeTflAveragePool2d}) {
    const int8_t expected = code == kLiteRtOpCodeTflMaxPool2d ? 6 : 2;
    cases.push_back({.name = "pool",
                     .code = code,
                     .options = Pool2DOptions{.padding = Padding::kValid,
                                              .stride_w = 1,
                                              .stride_h = 1,
                                              .filter_width = 2,
                                              .filter_height = 1},
                     .build =
                         [](NodeBuilder& n) {
                           n.Input(kI8, {1, 1, 2, 1}).Output(kI8);
                         },
                     .inputs = {BytesOf(std::vector<int8_t>{-2, 6})},
                     .shapes = {{1, 1, 1, 1}},
                     .outputs = {BytesOf(std::vector<int8_t>{expected})}});
  }
  ExpectResults(cases);
}

// TFLite's kernels of these operators know three activations and pass over the others.
TEST(FusedActivations, ThatAreNoRangeAreNotLookedAt) {
  for (ActivationFunctionType activation :
       {ActivationFunctionType::kTanh, ActivationFunctionType::kSignBit}) {
    ExpectResults({
        Binary("add", kLiteRtOpCodeTflAdd, kF32, BytesOf(Floats{3, -4}), BytesOf(Floats{2, 1}),
               kF32, BytesOf(Floats{5, -3}), 2,
               AddOptions{.fused_activation_function = activation}),
        {.name = "max_pool_2d",
         .code = kLiteRtOpCodeTflMaxPool2d,
         .options = Pool2DOptions{.stride_w = 1,
                                  .stride_h = 1,
                                  .filter_width = 1,
                                  .filter_height = 1,
                                  .fused_activation_function = activation},
         .build =
             [](NodeBuilder& n) {
               n.Input(kI8, {1, 1, 2, 1}, testing::Affine(1, 0)).Output(kI8, testing::Affine(1, 0));
             },
         .inputs = {{5, 0xF0}},
         .shapes = {{1, 1, 2, 1}},
         .outputs = {{5, 0xF0}}},
    });
  }
}

}  // namespace
}  // namespace npukit::kernels

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

ResultCase Binary(std::string name, LiteRtOpCode code, LiteRtElementType type,
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

ResultCase Unary(std::string name, LiteRtOpCode code, LiteRtElementType type,
                 std::vector<uint8_t> in, std::vector<uint8_t> out, int32_t count) {
  return {.name = name + "_" + ElementTypeName(type),
          .code = code,
          .build = [=](NodeBuilder& n) { n.Input(type, {count}).Output(type); },
          .inputs = {std::move(in)},
          .shapes = {{count}},
          .outputs = {std::move(out)}};
}

TEST(NarrowFloats, AreCompared) {
  const Floats a = {1, 2, -3, kNan};
  const Floats b = {1, 3, -4, 1};
  const auto half = [&](std::string name, LiteRtOpCode code, std::vector<uint8_t> out) {
    return Binary(name, code, kF16, Narrow(kF16, a), Narrow(kF16, b), kBool, out, 4);
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
  ExpectErrors({{.name = "a kernel of TFLite's that computes it",
                 .code = kLiteRtOpCodeTflFullyConnected,
                 .options = FullyConnectedOptions{.fused_activation_function =
                                                      ActivationFunctionType::kTanh},
                 .build =
                     [](NodeBuilder& n) {
                       n.Input(kF32, {1, 2})
                           .Constant(kI8, {1, 2}, {1, 2}, testing::Affine(1, 0))
                           .Output(kF32);
                     },
                 .inputs = {BytesOf(Floats{1, 2}), {}},
                 .says = {"FULLY_CONNECTED", "TANH"}}});
}

}  // namespace
}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that work element by element: functions, conversions, arithmetic. One at a time, on every chip.
// The larger shapes do not fit the smaller chips' scratchpads.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

// A function of one operand.
struct Function {
  LiteRtOpCode code;
  std::string name;
  OpOptions options = {};
  Quantization result = {};  // empty: as the operand's, wider
  Quantization operand = {};
  double absolute = 0;  // float32
};

OpCase FunctionCase(const Function& function, LiteRtElementType type, const Shape& shape) {
  OpCase test;
  test.name = function.name + "_" + Name(type) + Name(shape);
  test.build = [=](ModelBuilder& b) {
    const bool quantised = IsQuantised(type);
    Quantization operand = Quant(type, 0.05f, 3);
    Quantization result = Quant(type, 0.04f, -7);
    if (quantised && !function.operand.scale.empty()) operand = function.operand;
    if (quantised && !function.result.scale.empty()) result = function.result;
    Tensor* x = b.Input("x", type, shape, operand);
    Tensor* y = b.Value("y", type, shape, result);
    b.AddOp(function.code, function.options, {x}, {y}, 2);
    b.Output(y);
  };
  if (type == kF32) test.absolute = function.absolute;
  return test;
}

std::vector<OpCase> FunctionCases() {
  const Quantization logistic = PerTensor(1.0f / 256, -128);
  const Quantization logistic_u8 = PerTensor(1.0f / 256, 0);
  const Quantization q15 = PerTensor(1.0f / 32768);
  const Quantization above_zero = PerTensor(0.03f, -128);
  const GeluOptions by_tanh{.approximate = true};
  std::vector<OpCase> cases;
  const auto add = [&](const Function& function, const std::vector<LiteRtElementType>& types) {
    for (LiteRtElementType type : types) {
      cases.push_back(FunctionCase(function, type, {3, 5, 7}));
      cases.push_back(FunctionCase(function, type, {1, 301, 127, 17}));
    }
  };
  add({kLiteRtOpCodeTflRelu, "relu"}, {kI8, kU8, kI16, kF32});
  add({kLiteRtOpCodeTflRelu6, "relu6"}, {kI8, kU8, kI16, kF32});
  add({kLiteRtOpCodeTflReluN1To1, "relu_n1_to_1"}, {kI8, kU8, kF32});
  add({kLiteRtOpCodeTflLogistic, "logistic", {}, logistic}, {kI8});
  add({kLiteRtOpCodeTflLogistic, "logistic", {}, logistic_u8}, {kU8});
  add({kLiteRtOpCodeTflLogistic, "logistic", {}, q15, {}, 0x1p-22}, {kI16, kF32});
  add({kLiteRtOpCodeTflLogistic, "logistic_exact", {}, q15, PerTensor(1.0f / 4096)}, {kI16});
  add({kLiteRtOpCodeTflTanh, "tanh"}, {kI8, kU8});
  add({kLiteRtOpCodeTflTanh, "tanh", {}, q15, {}, 0x1p-22}, {kI16, kF32});
  add({kLiteRtOpCodeTflTanh, "tanh_exact", {}, q15, PerTensor(1.0f / 2048)}, {kI16});
  add({kLiteRtOpCodeTflGelu, "gelu", GeluOptions{}, {}, {}, 0x1p-21}, {kI8, kU8, kI16, kF32});
  add({kLiteRtOpCodeTflGelu, "gelu_tanh", by_tanh, {}, {}, 0x1p-20}, {kI8, kU8, kI16, kF32});
  add({kLiteRtOpCodeTflExp, "exp", {}, {}, {}, 0x1p-20}, {kI8, kI16, kF32});
  add({kLiteRtOpCodeTflElu, "elu", {}, {}, {}, 0x1p-21}, {kI8, kF32});
  add({kLiteRtOpCodeTflLog, "log", {}, {}, {}, 0x1p-20}, {kI8, kI16, kF32});
  add({kLiteRtOpCodeTflSin, "sin", {}, {}, {}, 0x1p-21}, {kF32});
  add({kLiteRtOpCodeTflCos, "cos", {}, {}, {}, 0x1p-21}, {kF32});
  add({kLiteRtOpCodeTflFloor, "floor"}, {kF32});
  add({kLiteRtOpCodeTflCeil, "ceil"}, {kF32});
  add({kLiteRtOpCodeTflRound, "round"}, {kF32});
  add({kLiteRtOpCodeTflSquare, "square"}, {kF32});
  add({kLiteRtOpCodeTflAbs, "abs"}, {kI8, kF32});
  add({kLiteRtOpCodeTflNeg, "neg"}, {kI8, kF32});
  add({kLiteRtOpCodeTflSqrt, "sqrt", {}, {}, above_zero}, {kI8});
  add({kLiteRtOpCodeTflRsqrt, "rsqrt", {}, {}, above_zero}, {kI8});
  add({kLiteRtOpCodeTflHardSwish, "hard_swish", {}, {}, {}, 0x1p-21}, {kI8, kU8, kF32});
  add({kLiteRtOpCodeTflLeakyRelu, "leaky_relu", LeakyReluOptions{.alpha = 0.3f}},
      {kI8, kU8, kI16, kF32});
  add({kLiteRtOpCodeTflLeakyRelu, "leaky_relu_falling", LeakyReluOptions{.alpha = -1.7f}},
      {kI8, kU8, kF32});
  return cases;
}

OpCase ConvertCase(LiteRtOpCode code, LiteRtElementType from, LiteRtElementType to,
                   const Shape& shape) {
  const bool quantize = code == kLiteRtOpCodeTflQuantize;
  return {std::string(quantize ? "quantize_" : "dequantize_") + Name(from) + "_to_" + Name(to) +
              Name(shape),
          [=](ModelBuilder& b) {
            const auto quant = [](LiteRtElementType type, float scale, int64_t zero_point) {
              return type == kI32 ? PerTensor(scale / 100) : Quant(type, scale, zero_point);
            };
            Tensor* x = b.Input("x", from, shape, quant(from, 0.05f, 3));
            Tensor* y = b.Value("y", to, shape, quant(to, from == kF32 ? 0.006f : 0.07f, -4));
            b.AddOp(code, {x}, {y});
            b.Output(y);
          }};
}

std::vector<OpCase> ConvertCases() {
  std::vector<OpCase> cases;
  for (const Shape& shape : {Shape{3, 5, 7}, Shape{1, 301, 127, 17}}) {
    for (LiteRtElementType to : {kI8, kU8, kI16}) {
      cases.push_back(ConvertCase(kLiteRtOpCodeTflDequantize, to, kF32, shape));
      for (LiteRtElementType from : {kI8, kU8, kI16, kI32, kF32}) {
        if (from == kI32 && to == kU8) continue;
        cases.push_back(ConvertCase(kLiteRtOpCodeTflQuantize, from, to, shape));
      }
    }
    cases.push_back(ConvertCase(kLiteRtOpCodeTflQuantize, kI16, kI32, shape));
  }
  return cases;
}

OpCase BinaryCase(LiteRtOpCode code, const std::string& name, LiteRtElementType type,
                  const Shape& a, const Shape& b_shape, const Shape& y) {
  OpCase test;
  test.name = name + "_" + Name(type) + Name(a) + "_and" + Name(b_shape);
  const bool stored = code == kLiteRtOpCodeTflMaximum || code == kLiteRtOpCodeTflMinimum;
  test.build = [=](ModelBuilder& b) {
    Tensor* left = b.Input("a", type, a, Quant(type, 0.05f, 12));
    Tensor* right =
        b.Input("b", type, b_shape, stored ? Quant(type, 0.05f, 12) : Quant(type, 0.021f, -30));
    Tensor* result =
        b.Value("y", type, y, stored ? Quant(type, 0.05f, 12) : Quant(type, 0.07f, -4));
    b.AddOp(code, {left, right}, {result}, 2);
    b.Output(result);
  };
  return test;
}

// Integers by divisors of both signs.
OpCase DivisionCase(LiteRtOpCode code, const std::string& name, const Shape& a,
                    const Shape& b_shape) {
  OpCase test;
  test.name = name + Name(a) + "_by" + Name(b_shape);
  test.build = [=](ModelBuilder& b) {
    Tensor* left = b.Input("a", kI32, a, {});
    std::vector<int32_t> divisors;
    for (int32_t dim = 0; dim < b_shape.back(); ++dim)
      divisors.push_back(dim % 2 == 0 ? 48 - dim : -7 - dim);
    Tensor* right = b.Constant<int32_t>("b", b_shape, divisors);
    Tensor* result = b.Value("y", kI32, a, {});
    b.AddOp(code, {left, right}, {result});
    b.Output(result);
  };
  return test;
}

std::vector<OpCase> BinaryCases() {
  std::vector<OpCase> cases;
  const auto add = [&](LiteRtOpCode code, const std::string& name,
                       const std::vector<LiteRtElementType>& types) {
    for (LiteRtElementType type : types) {
      cases.push_back(BinaryCase(code, name, type, {2, 3, 5, 7}, {2, 3, 5, 7}, {2, 3, 5, 7}));
      cases.push_back(BinaryCase(code, name, type, {2, 3, 5, 7}, {7}, {2, 3, 5, 7}));
      if (code == kLiteRtOpCodeTflPrelu) continue;  // the result has the operand's shape
      cases.push_back(BinaryCase(code, name, type, {4, 1, 6}, {1, 5, 1}, {4, 5, 6}));
      cases.push_back(
          BinaryCase(code, name, type, {3, 1, 4, 1, 5}, {1, 2, 1, 3, 1}, {3, 2, 4, 3, 5}));
      if (type == kI8)
        cases.push_back(BinaryCase(code, name, type, {1, 301, 127, 67}, {67}, {1, 301, 127, 67}));
    }
  };
  add(kLiteRtOpCodeTflAdd, "add", {kI8, kU8, kI16, kF32});
  add(kLiteRtOpCodeTflSub, "sub", {kI8, kU8, kI16, kF32});
  add(kLiteRtOpCodeTflMul, "mul", {kI8, kU8, kI16, kF32});
  add(kLiteRtOpCodeTflDiv, "div", {kF32});
  add(kLiteRtOpCodeTflMaximum, "maximum", {kI8, kU8, kI16, kI32, kF32});
  add(kLiteRtOpCodeTflMinimum, "minimum", {kI8, kU8, kI16, kI32, kF32});
  add(kLiteRtOpCodeTflPrelu, "prelu", {kI8, kU8, kF32});
  add(kLiteRtOpCodeTflSquaredDifference, "squared_difference", {kI8, kF32});
  for (const auto& [code, name] : {std::pair(kLiteRtOpCodeTflFloorDiv, "floor_div"),
                                   std::pair(kLiteRtOpCodeTflFloorMod, "floor_mod")}) {
    cases.push_back(DivisionCase(code, name, {2, 3, 5, 7}, {7}));
    cases.push_back(DivisionCase(code, name, {1, 301, 127, 9}, {1}));
  }
  return cases;
}

class AcmeElementwiseOps : public OnSoc {};

TEST_P(AcmeElementwiseOps, EqualTheCpu) { ExpectNpuEqualsCpu(); }

INSTANTIATE_TEST_SUITE_P(Function, AcmeElementwiseOps, OnEverySoc(FunctionCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Convert, AcmeElementwiseOps, OnEverySoc(ConvertCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Binary, AcmeElementwiseOps, OnEverySoc(BinaryCases()), OnSoc::Name);

}  // namespace
}  // namespace npukit

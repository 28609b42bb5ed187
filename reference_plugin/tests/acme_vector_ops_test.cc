// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators of the vector engine and of the DMA engines, one at a time, on every chip. The larger
// shapes do not fit the smaller chips' scratchpads.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

OpCase ReshapeCase(LiteRtElementType type, Shape from, Shape to) {
  return {"reshape_" + Name(type) + Name(from), [=](ModelBuilder& b) {
            Tensor* x = b.Input("x", type, from, Quant(type, 0.05f, 3));
            Tensor* y = b.Value("y", type, to, Quant(type, 0.05f, 3));
            Tensor* shape = b.Constant<int32_t>("shape", {static_cast<int32_t>(to.size())}, to);
            b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{.new_shape = to}, {x, shape}, {y});
            b.Output(y);
          }};
}

struct Window {
  int32_t kernel_h, kernel_w, stride_h, stride_w;
  Padding padding;
  ActivationFunctionType activation = ActivationFunctionType::kNone;
};

OpCase PoolCase(LiteRtOpCode code, LiteRtElementType type, Shape x_shape, Window window) {
  const auto out = [&](int32_t in, int32_t kernel, int32_t stride) {
    const int32_t reach = window.padding == Padding::kSame ? in : in - kernel + 1;
    return (reach + stride - 1) / stride;
  };
  const Shape y_shape = {x_shape[0], out(x_shape[1], window.kernel_h, window.stride_h),
                         out(x_shape[2], window.kernel_w, window.stride_w), x_shape[3]};
  const bool average = code == kLiteRtOpCodeTflAveragePool2d;
  OpCase test;
  test.name = std::string(average ? "average" : "max") + "_pool_" + Name(type) + Name(x_shape) +
              "_by" + Name(Shape{window.kernel_h, window.kernel_w}) +
              (window.activation == ActivationFunctionType::kNone ? "" : "_act");
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", type, x_shape, Quant(type, 0.05f, 3));
    Tensor* y = b.Value("y", type, y_shape, Quant(type, 0.05f, 3));
    b.AddOp(code,
            Pool2DOptions{.padding = window.padding,
                          .stride_w = window.stride_w,
                          .stride_h = window.stride_h,
                          .filter_width = window.kernel_w,
                          .filter_height = window.kernel_h,
                          .fused_activation_function = window.activation},
            {x}, {y}, 2);
    b.Output(y);
  };
  // Inputs are below 1: a sum of n has n roundings of at most n 2^-24, the quotient one.
  if (type == kF32 && average) test.absolute = window.kernel_h * window.kernel_w * 0x1p-22;
  return test;
}

OpCase ReduceCase(LiteRtOpCode code, const std::string& name, LiteRtElementType type, Shape x_shape,
                  std::vector<int32_t> axes, bool keep_dims = true) {
  std::vector<bool> reduced(x_shape.size());
  for (int32_t axis : axes)
    reduced[static_cast<size_t>(axis < 0 ? axis + static_cast<int32_t>(x_shape.size()) : axis)] =
        true;
  Shape y_shape;
  double count = 1;
  for (size_t d = 0; d < x_shape.size(); ++d) {
    if (reduced[d]) count *= x_shape[d];
    if (!reduced[d] || keep_dims) y_shape.push_back(reduced[d] ? 1 : x_shape[d]);
  }
  const bool sum = code == kLiteRtOpCodeTflSum;
  const bool mean = code == kLiteRtOpCodeTflMean;
  OpCase test;
  test.name = name + "_" + Name(type) + Name(x_shape) + "_over" + Name(Shape(axes));
  for (char& c : test.name) c = c == '-' ? 'm' : c;
  test.build = [=](ModelBuilder& b) {
    const float wider = sum ? static_cast<float>(std::max(1.0, std::sqrt(count))) : 0.6f;
    Tensor* x = b.Input("x", type, x_shape, Quant(type, 0.05f, 3));
    Tensor* y = b.Value("y", type, y_shape,
                        sum || mean ? Quant(type, 0.05f * wider, -7) : Quant(type, 0.05f, 3));
    Tensor* axis = b.Constant<int32_t>("axes", {static_cast<int32_t>(axes.size())}, axes);
    b.AddOp(code, ReducerOptions{.keep_dims = keep_dims}, {x, axis}, {y}, 2);
    b.Output(y);
  };
  // Both sides: count roundings of a sum of at most count.
  if (type == kF32 && sum) test.absolute = 2 * count * count * 0x1p-24;
  if (type == kF32 && mean) test.absolute = 2 * (count + 1) * 0x1p-24;
  return test;
}

OpCase SoftmaxCase(LiteRtElementType type, LiteRtElementType out, Shape shape, float beta,
                   float scale = 0.1f) {
  OpCase test;
  test.name = "softmax_" + Name(type) + "_to_" + Name(out) + Name(shape) +
              (beta == 1.0f ? "" : "_beta") + (scale == 0.1f ? "" : "_scale");
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", type, shape, Quant(type, scale, 9));
    Quantization result = {};
    if (out == kI8) result = PerTensor(1.0f / 256, -128);
    if (out == kU8) result = PerTensor(1.0f / 256, 0);
    if (out == kI16) result = PerTensor(1.0f / 32768, 0);
    Tensor* y = b.Value("y", out, shape, result);
    b.AddOp(kLiteRtOpCodeTflSoftmax, SoftmaxOptions{.beta = beta}, {x}, {y}, 2);
    b.Output(y);
  };
  if (type == kF32) test.absolute = (shape.back() + 16) * 0x1p-23;
  return test;
}

std::vector<OpCase> MovementCases() {
  return {
      ReshapeCase(kI8, {2, 3, 5}, {30}),
      ReshapeCase(kU8, {7, 1, 11}, {1, 77}),
      ReshapeCase(kI16, {1, 3, 3, 3}, {3, 9}),
      ReshapeCase(kI32, {5, 6}, {6, 5}),
      ReshapeCase(kF32, {2, 2, 3, 5, 1}, {2, 30}),
      ReshapeCase(kI8, {1, 500, 501, 3}, {751500}),
      ReshapeCase(kF32, {3, 401, 803}, {401, 2409}),
  };
}

std::vector<OpCase> PoolCases() {
  constexpr auto kAverage = kLiteRtOpCodeTflAveragePool2d;
  constexpr auto kMax = kLiteRtOpCodeTflMaxPool2d;
  constexpr auto kSame = Padding::kSame;
  constexpr auto kValid = Padding::kValid;
  std::vector<OpCase> cases;
  for (LiteRtElementType type : {kI8, kU8, kI16, kF32}) {
    for (LiteRtOpCode code : {kAverage, kMax}) {
      cases.push_back(PoolCase(code, type, {1, 8, 8, 16}, {2, 2, 2, 2, kValid}));
      cases.push_back(PoolCase(code, type, {2, 7, 9, 5}, {3, 3, 2, 2, kSame}));
      cases.push_back(
          PoolCase(code, type, {1, 5, 6, 33}, {4, 5, 1, 3, kSame, ActivationFunctionType::kRelu6}));
      cases.push_back(PoolCase(code, type, {1, 7, 7, 130}, {7, 7, 1, 1, kValid}));
      cases.push_back(PoolCase(code, type, {1, 1, 1, 1}, {3, 3, 2, 2, kSame}));
    }
  }
  for (LiteRtOpCode code : {kAverage, kMax}) {
    cases.push_back(PoolCase(code, kI8, {1, 301, 127, 67}, {3, 2, 2, 1, kSame}));
    cases.push_back(PoolCase(code, kF32, {1, 101, 90, 67}, {3, 3, 1, 1, kSame}));
    cases.push_back(PoolCase(code, kI8, {1, 3, 90000, 8}, {2, 2, 2, 2, kSame}));
    cases.push_back(PoolCase(code, kI8, {1, 2, 33, 30001}, {2, 2, 1, 1, kValid}));
  }
  return cases;
}

std::vector<OpCase> ReduceCases() {
  constexpr auto kMean = kLiteRtOpCodeTflMean;
  constexpr auto kSum = kLiteRtOpCodeTflSum;
  constexpr auto kMax = kLiteRtOpCodeTflReduceMax;
  constexpr auto kMin = kLiteRtOpCodeTflReduceMin;
  std::vector<OpCase> cases;
  const std::vector<std::pair<LiteRtOpCode, std::string>> codes = {
      {kMean, "mean"}, {kSum, "sum"}, {kMax, "reduce_max"}, {kMin, "reduce_min"}};
  for (const auto& [code, name] : codes) {
    for (LiteRtElementType type : {kI8, kU8, kI16, kF32}) {
      cases.push_back(ReduceCase(code, name, type, {1, 7, 7, 40}, {1, 2}));
      cases.push_back(ReduceCase(code, name, type, {3, 5, 7}, {-1}, false));
      cases.push_back(ReduceCase(code, name, type, {3, 5, 7}, {0}));
      cases.push_back(ReduceCase(code, name, type, {2, 3, 4, 5, 6}, {0, 2, 4}));
      cases.push_back(ReduceCase(code, name, type, {2, 3, 4, 5, 6}, {1, 3}));
      cases.push_back(ReduceCase(code, name, type, {4, 6}, {0, 1}));
      cases.push_back(ReduceCase(code, name, type, {4, 1, 6}, {1}));
    }
    cases.push_back(ReduceCase(code, name, kI8, {301, 127, 67}, {0}));
    cases.push_back(ReduceCase(code, name, kI8, {2, 301, 127, 3}, {2}));
    cases.push_back(ReduceCase(code, name, kF32, {70, 101, 67}, {0, 1}));
    cases.push_back(ReduceCase(code, name, kF32, {5, 90000}, {1}));
    if (code != kSum) cases.push_back(ReduceCase(code, name, kI8, {2500001}, {0}));
  }
  return cases;
}

std::vector<OpCase> SoftmaxCases() {
  return {
      SoftmaxCase(kI8, kI8, {1, 10}, 1.0f),          SoftmaxCase(kI8, kI8, {2, 3, 5, 33}, 1.0f),
      SoftmaxCase(kI8, kI8, {7, 12}, 0.3f),          SoftmaxCase(kI8, kI8, {7, 12}, 1.0f, 0.7f),
      SoftmaxCase(kI8, kI8, {7, 13}, 1.0f, 0.0003f), SoftmaxCase(kI8, kI8, {3001, 257}, 1.0f),
      SoftmaxCase(kI8, kI8, {5, 1}, 1.0f),           SoftmaxCase(kU8, kU8, {3, 1001}, 1.0f),
      SoftmaxCase(kI8, kI16, {3, 17}, 1.0f),         SoftmaxCase(kU8, kI16, {3, 17}, 1.0f),
      SoftmaxCase(kI16, kI16, {3, 17}, 1.0f, 0.02f), SoftmaxCase(kI16, kI16, {301, 1500}, 2.0f),
      SoftmaxCase(kF32, kF32, {4, 3, 50}, 1.0f),     SoftmaxCase(kF32, kF32, {1201, 257}, 3.0f),
  };
}

// A function of one operand.
struct Function {
  LiteRtOpCode code;
  std::string name;
  OpOptions options = {};
  Quantization result = {};  // empty: as the operand's, wider
  Quantization operand = {};
  double absolute = 0;  // float32
};

OpCase FunctionCase(const Function& function, LiteRtElementType type, Shape shape) {
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

OpCase ConvertCase(LiteRtOpCode code, LiteRtElementType from, LiteRtElementType to, Shape shape) {
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

OpCase BinaryCase(LiteRtOpCode code, const std::string& name, LiteRtElementType type, Shape a,
                  Shape b_shape, Shape y) {
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

OpCase PadCase(LiteRtElementType type, Shape x_shape, std::vector<int32_t> padding, bool value) {
  Shape y_shape;
  for (size_t d = 0; d < x_shape.size(); ++d)
    y_shape.push_back(x_shape[d] + padding[2 * d] + padding[2 * d + 1]);
  return {(value ? "padv2_" : "pad_") + Name(type) + Name(x_shape) + "_by" + Name(Shape(padding)),
          [=](ModelBuilder& b) {
            const auto rank = static_cast<int32_t>(x_shape.size());
            Tensor* x = b.Input("x", type, x_shape, Quant(type, 0.05f, 3));
            Tensor* y = b.Value("y", type, y_shape, Quant(type, 0.05f, 3));
            Tensor* amounts = b.Constant<int32_t>("padding", {rank, 2}, padding);
            const std::vector<uint8_t> fill = {0x41, 0x42, 0x43, 0x44};
            const size_t bytes = type == kF32 || type == kI32 ? 4 : type == kI16 ? 2 : 1;
            if (value) {
              Tensor* with = b.Constant("value", type, {1}, std::span(fill).first(bytes),
                                        Quant(type, 0.05f, 3));
              b.AddOp(kLiteRtOpCodeTflPadv2, {x, amounts, with}, {y}, 2);
            } else {
              b.AddOp(kLiteRtOpCodeTflPad, {x, amounts}, {y}, 2);
            }
            b.Output(y);
          }};
}

std::vector<OpCase> PadCases() {
  std::vector<OpCase> cases;
  for (bool value : {false, true}) {
    for (LiteRtElementType type : {kI8, kU8, kI16, kI32, kF32}) {
      cases.push_back(PadCase(type, {1, 5, 7, 3}, {0, 0, 1, 2, 3, 1, 0, 0}, value));
      cases.push_back(PadCase(type, {2, 3, 4}, {1, 1, 2, 0, 0, 5}, value));
    }
    cases.push_back(PadCase(kI8, {2, 3, 2, 3, 2}, {1, 0, 0, 1, 1, 1, 2, 0, 0, 2}, value));
    cases.push_back(PadCase(kI8, {4}, {0, 0}, value));
    cases.push_back(PadCase(kI8, {1, 301, 127, 67}, {0, 0, 1, 1, 1, 1, 0, 0}, value));
    cases.push_back(PadCase(kF32, {1, 301, 127, 17}, {0, 0, 3, 0, 0, 2, 0, 1}, value));
  }
  return cases;
}

std::vector<OpCase> FunctionCases() {
  const Quantization logistic = PerTensor(1.0f / 256, -128);
  const Quantization logistic_u8 = PerTensor(1.0f / 256, 0);
  const Quantization q15 = PerTensor(1.0f / 32768);
  const Quantization above_zero = PerTensor(0.03f, -128);
  const GeluOptions by_tanh{.approximate = true};
  std::vector<OpCase> cases;
  const auto add = [&](const Function& function, std::vector<LiteRtElementType> types) {
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

std::vector<OpCase> BinaryCases() {
  std::vector<OpCase> cases;
  const auto add = [&](LiteRtOpCode code, const std::string& name,
                       std::vector<LiteRtElementType> types) {
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
  return cases;
}

OpCase ConcatCase(LiteRtElementType type, std::vector<Shape> xs, int32_t axis,
                  std::vector<float> scales = {}) {
  const auto rank = static_cast<int32_t>(xs[0].size());
  const auto at = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  Shape y_shape = xs[0];
  y_shape[at] = 0;
  for (const Shape& x : xs) y_shape[at] += x[at];
  return {"concatenation_" + Name(type) + Name(y_shape) + "_at_" + std::to_string(at) +
              (scales.empty() ? "" : "_rescaled"),
          [=](ModelBuilder& b) {
            std::vector<Tensor*> inputs;
            for (size_t i = 0; i < xs.size(); ++i)
              inputs.push_back(b.Input("x" + std::to_string(i), type, xs[i],
                                       Quant(type, scales.empty() ? 0.05f : scales[i], 3)));
            Tensor* y = b.Value("y", type, y_shape, Quant(type, 0.05f, 3));
            b.AddOp(kLiteRtOpCodeTflConcatenation, ConcatenationOptions{.axis = axis}, inputs, {y},
                    2);
            b.Output(y);
          }};
}

// An op whose further operands are constants.
OpCase MoveCase(LiteRtOpCode code, const std::string& name, LiteRtElementType type, Shape x_shape,
                std::vector<std::vector<int32_t>> constants, std::vector<Shape> y_shapes,
                OpOptions options = {}, bool x_last = false) {
  OpCase test;
  test.name = name + "_" + Name(type) + Name(x_shape);
  for (const std::vector<int32_t>& values : constants) test.name += "_by" + Name(Shape(values));
  for (char& c : test.name) c = c == '-' ? 'm' : c;
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", type, x_shape, Quant(type, 0.05f, 3));
    std::vector<Tensor*> inputs = {x};
    for (size_t i = 0; i < constants.size(); ++i) {
      const auto count = static_cast<int32_t>(constants[i].size());
      const bool scalar = code == kLiteRtOpCodeTflSplit || code == kLiteRtOpCodeTflExpandDims ||
                          (code == kLiteRtOpCodeTflSplitV && i == 1);
      inputs.push_back(b.Constant<int32_t>("constant" + std::to_string(i),
                                           scalar ? Shape{} : Shape{count}, constants[i]));
    }
    if (x_last) std::rotate(inputs.begin(), inputs.begin() + 1, inputs.end());
    std::vector<Tensor*> outputs;
    for (size_t i = 0; i < y_shapes.size(); ++i)
      outputs.push_back(b.Value("y" + std::to_string(i), type, y_shapes[i], Quant(type, 0.05f, 3)));
    b.AddOp(code, options, inputs, outputs, 2);
    for (Tensor* y : outputs) b.Output(y);
  };
  return test;
}

std::vector<OpCase> SliceCases() {
  constexpr auto kSlice = kLiteRtOpCodeTflSlice;
  constexpr auto kStrided = kLiteRtOpCodeTflStridedSlice;
  std::vector<OpCase> cases;
  for (LiteRtElementType type : {kI8, kU8, kI16, kI32, kF32}) {
    cases.push_back(ConcatCase(type, {{1, 3, 4, 5}, {1, 3, 4, 2}}, 3));
    cases.push_back(ConcatCase(type, {{2, 3, 4}, {2, 1, 4}, {2, 2, 4}}, -2));
    cases.push_back(
        MoveCase(kSlice, "slice", type, {5, 6, 7}, {{1, 0, 2}, {3, 6, -1}}, {{3, 6, 5}}));
    cases.push_back(MoveCase(kStrided, "strided_slice", type, {5, 6, 7},
                             {{0, 1, 6}, {5, 6, 0}, {2, 3, -2}}, {{3, 2, 3}},
                             StridedSliceOptions{}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflSplit, "split", type, {4, 6, 3}, {{1}},
                             {{4, 2, 3}, {4, 2, 3}, {4, 2, 3}}, SplitOptions{.num_splits = 3},
                             /*x_last=*/true));
    cases.push_back(MoveCase(kLiteRtOpCodeTflSplitV, "split_v", type, {4, 6, 3}, {{1, 5}, {1}},
                             {{4, 1, 3}, {4, 5, 3}}, SplitVOptions{.num_splits = 2}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflTranspose, "transpose", type, {3, 5, 7}, {{2, 0, 1}},
                             {{7, 3, 5}}, TransposeOptions{}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflDepthToSpace, "depth_to_space", type, {2, 3, 5, 12},
                             {}, {{2, 6, 10, 3}}, DepthToSpaceOptions{.block_size = 2}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflSpaceToDepth, "space_to_depth", type, {2, 6, 9, 4}, {},
                             {{2, 2, 3, 36}}, SpaceToDepthOptions{.block_size = 3}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflExpandDims, "expand_dims", type, {3, 5}, {{1}},
                             {{3, 1, 5}}, ExpandDimsOptions{}));
    cases.push_back(MoveCase(kLiteRtOpCodeTflSqueeze, "squeeze", type, {1, 3, 1, 5}, {}, {{3, 5}},
                             SqueezeOptions{}));
  }
  cases.push_back(ConcatCase(kU8, {{2, 3}, {2, 5}}, 1, {0.05f, 0.021f}));
  cases.push_back(ConcatCase(kI8, {{1, 301, 127, 17}, {1, 301, 127, 31}}, 3));
  cases.push_back(MoveCase(kLiteRtOpCodeTflTranspose, "transpose", kI8, {2, 3, 4, 5, 6},
                           {{4, 2, 0, 3, 1}}, {{6, 4, 2, 5, 3}}, TransposeOptions{}));
  cases.push_back(MoveCase(kLiteRtOpCodeTflTranspose, "transpose", kI8, {1, 301, 127, 67},
                           {{0, 3, 1, 2}}, {{1, 67, 301, 127}}, TransposeOptions{}));
  cases.push_back(MoveCase(kLiteRtOpCodeTflTranspose, "transpose", kF32, {1009, 701}, {{1, 0}},
                           {{701, 1009}}, TransposeOptions{}));
  cases.push_back(MoveCase(kStrided, "strided_slice", kI8, {1, 301, 127, 67},
                           {{0, 1, 126, 0}, {1, 301, 0, 67}, {1, 2, -3, 1}}, {{1, 150, 42, 67}},
                           StridedSliceOptions{}));
  cases.push_back(MoveCase(
      kStrided, "strided_slice_shrink", kI8, {5, 6, 7}, {{0, 2, 0}, {0, 3, 5}, {1, 1, 1}}, {{5, 5}},
      StridedSliceOptions{.begin_mask = 1, .end_mask = 1, .shrink_axis_mask = 2}));
  cases.push_back(MoveCase(kLiteRtOpCodeTflDepthToSpace, "depth_to_space", kI8, {1, 150, 127, 68},
                           {}, {{1, 300, 254, 17}}, DepthToSpaceOptions{.block_size = 2}));
  return cases;
}

OpCase ResizeCase(bool bilinear, LiteRtElementType type, Shape x_shape, int32_t height,
                  int32_t width, bool align, bool half) {
  OpCase test;
  const Shape y_shape = {x_shape[0], height, width, x_shape[3]};
  const LiteRtOpCode code =
      bilinear ? kLiteRtOpCodeTflResizeBilinear : kLiteRtOpCodeTflResizeNearestNeighbor;
  const OpOptions options =
      bilinear
          ? OpOptions(ResizeBilinearOptions{.align_corners = align, .half_pixel_centers = half})
          : OpOptions(
                ResizeNearestNeighborOptions{.align_corners = align, .half_pixel_centers = half});
  test = MoveCase(code, bilinear ? "resize_bilinear" : "resize_nearest", type, x_shape,
                  {{height, width}}, {y_shape}, options);
  test.name += align ? "_aligned" : half ? "_half" : "";
  if (bilinear && type == kF32) test.absolute = 0x1p-20;
  return test;
}

std::vector<OpCase> ResizeCases() {
  std::vector<OpCase> cases;
  for (bool bilinear : {false, true}) {
    for (LiteRtElementType type : {kI8, kU8, kI16, kF32}) {
      if (bilinear && type == kU8) continue;
      for (int mode = 0; mode < 3; ++mode) {
        cases.push_back(ResizeCase(bilinear, type, {2, 5, 7, 3}, 11, 4, mode == 1, mode == 2));
        cases.push_back(ResizeCase(bilinear, type, {1, 4, 6, 33}, 8, 12, mode == 1, mode == 2));
      }
    }
    cases.push_back(ResizeCase(bilinear, kI8, {1, 151, 127, 67}, 200, 260, false, true));
    cases.push_back(ResizeCase(bilinear, kI8, {1, 301, 127, 67}, 50, 31, false, false));
  }
  return cases;
}

class AcmeVectorOps : public OnSoc {};

TEST_P(AcmeVectorOps, EqualTheCpu) { ExpectNpuEqualsCpu(); }

#define ACME_VECTOR_OPS(name) \
  INSTANTIATE_TEST_SUITE_P(name, AcmeVectorOps, OnEverySoc(name##Cases()), OnSoc::Name)

ACME_VECTOR_OPS(Movement);
ACME_VECTOR_OPS(Pool);
ACME_VECTOR_OPS(Reduce);
ACME_VECTOR_OPS(Softmax);
ACME_VECTOR_OPS(Pad);
ACME_VECTOR_OPS(Function);
ACME_VECTOR_OPS(Convert);
ACME_VECTOR_OPS(Binary);
ACME_VECTOR_OPS(Slice);
ACME_VECTOR_OPS(Resize);

}  // namespace
}  // namespace npukit

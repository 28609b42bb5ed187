// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that make one element of many: pooling, reductions, softmax. One at a time, on every chip.
// The larger shapes do not fit the smaller chips' scratchpads.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

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

OpCase ReduceCase(LiteRtOpCode code, const std::string& name, LiteRtElementType type, Shape x_shape,
                  const std::vector<int32_t>& axes, bool keep_dims = true) {
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

class AcmeReducingOps : public OnSoc {};

TEST_P(AcmeReducingOps, EqualTheCpu) { ExpectNpuEqualsCpu(); }

INSTANTIATE_TEST_SUITE_P(Pool, AcmeReducingOps, OnEverySoc(PoolCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Reduce, AcmeReducingOps, OnEverySoc(ReduceCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Softmax, AcmeReducingOps, OnEverySoc(SoftmaxCases()), OnSoc::Name);

}  // namespace
}  // namespace npukit

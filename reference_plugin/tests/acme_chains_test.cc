// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ops that are computed together: chains of elementwise ops over images that are too large for the
// smaller scratchpads, and composites that the plugin does not select, whose decompositions the
// host puts in their place.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

Tensor* AddFactor(ModelBuilder& b, LiteRtElementType type, const char* name, const Shape& shape) {
  if (type == kF32) return AddConstant<float>(b, name, shape, {}, -2, 2);
  if (type == kI16) return AddConstant<int16_t>(b, name, shape, PerTensor(1e-4f), -9000, 9000);
  return AddConstant<int8_t>(b, name, shape, PerTensor(0.01f, 3), -128, 127);
}

// y = max(x + z, 0) * c + x, with x read at both ends; c is broadcast.
OpCase ChainCase(LiteRtElementType type, const Shape& shape, const Shape& factor) {
  OpCase test;
  test.name = "chain_" + Name(type) + Name(shape) + "_by" + Name(factor);
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", type, shape, Quant(type, 0.05f, -3));
    Tensor* z = b.Input("z", type, shape, Quant(type, 0.03f, 4));
    Tensor* sum = b.Value("sum", type, shape, Quant(type, 0.08f, 1));
    Tensor* positive = b.Value("positive", type, shape, Quant(type, 0.05f, -100));
    Tensor* scaled = b.Value("scaled", type, shape, Quant(type, 0.06f, 2));
    Tensor* y = b.Value("y", type, shape, Quant(type, 0.1f, 5));
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, z}, {sum}, 2);
    b.AddOp(kLiteRtOpCodeTflRelu, {sum}, {positive}, 2);
    b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {positive, AddFactor(b, type, "c", factor)},
            {scaled}, 2);
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, scaled}, {y}, 2);
    b.Output(y);
  };
  // Four operations on numbers below 8, each rounded once.
  if (type == kF32) test.absolute = 4 * 8 * 0x1p-23;
  return test;
}

// A square root of the squares: both operands are the same value.
OpCase SquareCase(const Shape& shape) {
  OpCase test;
  test.name = "square" + Name(shape);
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", kF32, shape);
    Tensor* negative = b.Value("negative", kF32, shape);
    Tensor* square = b.Value("square", kF32, shape);
    Tensor* y = b.Value("y", kF32, shape);
    b.AddOp(kLiteRtOpCodeTflNeg, {x}, {negative});
    b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {negative, negative}, {square});
    b.AddOp(kLiteRtOpCodeTflSqrt, {square}, {y});
    b.Output(y);
  };
  test.absolute = 0x1p-20;
  return test;
}

// Two convolutions by the same kernel, as a detector's heads have it, of another bias and other
// results.
OpCase SharedKernelCase(LiteRtElementType type) {
  OpCase test;
  test.name = "shared_kernel_" + Name(type);
  const Shape shape = {1, 128, 128, 32};
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", type, shape, Quant(type, 0.05f, -3));
    Tensor* w = type == kF32
                    ? AddConstant<float>(b, "w", {32, 1, 1, 32}, {}, -1, 1)
                    : AddConstant<int8_t>(b, "w", {32, 1, 1, 32}, PerTensor(0.01f), -100, 100);
    const auto bias = [&](const char* name, int32_t largest) {
      return type == kF32 ? AddConstant<float>(b, name, {32}, {}, -largest, largest)
                          : AddConstant<int32_t>(b, name, {32}, PerTensor(0.0005f), -300 * largest,
                                                 300 * largest);
    };
    Tensor* middle = b.Value("middle", type, shape, Quant(type, 0.05f, 1));
    Tensor* y = b.Value("y", type, shape, Quant(type, 0.02f, 7));
    b.AddOp(kLiteRtOpCodeTflConv2d, Conv2DOptions{.stride_w = 1, .stride_h = 1},
            {x, w, bias("b1", 2)}, {middle}, 3);
    b.AddOp(kLiteRtOpCodeTflConv2d, Conv2DOptions{.stride_w = 1, .stride_h = 1},
            {middle, w, bias("b2", 7)}, {y}, 3);
    b.Output(y);
  };
  // Sums of 33 terms of at most 8, twice.
  if (type == kF32) test.absolute = 33 * SumBound(33);
  return test;
}

// max(x g, 0) * (x u) d of matrices, all weights int8: what a language model does between its
// attention and the next. [rows, hidden] is too large for every scratchpad in between.
OpCase FeedForwardCase(int32_t rows, int32_t depth, int32_t hidden, int32_t out) {
  OpCase test;
  test.name = "feed_forward" + Name(Shape{rows, depth, hidden, out});
  test.build = [=](ModelBuilder& b) {
    const auto product = [&](const std::string& name, Tensor* x, int32_t in, int32_t units) {
      std::vector<float> scales;
      for (int32_t unit = 0; unit < units; ++unit)
        scales.push_back(0.01f + 0.002f * static_cast<float>(unit % 5));
      Tensor* w = AddConstant<int8_t>(b, (name + "_w").c_str(), {units, in}, PerChannel(scales, 0),
                                      -127, 127);
      Tensor* y = b.Value(name, kF32, {rows, units});
      b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{.keep_num_dims = true}, {x, w},
              {y});
      return y;
    };
    Tensor* x = b.Input("x", kF32, {rows, depth});
    Tensor* gate = product("gate", x, depth, hidden);
    Tensor* up = product("up", x, depth, hidden);
    Tensor* open = b.Value("open", kF32, {rows, hidden});
    Tensor* gated = b.Value("gated", kF32, {rows, hidden});
    b.AddOp(kLiteRtOpCodeTflRelu, {gate}, {open});
    b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {open, up}, {gated});
    b.Output(product("down", gated, hidden, out));
  };
  // The CPU multiplies rounded activations by real weights in float32, so that some of `gated`,
  // which reaches to about 1000, may be rounded to a neighbouring one of 127 steps, times a weight.
  test.absolute = 8 * (1000.0 / 127) * 2;
  return test;
}

// What ends a segmentation: the largest of an enlarged image's channels, at every pixel.
OpCase ArgMaxCase(LiteRtElementType type) {
  OpCase test;
  test.name = "arg_max_" + Name(type);
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", type, {1, 21, 17, 21}, Quant(type, 0.05f, 3));
    Tensor* large = b.Value("large", type, {1, 301, 211, 21}, Quant(type, 0.05f, 3));
    Tensor* y = b.Value("y", kI32, {1, 301, 211});
    b.AddOp(kLiteRtOpCodeTflResizeBilinear, ResizeBilinearOptions{.align_corners = true},
            {x, b.Constant<int32_t>("size", {2}, {301, 211})}, {large}, 3);
    b.AddOp(kLiteRtOpCodeTflArgMax, ArgMaxOptions{.output_type = TensorType::kInt32},
            {large, b.Constant<int32_t>("axis", {}, {3})}, {y}, 2);
    b.Output(y);
  };
  return test;
}

// max(x, 0) > z ? max(x, 0) : c, of images; z and c are broadcast.
OpCase SelectCase() {
  OpCase test;
  test.name = "select";
  const Shape shape = {1, 251, 130, 17};
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", kF32, shape);
    Tensor* z = b.Input("z", kF32, {1, 251, 130, 1});
    Tensor* positive = b.Value("positive", kF32, shape);
    Tensor* mask = b.Value("mask", kLiteRtElementTypeBool, shape);
    Tensor* y = b.Value("y", kF32, shape);
    b.AddOp(kLiteRtOpCodeTflRelu, {x}, {positive}, 2);
    b.AddOp(kLiteRtOpCodeTflGreater, {positive, z}, {mask});
    b.AddOp(kLiteRtOpCodeTflSelectV2, {mask, positive, AddFactor(b, kF32, "c", {17})}, {y});
    b.Output(y);
  };
  return test;
}

std::vector<OpCase> ChainCases() {
  std::vector<OpCase> cases;
  for (LiteRtElementType type : {kI8, kI16, kF32}) {
    cases.push_back(ChainCase(type, {1, 251, 130, 17}, {17}));
    cases.push_back(ChainCase(type, {1, 96, 61, 64}, {96, 1, 1}));
    cases.push_back(ChainCase(type, {1, 300, 2000, 1}, {1}));
    cases.push_back(ChainCase(type, {2, 100, 61, 64}, {61, 64}));
    cases.push_back(ChainCase(type, {1, 5, 6, 7}, {1, 5, 1, 7}));
  }
  cases.push_back(SquareCase({1, 301, 130, 16}));
  for (LiteRtElementType type : {kI8, kF32}) cases.push_back(SharedKernelCase(type));
  cases.push_back(FeedForwardCase(64, 64, 4096, 40));
  for (LiteRtElementType type : {kI8, kU8, kF32}) cases.push_back(ArgMaxCase(type));
  cases.push_back(SelectCase());
  return cases;
}

// odml.softmax and odml.l2_norm, which the plugin knows as their decompositions only, between ops
// of its own: one partition.
OpCase CompositeCase(const std::string& composite, const Shape& shape) {
  OpCase test;
  test.name = composite.substr(composite.find('.') + 1) + Name(shape);
  const bool softmax = composite == "odml.softmax";
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", kF32, shape);
    Tensor* before = b.Value("before", kF32, shape);
    Tensor* normal = b.Value("normal", kF32, shape);
    Tensor* y = b.Value("y", kF32, shape);
    b.AddOp(kLiteRtOpCodeTflNeg, {x}, {before});
    b.AddComposite(composite, 1, {before}, {normal});
    b.AddOp(kLiteRtOpCodeTflAbs, {normal}, {y});
    b.Output(y);
    b.BeginSubgraph(composite + ".impl");
    Tensor* p = b.Input("p", kF32, shape);
    Tensor* q = b.Value("q", kF32, shape);
    if (softmax) {
      b.AddOp(kLiteRtOpCodeTflSoftmax, SoftmaxOptions{.beta = 1.0f}, {p}, {q});
    } else {
      Shape one = shape;
      one.back() = 1;
      Tensor* squares = b.Value("squares", kF32, shape);
      Tensor* sum = b.Value("sum", kF32, one);
      Tensor* shifted = b.Value("shifted", kF32, one);
      Tensor* factor = b.Value("factor", kF32, one);
      b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {p, p}, {squares});
      b.AddOp(kLiteRtOpCodeTflSum, ReducerOptions{.keep_dims = true},
              {squares, b.Constant<int32_t>("axis", {1}, {-1})}, {sum});
      b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {sum, b.Constant<float>("epsilon", {}, {1e-6f})},
              {shifted});
      b.AddOp(kLiteRtOpCodeTflRsqrt, {shifted}, {factor});
      b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {p, factor}, {q});
    }
    b.Output(q);
  };
  // Results below 1, of sums of as many terms as a row has.
  test.absolute = (shape.back() + 16) * 0x1p-22;
  return test;
}

std::vector<OpCase> CompositeCases() {
  std::vector<OpCase> cases;
  for (const char* composite : {"odml.softmax", "odml.l2_norm"}) {
    for (const Shape& shape : {Shape{1, 10}, Shape{4, 33}, Shape{2, 3, 129}})
      cases.push_back(CompositeCase(composite, shape));
  }
  return cases;
}

class AcmeChains : public OnSoc {};

TEST_P(AcmeChains, EqualTheCpu) { ExpectNpuEqualsCpu(); }

INSTANTIATE_TEST_SUITE_P(Elementwise, AcmeChains, OnEverySoc(ChainCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(Composites, AcmeChains, OnEverySoc(CompositeCases()), OnSoc::Name);

}  // namespace
}  // namespace npukit

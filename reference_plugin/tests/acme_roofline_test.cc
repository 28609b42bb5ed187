// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// roofline_cycles is a lower bound of what any compiler reaches (docs/timing.md): no program takes
// less, and what a better compiler could leave out is not in it. And how near to the array's peak
// standard convolutions come.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

Tensor* Constant(ModelBuilder& b, const std::string& name, std::vector<int32_t> shape,
                 unsigned seed = 1) {
  std::mt19937 random(seed);
  size_t count = 1;
  for (int32_t dim : shape) count *= static_cast<size_t>(dim);
  std::vector<int8_t> values(count);
  for (int8_t& value : values) value = static_cast<int8_t>(static_cast<int>(random() % 255) - 127);
  return b.Constant<int8_t>(name, std::move(shape), values, PerTensor(0.01f));
}

Tensor* AddConv(ModelBuilder& b, Tensor* x, int32_t kernel, int32_t stride, int32_t channels,
                const std::string& name) {
  const auto& shape = x->shape;
  const auto out = [&](int32_t in) { return (in + stride - 1) / stride; };
  Tensor* y = b.Value(name, kI8, {1, out(shape[1]), out(shape[2]), channels}, PerTensor(0.3f, 2));
  Conv2DOptions options;
  options.stride_h = options.stride_w = stride;
  b.AddOp(kLiteRtOpCodeTflConv2d, options,
          {x, Constant(b, name + "_w", {channels, kernel, kernel, shape[3]}), nullptr}, {y}, 3);
  return y;
}

Tensor* AddDepthwise(ModelBuilder& b, Tensor* x, int32_t kernel, const std::string& name) {
  Tensor* y = b.Value(name, kI8, x->shape, PerTensor(0.3f, 2));
  DepthwiseConv2DOptions options;
  options.stride_h = options.stride_w = options.depth_multiplier = 1;
  b.AddOp(kLiteRtOpCodeTflDepthwiseConv2d, options,
          {x, Constant(b, name + "_w", {1, kernel, kernel, x->shape[3]}), nullptr}, {y}, 3);
  return y;
}

Tensor* AddSum(ModelBuilder& b, Tensor* left, Tensor* right, const std::string& name) {
  Tensor* y = b.Value(name, kI8, left->shape, PerTensor(0.4f, -3));
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {left, right}, {y});
  return y;
}

Tensor* AddLogistic(ModelBuilder& b, Tensor* x, const std::string& name) {
  Tensor* y = b.Value(name, kI8, x->shape, PerTensor(1.0f / 256, -128));
  b.AddOp(kLiteRtOpCodeTflLogistic, {x}, {y});
  return y;
}

void BuildRandom(ModelBuilder& b, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  Tensor* x = b.Input("x", kI8, {1, pick(4, 40), pick(4, 40), pick(1, 48)}, PerTensor(0.05f, 3));
  Tensor* before = x;
  const int layers = pick(1, 6);
  for (int i = 0; i < layers; ++i) {
    const std::string name = fmt::format("t{}", i);
    Tensor* y = nullptr;
    switch (pick(0, 4)) {
      case 0:
        y = AddDepthwise(b, x, 1 + 2 * pick(0, 2), name);
        break;
      case 1:
        y = AddSum(b, x, before->shape == x->shape ? before : x, name);
        break;
      case 2:
        y = AddLogistic(b, x, name);
        break;
      default:
        y = AddConv(b, x, 1 + 2 * pick(0, 2), pick(1, 3), pick(1, 80), name);
    }
    before = x;
    x = y;
  }
  b.Output(x);
}

// A layer of float32: of one of the functions, a product, a sum or a softmax.
Tensor* AddRealLayer(ModelBuilder& b, Tensor* x, int kind, const std::string& name) {
  constexpr LiteRtOpCode kFunctions[] = {kLiteRtOpCodeTflLogistic, kLiteRtOpCodeTflTanh,
                                         kLiteRtOpCodeTflExp, kLiteRtOpCodeTflSin,
                                         kLiteRtOpCodeTflRsqrt};
  Tensor* y = b.Value(name, kF32, x->shape);
  const auto functions = static_cast<int>(std::size(kFunctions));
  if (kind < functions) {
    b.AddOp(kFunctions[kind], {x}, {y});
  } else if (kind == functions) {
    b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {x, x}, {y});
  } else if (kind == functions + 1) {
    SoftmaxOptions options;
    options.beta = 0.5f;
    b.AddOp(kLiteRtOpCodeTflSoftmax, options, {x}, {y});
  } else {
    const int32_t units = x->shape.back();
    const std::vector<float> weights(static_cast<size_t>(units) * static_cast<size_t>(units), 0.5f);
    Tensor* w = b.Constant<float>(name + "_w", {units, units}, weights);
    FullyConnectedOptions options;
    options.keep_num_dims = true;
    b.AddOp(kLiteRtOpCodeTflFullyConnected, options, {x, w, nullptr}, {y}, 3);
  }
  return y;
}

constexpr int kRealLayers = 8;

void BuildRandomReal(ModelBuilder& b, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  Tensor* x = b.Input("x", kF32, {1, pick(1, 200), pick(1, 150)});
  const int layers = pick(1, 5);
  for (int i = 0; i < layers; ++i)
    x = AddRealLayer(b, x, pick(0, kRealLayers - 1), fmt::format("t{}", i));
  b.Output(x);
}

class AcmeRoofline : public testing::TestWithParam<unsigned> {
 protected:
  static void ExpectNoProgramTakesLess(const std::function<void(ModelBuilder&)>& build) {
    const OpCase test{"random", build};
    for (const char* soc : {"acme_a0", "acme_a1", "acme_a2"}) {
      const NpuCycles measured = MeasureCycles(test, soc);
      EXPECT_GT(measured.roofline_cycles, 0);
      EXPECT_GE(measured.cycles, measured.roofline_cycles) << soc;
    }
  }
};

TEST_P(AcmeRoofline, NoProgramTakesLess) {
  ExpectNoProgramTakesLess([](ModelBuilder& b) { BuildRandom(b, GetParam()); });
}

TEST_P(AcmeRoofline, NoProgramOfFloat32TakesLess) {
  ExpectNoProgramTakesLess([](ModelBuilder& b) { BuildRandomReal(b, GetParam()); });
}

INSTANTIATE_TEST_SUITE_P(Seeds, AcmeRoofline, testing::Range(0u, 40u));

double RooflineOf(const std::function<void(ModelBuilder&)>& build) {
  return MeasureCycles({"model", build}, "acme_a2").roofline_cycles;
}

TEST(AcmeRooflineDefinition, ElementwiseWorkMayRideOnWhatItIsConnectedWith) {
  const auto chain = [](int length) {
    return RooflineOf([length](ModelBuilder& b) {
      Tensor* x = b.Input("x", kI8, {1, 24, 24, 64}, PerTensor(0.05f, 3));
      Tensor* y = AddDepthwise(b, x, 3, "d");
      for (int i = 0; i < length; ++i) y = AddLogistic(b, y, fmt::format("l{}", i));
      b.Output(y);
    });
  };
  const double alone = chain(0);
  EXPECT_GT(alone, 0);
  EXPECT_EQ(chain(1), alone);
  EXPECT_EQ(chain(8), alone);
}

TEST(AcmeRooflineDefinition, EqualLayersAndEqualConstantsCountOnce) {
  // One convolution; two of one kernel; two of kernels of equal bytes.
  const auto network = [](int convolutions, bool own_kernels) {
    return RooflineOf([=](ModelBuilder& b) {
      Tensor* x = b.Input("x", kI8, {1, 2, 2, 64}, PerTensor(0.05f, 3));
      Tensor* w = Constant(b, "w", {64, 3, 3, 64});
      Conv2DOptions options;
      options.stride_h = options.stride_w = 1;
      std::vector<Tensor*> results;
      for (int i = 0; i < convolutions; ++i) {
        const std::string name = fmt::format("{}", i);
        if (own_kernels) w = Constant(b, "w" + name, {64, 3, 3, 64});
        results.push_back(b.Value("y" + name, kI8, {1, 2, 2, 64}, PerTensor(0.3f, 2)));
        b.AddOp(kLiteRtOpCodeTflConv2d, options, {x, w, nullptr}, {results.back()}, 3);
      }
      b.Output(AddSum(b, results.front(), results.back(), "sum"));
    });
  };
  EXPECT_EQ(network(2, false), network(1, false));
  EXPECT_EQ(network(2, true), network(1, false));  // bound by the DRAM: the kernel comes once
}

// No instruction computes an exponential along with something else, and each takes its lane for longer.
TEST(AcmeRooflineDefinition, FunctionsOfFloat32TakeTheirOwnPass) {
  constexpr int kLogistic = 0;
  constexpr int kSquare = 5;
  constexpr int kProduct = 7;
  const auto network = [](const std::vector<int>& kinds) {
    return RooflineOf([&](ModelBuilder& b) {
      Tensor* x = b.Input("x", kF32, {1, 400, 32});
      int count = 0;
      for (const int kind : kinds) x = AddRealLayer(b, x, kind, fmt::format("t{}", count++));
      b.Output(x);
    });
  };
  const double four = network({kLogistic, kLogistic, kLogistic, kLogistic});
  EXPECT_EQ(network({kLogistic, kSquare, kLogistic, kLogistic, kLogistic}), four);
  // 12,800 results on 32 lanes, four cycles each; and products as they come from the accumulators.
  EXPECT_EQ(network({kLogistic, kLogistic, kLogistic, kLogistic, kLogistic}), four + 1600);
  EXPECT_EQ(network({kLogistic, kProduct, kLogistic, kLogistic, kLogistic}), four + 400);
}

// All products of a 3x3 window over an image of one pixel but one are with padding.
TEST(AcmeRooflineDefinition, PaddingIsNoWork) {
  const auto network = [](int32_t kernel) {
    return RooflineOf([=](ModelBuilder& b) {
      Tensor* x = b.Input("x", kI8, {1, 1, 1, 64}, PerTensor(0.05f, 3));
      // The same weight everywhere: not loaded, so that the products are what counts.
      const std::vector<int8_t> values(size_t{64} * 64 * static_cast<size_t>(kernel * kernel), 5);
      Tensor* w = b.Constant<int8_t>("w", {64, kernel, kernel, 64}, values, PerTensor(0.01f));
      Tensor* y = b.Value("y", kI8, {1, 1, 1, 64}, PerTensor(0.3f, 2));
      Conv2DOptions options;
      options.stride_h = options.stride_w = 1;
      b.AddOp(kLiteRtOpCodeTflConv2d, options, {x, w, nullptr}, {y}, 3);
      b.Output(y);
    });
  };
  EXPECT_EQ(network(3), network(1));
}

// Standard convolutions whose channels are multiples of the array: at least 85% of its peak, all of
// the program counted, DRAM too. docs/performance.md has the numbers.
struct Standard {
  int32_t side, kernel, in_channels, out_channels;
};

class AcmeStandardConvolution : public testing::TestWithParam<Standard> {};

TEST_P(AcmeStandardConvolution, ComesNearTheArraysPeak) {
  const Standard& c = GetParam();
  OpCase test{
      "conv", [&c](ModelBuilder& b) {
        Tensor* x = b.Input("x", kI8, {1, c.side, c.side, c.in_channels}, PerTensor(0.05f, 3));
        b.Output(AddConv(b, x, c.kernel, 1, c.out_channels, "y"));
      }};
  test.check_races = false;
  const NpuCycles measured = MeasureCycles(test, "acme_a1");
  const double utilisation = measured.macs / (measured.cycles * 32 * 32);
  RecordProperty("cycles", fmt::format("{}", std::llround(measured.cycles)));
  std::printf("%dx%d kernel %d, %d to %d channels: %.0f cycles, utilisation %.1f%%\n", c.side,
              c.side, c.kernel, c.in_channels, c.out_channels, measured.cycles, 100 * utilisation);
  EXPECT_GE(utilisation, 0.85);
  EXPECT_GE(measured.array_macs, measured.macs);
  EXPECT_LE(measured.array_macs, measured.cycles * 32 * 32);
}

// The vector unit does depthwise products beside the array: they are no use of it.
TEST(AcmeUtilisation, IsOfTheArrayAlone) {
  OpCase test{"depthwise", [](ModelBuilder& b) {
                Tensor* x = b.Input("x", kI8, {1, 28, 28, 64}, PerTensor(0.05f, 3));
                b.Output(AddDepthwise(b, x, 3, "y"));
              }};
  const NpuCycles measured = MeasureCycles(test, "acme_a1");
  EXPECT_GT(measured.macs, 400'000);
  EXPECT_EQ(measured.array_macs, 0);
}

INSTANTIATE_TEST_SUITE_P(Layers, AcmeStandardConvolution,
                         testing::Values(Standard{56, 3, 64, 64}, Standard{28, 3, 128, 128},
                                         Standard{14, 3, 256, 256}, Standard{28, 3, 256, 256},
                                         Standard{56, 3, 128, 128}, Standard{56, 1, 256, 256}));

}  // namespace
}  // namespace npukit

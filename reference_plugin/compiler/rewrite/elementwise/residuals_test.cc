// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/residuals.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/movement/update_slice.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

constexpr int32_t kSize = 4;
constexpr int32_t kChannels = 8;

std::shared_ptr<Conv> Pointwise(Network& network, ValueId x) {
  auto conv = std::make_shared<Conv>();
  conv->x = x;
  conv->w = AddConstant(network, {kChannels, 1, 1, kChannels});
  conv->in_c = conv->out_c = kChannels;
  conv->geometry.h = {.in = kSize, .out = kSize};
  conv->geometry.w = {.in = kSize, .out = kSize};
  return conv;
}

std::shared_ptr<Binary> Sum(ValueId a, ValueId b) {
  auto sum = std::make_shared<Binary>();
  sum->extent = {kSize * kSize * kChannels, 1, 1, 1};
  sum->a = {.value = a, .stride_elems = {1, 0, 0, 0}, .zero_point = 3};
  sum->b = {.value = b, .stride_elems = {1, 0, 0, 0}, .zero_point = 4};
  return sum;
}

// v0 -> conv -> v2; v1 + v2, or v2 + v1, -> v3, an output.
struct Block {
  Network network;
  std::shared_ptr<Conv> conv;
  std::shared_ptr<Binary> sum;

  explicit Block(bool conv_is_b = false) {
    for (int i = 0; i < 2; ++i) AddInput(network, {1, kSize, kSize, kChannels});
    for (int i = 0; i < 2; ++i) AddValue(network, {1, kSize, kSize, kChannels});
    conv = Pointwise(network, 0);
    sum = conv_is_b ? Sum(1, 2) : Sum(2, 1);
    AddLayer(network, 2, conv);
    AddLayer(network, 3, sum);
    MakeOutput(network, 3);
  }
};

// "v3: conv of v0 plus v1", or "v3: sum of v1 v2".
std::vector<std::string> LinesOf(const Network& network) {
  std::vector<std::string> lines;
  for (const Layer& layer : network.layers) {
    if (const auto* conv = layer.As<Conv>()) {
      lines.push_back(fmt::format("v{}: conv of v{}", layer.output, conv->x));
      if (conv->residual) lines.back() += fmt::format(" plus v{}", conv->residual->b.value);
    } else if (const auto* sum = layer.As<Binary>()) {
      lines.push_back(fmt::format("v{}: sum of v{} v{}", layer.output, sum->a.value, sum->b.value));
    } else {
      lines.push_back(fmt::format("v{}: other", layer.output));
    }
  }
  return lines;
}

const std::vector<std::string> kFused = {"v3: conv of v0 plus v1"};
const std::vector<std::string> kApart = {"v2: conv of v0", "v3: sum of v2 v1"};

TEST(FuseResidualsTest, AConvolutionAddsAsItIsDrained) {
  Block block;
  EXPECT_TRUE(FuseResiduals(block.network));
  EXPECT_EQ(LinesOf(block.network), kFused);
}

// The quantisation of either operand goes with it.
TEST(FuseResidualsTest, WhicheverOperandItMakes) {
  for (const bool conv_is_b : {false, true}) {
    Block block(conv_is_b);
    ASSERT_TRUE(FuseResiduals(block.network));
    EXPECT_EQ(LinesOf(block.network), kFused);
    const Binary& sum = *block.network.layers[0].As<Conv>()->residual;
    EXPECT_EQ(sum.a.zero_point, conv_is_b ? 4 : 3);
    EXPECT_EQ(sum.b.zero_point, conv_is_b ? 3 : 4);
  }
}

// Of two convolutions the later one adds the earlier one's result, which is there.
TEST(FuseResidualsTest, TheLaterOfTwo) {
  Network network;
  AddInput(network, {1, kSize, kSize, kChannels});
  for (int i = 0; i < 3; ++i) AddValue(network, {1, kSize, kSize, kChannels});
  AddLayer(network, 1, Pointwise(network, 0));
  AddLayer(network, 2, Pointwise(network, 0));
  AddLayer(network, 3, Sum(1, 2));
  MakeOutput(network, 3);
  EXPECT_TRUE(FuseResiduals(network));
  EXPECT_THAT(LinesOf(network), ElementsAre("v1: conv of v0", "v3: conv of v0 plus v1"));
}

// A convolution has one sum, and the next adds what that made.
TEST(FuseResidualsTest, OneSumEach) {
  Block block;
  Network& network = block.network;
  const ValueId end = AddValue(network, {1, kSize, kSize, kChannels});
  network.values[3].output_index = -1;
  network.outputs.clear();
  AddLayer(network, end, Sum(3, 0));
  MakeOutput(network, end);
  EXPECT_TRUE(FuseResiduals(network));
  EXPECT_THAT(LinesOf(network),
              ElementsAre("v3: conv of v0 plus v1", fmt::format("v{}: sum of v3 v0", end)));
}

struct Refused {
  std::string name;
  void (*change)(Block& block);
};
class Apart : public testing::TestWithParam<Refused> {};

TEST_P(Apart, StayTheTwo) {
  Block block;
  GetParam().change(block);
  EXPECT_FALSE(FuseResiduals(block.network));
  ASSERT_GE(block.network.layers.size(), 2u);
  EXPECT_EQ(block.network.layers[0].As<Conv>()->residual, std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Apart,
    testing::Values(
        Refused{"another_reads_the_convolution",
                [](Block& block) {
                  const ValueId other = AddValue(block.network, {1, kSize, kSize, kChannels});
                  AddLayer(block.network, other, Sum(2, 0));
                }},
        Refused{"the_convolution_is_an_output", [](Block& block) { MakeOutput(block.network, 2); }},
        Refused{"a_product", [](Block& block) { block.sum->op = BinaryOp::kMul; }},
        Refused{"what_is_added_is_a_constant",
                [](Block& block) {
                  block.sum->b.value = AddConstant(block.network, {1, kSize, kSize, kChannels});
                }},
        Refused{"one_number_a_channel",
                [](Block& block) {
                  block.network.values[1].shape = {1, 1, 1, kChannels};
                  block.sum->extent = {kChannels, kSize * kSize, 1, 1};
                  block.sum->a.stride_elems = {1, kChannels, 0, 0};
                }},
        Refused{"a_part_of_what_is_added", [](Block& block) { block.sum->b.base_elems = 8; }},
        Refused{"another_shape",
                [](Block& block) {
                  block.network.values[1].shape = {1, 1, kSize * kSize, kChannels};
                }},
        Refused{"twice_the_same", [](Block& block) { block.sum->b.value = 2; }},
        Refused{"one_row", [](Block& block) { block.conv->geometry.h = {.in = 1, .out = 1}; }},
        Refused{"sums_that_are_scaled",
                [](Block& block) { block.conv->sum_scales = block.conv->w; }},
        Refused{"a_part_of_a_result", [](Block& block) { block.conv->part.y_rows = 8; }}),
    [](const auto& test) { return test.param.name; });

// Between the two a layer writes over what the convolution reads.
TEST(FuseResidualsTest, NotPastAWriteOfItsImage) {
  Block block;
  Network& network = block.network;
  const ValueId written = AddValue(network, {1, kSize, kSize, kChannels});
  network.values[static_cast<size_t>(written)].base = 0;
  auto update = std::make_shared<UpdateSlice>();
  network.layers.insert(network.layers.begin() + 1, Layer{.output = written, .op = update});
  EXPECT_FALSE(FuseResiduals(network));
  EXPECT_EQ(LinesOf(network).back(), kApart.back());
}

// v1, of six channels, is given two more of zeros, in v4, before it is added.
struct PaddedBlock : Block {
  ValueId wide = kNoValue;
  std::shared_ptr<Move> move = std::make_shared<Move>();

  PaddedBlock() {
    constexpr int32_t kThere = 6;
    network.values[1].shape.back() = kThere;
    wide = AddValue(network, {1, kSize, kSize, kChannels});
    const auto rows = [](int32_t channels, int64_t from) {
      return std::vector<MoveDimension>{{channels, from > 0 ? 1 : 0, 1},
                                        {kSize, from, kChannels},
                                        {kSize, from * kSize, int64_t{kChannels} * kSize}};
    };
    move->pieces = {{.fill = 4, .to_base_elems = kThere, .dims = rows(kChannels - kThere, 0)},
                    {.from = 1, .dims = rows(kThere, kThere)}};
    sum->b.value = wide;
    network.layers.insert(network.layers.begin(), Layer{.output = wide, .op = move});
  }
};

TEST(FuseResidualsTest, ChannelsOfZerosAreNotRead) {
  PaddedBlock block;
  ASSERT_TRUE(FuseResiduals(block.network));
  EXPECT_EQ(LinesOf(block.network), kFused);
  EXPECT_EQ(block.network.layers[0].As<Conv>()->residual_c, 6);
}

struct NotNarrower {
  std::string name;
  void (*change)(PaddedBlock& block);
};
class Whole : public testing::TestWithParam<NotNarrower> {};

TEST_P(Whole, IsWhatIsAdded) {
  PaddedBlock block;
  GetParam().change(block);
  ASSERT_TRUE(FuseResiduals(block.network));
  const Layer* conv = nullptr;
  for (const Layer& layer : block.network.layers) conv = layer.As<Conv>() ? &layer : conv;
  EXPECT_EQ(conv->As<Conv>()->residual->b.value, block.wide);
  EXPECT_EQ(conv->As<Conv>()->residual_c, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Whole,
    testing::Values(
        NotNarrower{"channels_of_something",
                    [](PaddedBlock& block) { block.move->pieces[0].fill = 5; }},
        NotNarrower{"zero_is_no_zero_point_of_floats",
                    [](PaddedBlock& block) {
                      block.conv->dtype = Dtype::kF32;
                      for (Value& value : block.network.values) value.dtype = Dtype::kF32;
                    }},
        NotNarrower{"channels_before",
                    [](PaddedBlock& block) {
                      block.move->pieces[0].to_base_elems = 0;
                      block.move->pieces[1].to_base_elems = 2;
                    }},
        NotNarrower{"not_from_its_first_element",
                    [](PaddedBlock& block) { block.move->pieces[1].from_base_elems = 1; }},
        NotNarrower{
            "mirrored",
            [](PaddedBlock& block) { block.move->pieces[1].dims[1].from_stride_elems = -6; }},
        NotNarrower{"rows_instead",
                    [](PaddedBlock& block) {
                      block.network.values[1].shape = {1, kSize - 1, kSize, kChannels};
                    }},
        NotNarrower{"of_a_constant",
                    [](PaddedBlock& block) {
                      block.move->pieces[1].from = AddConstant(block.network, {1, kSize, kSize, 6});
                    }},
        NotNarrower{"another_reads_it_too",
                    [](PaddedBlock& block) {
                      const ValueId other = AddValue(block.network, {1, kSize, kSize, kChannels});
                      AddLayer(block.network, other, Sum(block.wide, block.wide));
                    }},
        NotNarrower{"an_output", [](PaddedBlock& block) { MakeOutput(block.network, block.wide); }},
        NotNarrower{"written_over_before",
                    [](PaddedBlock& block) {
                      Network& network = block.network;
                      const ValueId written = AddValue(network, {1, kSize, kSize, 6});
                      network.values[static_cast<size_t>(written)].base = 1;
                      network.layers.insert(
                          network.layers.begin() + 1,
                          Layer{.output = written, .op = std::make_shared<UpdateSlice>()});
                    }}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace acme::compiler

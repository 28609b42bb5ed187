// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/elementwise/chains.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using Strides = std::array<int32_t, 4>;

constexpr int32_t kRows = 4;
constexpr int32_t kCols = 64;
constexpr std::array<int32_t, 4> kMatrix = {kCols, kRows, 1, 1};
constexpr Strides kDense = {1, kCols, 0, 0};
constexpr Strides kByRow = {0, 1, 0, 0};
constexpr Strides kByCol = {1, 0, 0, 0};

std::shared_ptr<Binary> Op(BinaryOp op, ValueId a, const Strides& a_strides, ValueId b,
                           const Strides& b_strides) {
  auto binary = std::make_shared<Binary>();
  binary->op = op;
  binary->extent = kMatrix;
  binary->a = {.value = a, .stride_elems = a_strides};
  binary->b = {.value = b, .stride_elems = b_strides};
  binary->clamp = FloatActivationRange(Activation::kNone);
  return binary;
}

// (v0 * v1, one a row) -> v3, v2, one a column, - v3 -> v4
struct Norm {
  Network network;
  std::shared_ptr<Binary> first = Op(BinaryOp::kMul, 0, kDense, 1, kByRow);
  std::shared_ptr<Binary> second = Op(BinaryOp::kSub, 2, kByCol, 3, kDense);

  Norm() {
    AddInput(network, {kRows, kCols});
    AddInput(network, {kRows, 1});
    AddConstant(network, {kCols});
    AddValue(network, {kRows, kCols});
    AddValue(network, {kRows, kCols});
    AddLayer(network, 3, first);
    AddLayer(network, 4, second);
    MakeOutput(network, 4);
    for (Value& value : network.values) value.dtype = Dtype::kF32;
  }
};

Hardware Chip() { return *BuiltinHardware("acme_a1"); }

// "v4: v0 mul v1 (0 1), v2 (1 0) sub that"
std::vector<std::string> LinesOf(const Network& network) {
  std::vector<std::string> lines;
  for (const Layer& layer : network.layers) {
    const auto* op = layer.As<Binary>();
    std::string line =
        fmt::format("v{}: v{} {} v{} ({} {})", layer.output, op->a.value, NameOf(op->op),
                    op->b.value, op->b.stride_elems[0], op->b.stride_elems[1]);
    if (op->then) {
      const Binary::Operand& c = op->then->c;
      const std::string other =
          fmt::format("v{} ({} {})", c.value, c.stride_elems[0], c.stride_elems[1]);
      line += op->then->reversed ? fmt::format(", {} {} that", other, NameOf(op->then->op))
                                 : fmt::format(", {} {}", NameOf(op->then->op), other);
    }
    lines.push_back(line);
  }
  return lines;
}

TEST(FuseChains, TakesTheMakerOfAnOperand) {
  Norm norm;
  norm.second->clamp = FloatActivationRange(Activation::kRelu);
  EXPECT_TRUE(FuseChains(norm.network, Chip()));
  EXPECT_THAT(LinesOf(norm.network), ElementsAre("v4: v0 mul v1 (0 1), v2 (1 0) sub that"));
  EXPECT_EQ(norm.network.layers[0].As<Binary>()->clamp, FloatActivationRange(Activation::kRelu));
}

TEST(FuseChains, TheMakerMayBeTheFirstOperand) {
  Norm norm;
  std::swap(norm.second->a, norm.second->b);
  EXPECT_TRUE(FuseChains(norm.network, Chip()));
  EXPECT_THAT(LinesOf(norm.network), ElementsAre("v4: v0 mul v1 (0 1), sub v2 (1 0)"));
}

// The same elements as one row of all.
TEST(FuseChains, WalksBothAsTheFinerOne) {
  Norm norm;
  norm.second->extent = {kCols * kRows, 1, 1, 1};
  norm.second->a = {.value = 2, .stride_elems = {0, 0, 0, 0}};
  norm.second->b.stride_elems = {1, 0, 0, 0};
  EXPECT_TRUE(FuseChains(norm.network, Chip()));
  EXPECT_THAT(LinesOf(norm.network), ElementsAre("v4: v0 mul v1 (0 1), v2 (0 0) sub that"));
  EXPECT_EQ(norm.network.layers[0].As<Binary>()->extent, kMatrix);
}

TEST(FuseChains, AReshapeBetweenTheTwoIsNothing) {
  Norm norm;
  const ValueId name = AddValue(norm.network, {1, kRows, kCols});
  norm.network.values.back().dtype = Dtype::kF32;
  norm.network.values.back().base = 3;
  norm.second->b.value = name;
  EXPECT_TRUE(FuseChains(norm.network, Chip()));
  EXPECT_THAT(LinesOf(norm.network), ElementsAre("v4: v0 mul v1 (0 1), v2 (1 0) sub that"));
}

TEST(FuseChains, TwoOperationsAreAllThatAPassHas) {
  Norm norm;
  AddValue(norm.network, {kRows, kCols});
  norm.network.values[4].output_index = -1;
  norm.network.values[5] = norm.network.values[4];
  AddLayer(norm.network, 5, Op(BinaryOp::kAdd, 4, kDense, 0, kDense));
  norm.network.values[5].output_index = 0;
  norm.network.outputs = {5};
  EXPECT_TRUE(FuseChains(norm.network, Chip()));
  EXPECT_THAT(LinesOf(norm.network),
              ElementsAre("v4: v0 mul v1 (0 1), v2 (1 0) sub that", "v5: v4 add v0 (1 64)"));
}

// The second operation may convert what it makes, the first may not; what is between the two is larger
// than that, so that it need not stay.
TEST(FuseChains, TheResultMayBeConverted) {
  Norm norm;
  norm.second->converts_result = true;
  norm.second->out_zp = 5;
  norm.second->out_scale = {7, 0};
  norm.network.values[4].dtype = Dtype::kI8;
  Hardware hardware = Chip();
  hardware.scratchpad_bytes = int64_t{kRows} * kCols * 4 * 5 - 5;
  EXPECT_TRUE(FuseChains(norm.network, hardware));
  EXPECT_THAT(LinesOf(norm.network), ElementsAre("v4: v0 mul v1 (0 1), v2 (1 0) sub that"));
  const auto* chain = norm.network.layers[0].As<Binary>();
  EXPECT_TRUE(chain->converts_result);
  EXPECT_EQ(chain->out_zp, 5);
  EXPECT_EQ(chain->out_scale, (FixedPoint{7, 0}));
}

struct Refusal {
  const char* why;
  void (*spoil)(Norm& norm, Hardware& hardware);
};

TEST(FuseChains, LeavesWhatIsNoChain) {
  const Refusal refusals[] = {
      {"an operation that v.chain does not have",
       [](Norm& norm, Hardware&) { norm.first->op = BinaryOp::kDiv; }},
      {"another clamp between the two",
       [](Norm& norm, Hardware&) { norm.first->clamp = FloatActivationRange(Activation::kRelu); }},
      {"an output between the two", [](Norm& norm, Hardware&) { MakeOutput(norm.network, 3); }},
      {"another reader",
       [](Norm& norm, Hardware&) {
         AddValue(norm.network, {kRows, kCols});
         norm.network.values.back().dtype = Dtype::kF32;
         AddLayer(norm.network, 5, Op(BinaryOp::kMul, 3, kDense, 3, kDense));
         MakeOutput(norm.network, 5);
       }},
      {"a part of what is made", [](Norm& norm, Hardware&) { norm.second->b.base_elems = 1; }},
      {"another name for a part of what is made",
       [](Norm& norm, Hardware&) {
         norm.network.values[3].shape = {kRows + 1, kCols};
         norm.second->b.value = AddValue(norm.network, {kRows, kCols});
         norm.network.values.back().dtype = Dtype::kF32;
         norm.network.values.back().base = 3;
       }},
      {"integers", [](Norm& norm, Hardware&) { norm.network.values[3].dtype = Dtype::kI8; }},
      {"a first result that is converted",
       [](Norm& norm, Hardware&) { norm.first->converts_result = true; }},
      {"an operand that is converted",
       [](Norm& norm, Hardware&) { norm.second->a.is_converted = true; }},
      {"a value that does not stay",
       [](Norm&, Hardware& hardware) {
         hardware.scratchpad_bytes = int64_t{kRows} * kCols * 4 * 5 - 5;
       }},
      {"rows that leave lanes empty",
       [](Norm&, Hardware& hardware) { hardware.vector_lanes_32 = 128; }},
  };
  for (const Refusal& refusal : refusals) {
    Norm norm;
    Hardware hardware = Chip();
    refusal.spoil(norm, hardware);
    const std::vector<std::string> before = LinesOf(norm.network);
    EXPECT_FALSE(FuseChains(norm.network, hardware)) << refusal.why;
    EXPECT_EQ(LinesOf(norm.network), before) << refusal.why;
  }
}

}  // namespace
}  // namespace acme::compiler

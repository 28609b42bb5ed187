// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Vector costs worked out by hand from docs/timing.md, on acme_a1: 64 lanes of bytes, 32 of words,
// 16 of 32 bits; 6 cycles to start; 6 words read and 4 written a cycle, 32 bytes each.

#include "simulator/timing/vector_cost.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "simulator/isa/footprint.h"

namespace acme {
namespace {

class VectorCostTest : public ::testing::Test {
 protected:
  void Shape(int64_t n0, int64_t n1 = 1, int64_t n2 = 1, int64_t n3 = 1) {
    state_.vector.shape = {n0, n1, n2, n3};
  }
  void Views(const Strides& dst, const Strides& a, const Strides& b = {}) {
    state_.vector.stride = {dst, a, b};
  }
  template <class I>
  int64_t Cycles(const I& op) {
    return EstimateVector(op, state_, hw_).cycles;
  }
  Hardware hw_ = *BuiltinHardware("acme_a1");
  EngineState state_;
};

TEST_F(VectorCostTest, BinaryIsLanesOrPorts) {
  Shape(6400);
  Views({1}, {1}, {1});
  EXPECT_EQ(Cycles(isa::VBinary{.op = BinaryOp::kAdd, .dtype = Dtype::kI8}), 6 + 100);
  Views({2}, {2}, {2});
  EXPECT_EQ(Cycles(isa::VBinary{.op = BinaryOp::kAdd, .dtype = Dtype::kI16}), 6 + 200);
  Views({4}, {4}, {4});
  EXPECT_EQ(Cycles(isa::VBinary{.op = BinaryOp::kMul, .dtype = Dtype::kF32}), 6 + 400);
  EXPECT_EQ(Cycles(isa::VBinary{.op = BinaryOp::kDiv, .dtype = Dtype::kF32}), 6 + 1600);
  EXPECT_EQ(Cycles(isa::VBinary{.op = BinaryOp::kFloorMod, .dtype = Dtype::kI32}), 6 + 1600);
  Views({1}, {4}, {4});
  EXPECT_EQ(Cycles(isa::VBinary{.op = BinaryOp::kMulRound, .dtype = Dtype::kF32}), 6 + 400);
}

TEST_F(VectorCostTest, ShortRowsWasteLanes) {
  hw_.pack_rows = false;
  Shape(24, 10);
  Views({1, 24}, {1, 24}, {1, 24});
  EXPECT_EQ(Cycles(isa::VBinary{.dtype = Dtype::kI8}), 6 + 4);
  Views({1, 100}, {1, 24}, {1, 24});
  EXPECT_EQ(Cycles(isa::VBinary{.dtype = Dtype::kI8}), 6 + 10);
  // A scalar operand breaks no row.
  Views({1, 24}, {1, 24}, {0, 0});
  EXPECT_EQ(Cycles(isa::VBinary{.dtype = Dtype::kI8}), 6 + 4);
}

// 64 lanes: two rows of 24, four of 12, which is not a power of two either.
TEST_F(VectorCostTest, ShortRowsGoTogetherWhereTheyArePacked) {
  hw_.pack_rows = true;
  Shape(24, 10);
  Views({1, 100}, {1, 24}, {1, 24});
  EXPECT_EQ(Cycles(isa::VBinary{.dtype = Dtype::kI8}), 6 + 5);
  Shape(12, 40);
  Views({1, 16}, {1, 16}, {1, 16});
  EXPECT_EQ(Cycles(isa::VBinary{.dtype = Dtype::kI8}), 6 + 10);
  Shape(65, 10);
  Views({1, 100}, {1, 100}, {1, 100});
  EXPECT_EQ(Cycles(isa::VBinary{.dtype = Dtype::kI8}), 6 + 20) << "longer ones do not";
}

TEST_F(VectorCostTest, FunctionsTakeTheirFactor) {
  Shape(1600);
  Views({4}, {4});
  EXPECT_EQ(Cycles(isa::VUnary{.op = UnaryOp::kAbs, .dtype = Dtype::kF32}), 6 + 100);
  EXPECT_EQ(Cycles(isa::VUnary{.op = UnaryOp::kExp, .dtype = Dtype::kF32}), 6 + 400);
  EXPECT_EQ(Cycles(isa::VUnary{.op = UnaryOp::kRsqrt, .dtype = Dtype::kF32}), 6 + 400);
}

TEST_F(VectorCostTest, DrainReadsTwoRowsACycle) {
  Shape(32, 10, 10);
  Views({1, 32, 320}, {});
  state_.vector.params.record_stride = 10;
  EXPECT_EQ(Cycles(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kI8}), 6 + 2 + 50);
  Views({2, 64, 640}, {});
  EXPECT_EQ(Cycles(isa::VDrain{.acc_type = Dtype::kI64, .out = Dtype::kI16}), 6 + 2 + 100);
  Views({4, 128, 1280}, {});
  state_.vector.params.record_stride = 4;
  EXPECT_EQ(Cycles(isa::VDrain{.acc_type = Dtype::kF32, .out = Dtype::kF32}), 6 + 1 + 200);
  EXPECT_EQ(Cycles(isa::VDrain{.acc_type = Dtype::kI32, .out = Dtype::kF32}), 6 + 1 + 200);
}

TEST_F(VectorCostTest, DepthwiseIsOneWindowALaneACycle) {
  // 64 channels, 25 x 5 pixels, 3x3: five lane groups a row; 7 pixels of 64 bytes in 3 rows are 42
  // words at 6 a cycle.
  Shape(64, 5, 25);
  Views({1, 64, 320}, {});
  state_.vector.window = {3, 3, 1, 1, 1, 1, 1};
  state_.vector.input = {27, 7, 448, 64, 0, 0};
  state_.vector.params = {.addr = 0, .tap_stride = 64, .record_stride = 10};
  const InstructionCost cost =
      EstimateVector(isa::VDepthwise{.dtype = Dtype::kI8, .weights = 0}, state_, hw_);
  EXPECT_EQ(cost.cycles, 6 + 25 * 7 + (18 + 20 + 5) / 6);
  EXPECT_EQ(cost.macs, 64 * 5 * 25 * 9);
  // Wide rows are limited by the lanes: 112 pixels of 32 channels are 56 groups, 114 words in 3
  // rows take 57 cycles.
  Shape(32, 112, 1);
  state_.vector.input = {3, 114, 3648, 32, 0, 0};
  EXPECT_EQ(EstimateVector(isa::VDepthwise{.dtype = Dtype::kI8}, state_, hw_).cycles, 6 + 57 + 4);
}

TEST_F(VectorCostTest, PoolReadsItsWindows) {
  Shape(1280);
  Views({1}, {});
  state_.vector.window = {7, 7, 1, 1, 1, 1, 1};
  state_.vector.input = {7, 7, 8960, 1280, 0, 0};
  // 7 rows of 280 words at 6 a cycle; lanes would take 20 * 6.
  EXPECT_EQ(Cycles(isa::VPool{.op = PoolOp::kAverage, .dtype = Dtype::kI8}), 6 + 327);
}

TEST_F(VectorCostTest, ResizeFillsTheLanesWithPixels) {
  // Rows of 20 pixels of 3 channels are 4 groups of 16 lanes, the four corners taps. Two rows of 10
  // pixels of 12 bytes are ten words. 22 records of 12 bytes are 9 words.
  state_.vector.input = {10, 10, 120, 12, 0, 0};
  Shape(3, 20, 2);
  Views({4, 12, 240}, {});
  EXPECT_EQ(Cycles(isa::VResize{.op = ResizeOp::kBilinear, .dtype = Dtype::kF32}), 6 + 2 * 4 + 2);
  hw_.depthwise_taps = 2;
  EXPECT_EQ(Cycles(isa::VResize{.op = ResizeOp::kBilinear, .dtype = Dtype::kF32}), 6 + 2 * 8 + 2);
  // Of an image of 400 pixels a row, each corner touches two words: 160, less than two rows have.
  state_.vector.input = {10, 400, 4800, 12, 0, 0};
  EXPECT_EQ(Cycles(isa::VResize{.op = ResizeOp::kBilinear, .dtype = Dtype::kF32}), 6 + 2 * 27 + 2);
  // Bytes that are blended in binary32 take its lanes: 60 elements a row are 4 groups as above.
  hw_.depthwise_taps = 4;
  state_.vector.input = {10, 10, 30, 3, 0, 0};
  Views({1, 3, 60}, {});
  const isa::VResize bytes{.op = ResizeOp::kBilinear, .dtype = Dtype::kU8};
  EXPECT_EQ(Cycles(bytes), 6 + 2 * 1 + 2);
  isa::VResize reals = bytes;
  reals.real = true;
  EXPECT_EQ(Cycles(reals), 6 + 2 * 4 + 2);
  // 24 channels of bytes: 8 groups a row.
  state_.vector.input = {10, 10, 240, 24, 0, 0};
  Shape(24, 20, 2);
  Views({1, 24, 480}, {});
  EXPECT_EQ(Cycles(isa::VResize{.op = ResizeOp::kNearest, .dtype = Dtype::kI8}), 6 + 16 + 1);
  // 40 float32 channels fill the lanes better than pixel by pixel: 50 groups in place of 60.
  state_.vector.input = {10, 10, 1600, 160, 0, 0};
  Shape(40, 20, 1);
  Views({4, 160, 3200}, {});
  EXPECT_EQ(Cycles(isa::VResize{.op = ResizeOp::kNearest, .dtype = Dtype::kF32}), 6 + 50 + 1);
}

TEST_F(VectorCostTest, ReduceCombinesLanes) {
  Shape(640, 4);
  Views({4, 4}, {4, 2560});
  EXPECT_EQ(Cycles(isa::VReduce{
                .op = ReduceOp::kSum, .dims = 1, .dtype = Dtype::kF32, .out = Dtype::kF32}),
            6 + 160 + 4);
  // 16 lanes; a row of 3 takes 4, those that are not side by side too.
  Shape(3, 10);
  Views({4, 4}, {4, 64});
  EXPECT_EQ(Cycles(isa::VReduce{
                .op = ReduceOp::kSum, .dims = 1, .dtype = Dtype::kF32, .out = Dtype::kF32}),
            6 + 3 + 4);
  hw_.pack_rows = false;
  EXPECT_EQ(Cycles(isa::VReduce{
                .op = ReduceOp::kSum, .dims = 1, .dtype = Dtype::kF32, .out = Dtype::kF32}),
            6 + 10 + 4)
      << "a row a cycle comes";
  Views({4, 4}, {4, 12});
  EXPECT_EQ(Cycles(isa::VReduce{
                .op = ReduceOp::kSum, .dims = 1, .dtype = Dtype::kF32, .out = Dtype::kF32}),
            6 + 3 + 4);
  Shape(640, 4);
  Views({4, 4}, {4, 2560});
  EXPECT_EQ(Cycles(isa::VReduce{
                .op = ReduceOp::kSum, .dims = 2, .dtype = Dtype::kF32, .out = Dtype::kF32}),
            6 + 160);
}

TEST_F(VectorCostTest, QuantizingIsAConversion) {
  Shape(160, 1);
  Views({1, 160}, {4, 640});
  state_.vector.quant[static_cast<size_t>(View::kDst)].mult = std::bit_cast<uint32_t>(0.1f);
  EXPECT_EQ(
      Cycles(isa::VConvert{.op = ConvertOp::kQuantize, .dtype = Dtype::kF32, .out = Dtype::kI8}),
      6 + 10);
}

TEST_F(VectorCostTest, DotProductsAreLanesOrPorts) {
  // 64 lanes of nine taps: 576 elements a cycle. Each vector of 640 takes two; the one and four of 20
  // words each, with two words of records, 17 of the read port.
  Shape(4, 640);
  Views({1}, {}, {640});
  state_.vector.params.record_stride = 10;
  EXPECT_EQ(Cycles(isa::VDot{.dtype = Dtype::kI8}), 6 + 17 + 6);
  hw_.vector_lanes = 2;
  EXPECT_EQ(Cycles(isa::VDot{.dtype = Dtype::kI8}), 6 + 4 * 36 + 1);
}

// One pass of two operations: what each row has in common breaks nothing, and three operands of 16 lanes
// are the six words that the port reads in a cycle.
TEST_F(VectorCostTest, AChainIsOnePass) {
  Shape(64, 10);
  Views({4, 256}, {4, 256}, {0, 4});
  state_.vector.stride[static_cast<size_t>(View::kC)] = {4, 0, 0, 0};
  EXPECT_EQ(Cycles(isa::VChain{.op = BinaryOp::kMul, .then = BinaryOp::kMul}), 6 + 40);
  state_.vector.stride[static_cast<size_t>(View::kC)] = {4, 256, 0, 0};
  EXPECT_EQ(Cycles(isa::VChain{.op = BinaryOp::kMul, .then = BinaryOp::kAdd}), 6 + 40);
}

// Four levels of the tree of 16 lanes, behind the last row.
TEST_F(VectorCostTest, AnEpilogueTakesTheTreesLevels) {
  Shape(64, 10);
  Views({4, 256}, {4, 256}, {4, 256});
  isa::VBinary add{.dtype = Dtype::kF32, .epilogue = true};
  state_.vector.epilogue = {.op = ReduceOp::kMaxMagnitude, .dims = 1, .dst = 0};
  EXPECT_EQ(Cycles(add), 6 + 40 + 4);
  EXPECT_EQ(Cycles(isa::VChain{.epilogue = true}), 6 + 40 + 4);
  // Each lane has its own.
  state_.vector.epilogue.dims = 2;
  EXPECT_EQ(Cycles(add), 6 + 40);
  add.epilogue = false;
  EXPECT_EQ(Cycles(add), 6 + 40);
}

// A drain's, and those of windows, take the levels, too.
TEST_F(VectorCostTest, AnEpilogueOfSumsTakesTheTreesLevels) {
  Shape(32, 40);
  Views({4, 128}, {});
  state_.vector.params = {.tap_stride = 32, .record_stride = kFloatRecordBytes};
  state_.vector.epilogue = {.op = ReduceOp::kMax, .dims = 0xF, .dst = 0};
  const isa::VDrain drain{.acc_type = Dtype::kF32, .out = Dtype::kF32};
  const int64_t drained = Cycles(drain);
  state_.vector.window = {1, 1, 1, 1, 1, 1, 1};
  state_.vector.input = {1, 40, 5120, 128, 0, 0};
  const isa::VDepthwise depthwise{.dtype = Dtype::kF32};
  const int64_t windows = Cycles(depthwise);
  state_.vector.params.epilogue = true;
  EXPECT_EQ(Cycles(drain), drained + 4);
  EXPECT_EQ(Cycles(depthwise), windows + 4);
}

// 1,280 results of 16 lanes, and 32 records of 8 bytes and as many weights, 9 words, of which six come
// a cycle; bytes would take the lanes half as long.
TEST_F(VectorCostTest, ScaledWindowsTakeTheLanesOfTheirResults) {
  Shape(32, 40);
  Views({4, 128}, {});
  state_.vector.params = {.tap_stride = 32, .record_stride = kScaledRecordBytes};
  state_.vector.window = {1, 1, 1, 1, 1, 1, 1};
  state_.vector.input = {1, 40, 1280, 32, 0, 0};
  EXPECT_EQ(Cycles(isa::VDepthwise{.dtype = Dtype::kI8, .scaled = true}), 6 + 80 + 2);
  // Records of 12 bytes are four words more, 13.
  state_.vector.params.record_stride = kOffsetRecordBytes;
  state_.vector.params.offsets = true;
  EXPECT_EQ(Cycles(isa::VDepthwise{.dtype = Dtype::kI8, .scaled = true}), 6 + 80 + 3);
}

// 256 bytes are 8 words, of which six come a cycle: after the 10 of a drain's records, or the 11 of the
// weights and records of a depthwise convolution.
TEST_F(VectorCostTest, ALookupReadsItsTableOnce) {
  Shape(32, 40);
  Views({1, 32}, {});
  state_.vector.params = {.tap_stride = 32, .record_stride = kIntegerRecordBytes};
  state_.vector.lookup.addr = 4096;
  isa::VDrain drain{.acc_type = Dtype::kI32, .out = Dtype::kI8};
  EXPECT_EQ(Cycles(drain), 6 + 2 + 20);
  drain.lookup = true;
  EXPECT_EQ(Cycles(drain), 6 + 3 + 20);
  state_.vector.window = {1, 1, 1, 1, 1, 1, 1};
  state_.vector.input = {1, 40, 1280, 32, 0, 0};
  isa::VDepthwise depthwise{.dtype = Dtype::kI8};
  const int64_t alone = Cycles(depthwise);
  depthwise.lookup = true;
  EXPECT_EQ(Cycles(depthwise), alone + 2);
  // Each element is worked on twice.
  EXPECT_EQ(EstimateVector(drain, state_, hw_).vector_elems, 2 * 32 * 40);
  EXPECT_EQ(EstimateVector(depthwise, state_, hw_).vector_elems, 2 * 32 * 40);
}

// What is added comes with the rows that are drained, two a cycle, unless the port has fewer.
TEST_F(VectorCostTest, AResidualTakesNoPass) {
  Shape(32, 40);
  Views({1, 32}, {}, {1, 32});
  state_.vector.params.record_stride = kIntegerRecordBytes;
  isa::VDrain drain{.acc_type = Dtype::kI32, .out = Dtype::kI8};
  EXPECT_EQ(Cycles(drain), 6 + 2 + 20);
  drain.residual = true;
  EXPECT_EQ(Cycles(drain), 6 + 2 + 20);
  // 1,280 words of 6 a cycle: each element of the residual stands in a word of its own.
  Views({1, 32}, {}, {64, 2048});
  hw_.scratchpad_banks = 64;
  EXPECT_EQ(Cycles(drain), 6 + 2 + 214);
  // Of 24 columns there are 960 words; of none it is the drain alone.
  drain.missing = 8;
  EXPECT_EQ(Cycles(drain), 6 + 2 + 160);
  drain.missing = 32;
  EXPECT_EQ(Cycles(drain), 6 + 2 + 20);
}

TEST_F(VectorCostTest, SoftmaxIsThreePasses) {
  Shape(12, 1);
  Views({1, 12}, {1, 12});
  EXPECT_EQ(Cycles(isa::VSoftmax{.dtype = Dtype::kI8, .out = Dtype::kI8}), 6 + 1 + 4 + 4);
  // Exponentials that stay in the result's place are computed once; int16 looks them up.
  Shape(64, 10);
  Views({2, 128}, {2, 128});
  EXPECT_EQ(Cycles(isa::VSoftmax{.dtype = Dtype::kI16, .out = Dtype::kI16}), 6 + 20 * 3);
  Views({4, 256}, {4, 256});
  EXPECT_EQ(Cycles(isa::VSoftmax{.dtype = Dtype::kF32, .out = Dtype::kF32}),
            6 + 40 * (1 + 4 + 1) + 4);
}

// Of 64 lanes a row of 12 takes 16, one of 2 takes 2.
TEST_F(VectorCostTest, SoftmaxTakesShortRowsTogether) {
  const isa::VSoftmax softmax{.dtype = Dtype::kI8, .out = Dtype::kI8};
  struct Case {
    int64_t length, rows, pass;
  };
  for (const auto& [length, rows, pass] :
       {Case{12, 21, 6}, Case{2, 320, 10}, Case{32, 5, 3}, Case{33, 5, 5}, Case{65, 5, 10}}) {
    Shape(length, rows);
    Views({1, length}, {1, length});
    EXPECT_EQ(Cycles(softmax), 6 + pass * (1 + 4 + 4)) << rows << " rows of " << length;
  }
}

TEST_F(VectorCostTest, FillIsTheWritePort) {
  Shape(4096);
  Views({1}, {});
  EXPECT_EQ(Cycles(isa::VFill{.dtype = Dtype::kI8}), 6 + 32);
}

}  // namespace
}  // namespace acme

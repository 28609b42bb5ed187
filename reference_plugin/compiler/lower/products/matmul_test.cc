// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/matmul.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

// [2, 4] by [4, 3].
MatMul Small(ValueId a, ValueId b) {
  MatMul op;
  op.a = a;
  op.b = b;
  op.rows = 2;
  op.depth = 4;
  op.cols = 3;
  op.SetDenseRows();
  op.products = {{}};
  op.requantize.scales = {{1 << 30, 0}};
  return op;
}

TEST(LowerMatMul, LoadsTheSecondOperandAsWeights) {
  LoweringBench bench;
  const ValueId a = bench.InScratchpad(Dtype::kI8, {2, 4});
  const ValueId b = bench.InScratchpad(Dtype::kI8, {4, 3});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {2, 3});
  MatMul op = Small(a, b);
  op.a_zp = 1;
  op.b_zp = 2;
  op.requantize.out_zp = 3;
  op.requantize.clamp = {-128, 127};
  EXPECT_THAT(
      bench.Lower(op, y),
      ElementsAre(
          "ld.copy spm=0x1c0 bytes=30", "m.type act=i8 weight=i8 act_zp=1 weight_zp=2",
          "m.loadw addr=0xc0 k=4 n=3 k_stride=3 n_stride=1",
          "m.stream addr=0x40 m=2 row_stride=4 swap=1", "v.quant view=dst zp=3 rounding=double",
          "v.clamp lo=-128 hi=127", "v.params record_stride=10", "v.shape n0=3 n1=2 n2=1 n3=1",
          "v.view view=dst s0=1 s1=3", "v.drain dst=0x140 params=0x1c0 acc_type=i32 out=i8"));
}

// Heads of attention: each row of the image has a product.
TEST(MatMulRows, AreTheProductsOfTheseRows) {
  MatMul op = Small(0, 1);
  op.products = {{0, 0, 0}, {8, 12, 6}, {16, 24, 12}};
  op.row_elems = 6;
  const auto whole = std::static_pointer_cast<const MatMul>(op.Rows({1, 3}, {}));
  EXPECT_THAT(whole->products, ElementsAre(MatMul::Product{8, 12, 0}, MatMul::Product{16, 24, 6}))
      << "a is there as a whole";
  op.a_row_elems = 8;
  const HeldRows held{.image = 0, .value = 7, .rows = {1, 3}};
  const auto part = std::static_pointer_cast<const MatMul>(op.Rows({2, 3}, {&held, 1}));
  EXPECT_EQ(part->a, 7);
  EXPECT_THAT(part->products, ElementsAre(MatMul::Product{8, 24, 0}));
}

// Tokens of attention: each row of the image has a row of every head's product.
TEST(MatMulRows, AreRowsOfEachProduct) {
  MatMul op = Small(0, 1);
  op.rows = 5;
  op.products = {{0, 0, 0}, {4, 12, 3}};
  op.a_row_stride = 8;
  op.y_row_stride = 6;
  op.row_elems = 6;
  op.row_of_each = true;
  const auto whole = std::static_pointer_cast<const MatMul>(op.Rows({1, 3}, {}));
  EXPECT_EQ(whole->rows, 2);
  EXPECT_THAT(whole->products, ElementsAre(MatMul::Product{8, 0, 0}, MatMul::Product{12, 12, 3}))
      << "a is there as a whole";
  op.a_row_elems = 8;
  const HeldRows held{.image = 0, .value = 7, .rows = {1, 5}};
  const auto part = std::static_pointer_cast<const MatMul>(op.Rows({2, 5}, {&held, 1}));
  EXPECT_EQ(part->a, 7);
  EXPECT_EQ(part->rows, 3);
  EXPECT_THAT(part->products, ElementsAre(MatMul::Product{8, 0, 0}, MatMul::Product{12, 12, 3}));
}

TEST(LowerMatMul, TransposedByStrides) {
  LoweringBench bench;
  const ValueId a = bench.InScratchpad(Dtype::kI8, {2, 4});
  const ValueId b = bench.InScratchpad(Dtype::kI8, {3, 4});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {2, 3});
  MatMul op = Small(a, b);
  op.b_transposed = true;
  op.SetDenseRows();
  EXPECT_EQ(bench.LowerWork(op, y)[1], "m.loadw addr=0xc0 k=4 n=3 k_stride=1 n_stride=4");
}

// Weights of 32 columns that stand as rows are read word by word; two rows of the other operand are
// fewer, so they are the weights, and the results are written across. The sums and their
// requantisation are the same.
TEST(LowerMatMul, FewerStridedWeights) {
  LoweringBench bench;
  const ValueId a = bench.InScratchpad(Dtype::kI8, {2, 32});
  const ValueId b = bench.InScratchpad(Dtype::kI8, {32, 32});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {2, 32});
  MatMul op = Small(a, b);
  op.depth = op.cols = 32;
  op.b_transposed = true;
  op.SetDenseRows();
  op.a_zp = 1;
  op.b_zp = 2;
  const std::vector<std::string> code = bench.Lower(op, y);
  EXPECT_THAT(code, testing::IsSupersetOf({
                        "m.type act=i8 weight=i8 act_zp=2 weight_zp=1",
                        "m.loadw addr=0x40 k=32 n=2 k_stride=1 n_stride=32",
                        "m.stream addr=0xc0 m=32 row_stride=32 swap=1",
                        "v.shape n0=2 n1=32 n2=1 n3=1",
                        "v.view view=dst s0=32 s1=1",
                    }));
  // Not where the result goes to DRAM, too.
  const ValueId out = bench.OutputInScratchpad(Dtype::kI8, {2, 32});
  EXPECT_THAT(bench.Lower(op, out),
              testing::Contains("m.loadw addr=0xc0 k=32 n=32 k_stride=1 n_stride=32"));
}

TEST(LowerMatMul, ExchangedTwiceIsTheSame) {
  MatMul op = Small(0, 1);
  op.b_transposed = true;
  op.a_zp = 5;
  op.a_row_stride = 10;
  op.b_row_stride = 20;
  op.y_row_stride = 30;
  op.products = {{0, 1, 4}, {2, 3, 5}};
  const MatMul once = Exchanged(op);
  EXPECT_EQ(once.rows, 3);
  EXPECT_EQ(once.products[1], (MatMul::Product{3, 2, 5}));
  EXPECT_EQ(once.a_row_stride, 20);
  EXPECT_EQ(once.b_row_stride, 10);
  EXPECT_EQ(once.y_row_stride, 30);
  EXPECT_TRUE(once.y_transposed);
  EXPECT_EQ(Exchanged(once).Describe(), op.Describe());
  EXPECT_FALSE(Exchanged(once).y_transposed);
}

// Rows of 512 bytes, 16 words, all begin in the same of 16 banks; those of 96 bytes do not.
TEST(LowerMatMul, LoadedRowsAreNotAllInOneBank) {
  for (const int32_t depth : {128, 24}) {
    LoweringBench bench(1 << 18);
    const ValueId a = bench.InScratchpad(Dtype::kF32, {16, depth});
    const ValueId b = bench.InDram(Dtype::kF32, {32, depth}, 4096);
    const ValueId y = bench.InScratchpad(Dtype::kF32, {16, 32});
    MatMul op = Small(a, b);
    op.dtype = op.b_dtype = op.y_dtype = Dtype::kF32;
    op.b_transposed = true;
    op.rows = 16;
    op.depth = depth;
    op.cols = 32;
    op.SetDenseRows();
    std::vector<std::string> loads;
    for (const std::string& line : bench.LowerWork(op, y)) {
      if (line.starts_with("m.loadw ")) loads.push_back(line.substr(line.find("k_stride")));
    }
    ASSERT_FALSE(loads.empty());
    EXPECT_EQ(loads[0], depth == 128 ? "k_stride=4 n_stride=544" : "k_stride=4 n_stride=96");
  }
}

// The second matrix of a by the first of b, and the first by the first.
TEST(LowerMatMul, ProductsNameTheirMatrices) {
  LoweringBench bench;
  const ValueId a = bench.InScratchpad(Dtype::kI8, {2, 2, 4});
  const ValueId b = bench.InScratchpad(Dtype::kI8, {1, 4, 3});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {2, 2, 3});
  MatMul op = Small(a, b);
  op.products = {{8, 0, 0}, {0, 0, 6}};
  EXPECT_THAT(
      bench.LowerWork(op, y),
      ElementsAre("ld.copy spm=0x1c0 bytes=30", "m.loadw addr=0xc0 k=4 n=3 k_stride=3 n_stride=1",
                  "m.stream addr=0x48 m=2 row_stride=4 swap=1",
                  "v.drain dst=0x140 params=0x1c0 acc_type=i32 out=i8",
                  "m.loadw addr=0xc0 k=4 n=3 k_stride=3 n_stride=1",
                  "m.stream addr=0x40 acc=2 m=2 row_stride=4 swap=1",
                  "v.drain acc=2 dst=0x146 params=0x1c0 acc_type=i32 out=i8"));
}

// Rows of two heads stand beside one another: [2, 2, 4] by [4, 2, 3] to [2, 2, 3], one head each.
TEST(LowerMatMul, RowsMayBeApart) {
  LoweringBench bench;
  const ValueId a = bench.InScratchpad(Dtype::kI8, {2, 2, 4});
  const ValueId b = bench.InScratchpad(Dtype::kI8, {4, 2, 3});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {2, 2, 3});
  MatMul op = Small(a, b);
  op.products = {{0, 0, 0}, {4, 3, 3}};
  op.a_row_stride = 8;
  op.b_row_stride = 6;
  op.y_row_stride = 6;
  EXPECT_THAT(bench.Lower(op, y),
              testing::IsSupersetOf({"m.loadw addr=0xc0 k=4 n=3 k_stride=6 n_stride=1",
                                     "m.stream addr=0x40 m=2 row_stride=8 swap=1",
                                     "m.loadw addr=0xc3 k=4 n=3 k_stride=6 n_stride=1",
                                     "m.stream addr=0x44 acc=2 m=2 row_stride=8 swap=1",
                                     "v.view view=dst s0=1 s1=6",
                                     "v.drain acc=2 dst=0x143 params=0x1c0 acc_type=i32 out=i8"}));
}

// What the roofline counts: two matrices of b are read, one of them twice.
TEST(MatMulWork, ElementsOfMatricesThatAreRead) {
  Network network;
  network.values.resize(3);
  network.values[0].shape = {3, 2, 4};
  network.values[1].shape = {5, 4, 3};
  MatMul op = Small(0, 1);
  op.products = {{0, 12, 0}, {8, 48, 6}, {16, 12, 12}};
  EXPECT_EQ(op.ElemsRead(network, 2, 0), 3u * 2 * 4);
  EXPECT_EQ(op.ElemsRead(network, 2, 1), 2u * 4 * 3);
}

TEST(LowerMatMul, FoldsOfTheSumAccumulate) {
  LoweringBench bench;
  const ValueId a = bench.InScratchpad(Dtype::kI8, {2, 40});
  const ValueId b = bench.InScratchpad(Dtype::kI8, {40, 3});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {2, 3});
  MatMul op = Small(a, b);
  op.depth = 40;
  op.SetDenseRows();
  // a has 80 bytes, b stands at 0x100; the second fold from row 32 on.
  EXPECT_THAT(
      bench.LowerWork(op, y),
      ElementsAre("ld.copy spm=0x240 bytes=30", "m.loadw addr=0x100 k=32 n=3 k_stride=3 n_stride=1",
                  "m.stream addr=0x40 m=2 row_stride=40 swap=1",
                  "m.loadw addr=0x160 k=8 n=3 k_stride=3 n_stride=1",
                  "m.stream addr=0x60 m=2 row_stride=40 swap=1 accumulate=1",
                  "v.drain dst=0x1c0 params=0x240 acc_type=i32 out=i8"));
}

struct TileCase {
  const char* name;
  Dtype dtype;
  int32_t rows;
  int32_t depth;
  int32_t cols;
  int64_t part_bytes;
  MatMulTile tile;
};

class MatMulTileTest : public testing::TestWithParam<TileCase> {};

TEST_P(MatMulTileTest, FitsItsParts) {
  const TileCase& c = GetParam();
  MatMul op;
  op.dtype = op.b_dtype = op.y_dtype = c.dtype;
  op.rows = c.rows;
  op.depth = c.depth;
  op.cols = c.cols;
  const MatMulTile tile = ChooseMatMulTile(op, c.part_bytes, *BuiltinHardware("acme_a1"));
  EXPECT_EQ(tile.rows, c.tile.rows);
  EXPECT_EQ(tile.depth, c.tile.depth);
  EXPECT_EQ(tile.cols, c.tile.cols);
}

INSTANTIATE_TEST_SUITE_P(Cases, MatMulTileTest,
                         testing::ValuesIn(std::vector<TileCase>{
                             {"All", Dtype::kI8, 100, 64, 20, 1 << 16, {100, 64, 20}},
                             {"ColumnsOfTheArray", Dtype::kI8, 100, 64, 40, 1 << 16, {100, 64, 32}},
                             {"HalfTheAccumulators", Dtype::kI8, 1025, 1, 1, 1 << 16, {1024, 1, 1}},
                             {"WideSumsTakeTwo", Dtype::kI16, 513, 1, 1, 1 << 16, {512, 1, 1}},
                             // 64 x 32 elements of b fit exactly; rows of 64 until they fit, too.
                             {"ExactFit", Dtype::kI8, 100, 64, 40, 2048, {25, 64, 32}},
                             {"OneByteLess", Dtype::kI8, 100, 64, 40, 2047, {50, 32, 32}},
                             {"FourBytesAnElement", Dtype::kF32, 100, 64, 40, 8192, {25, 64, 32}},
                             {"FewRowsLeft", Dtype::kI8, 100, 32, 32, 1024, {25, 32, 32}},
                             {"FewColumnsOfAPlane", Dtype::kI8, 100, 64, 64, 400, {7, 32, 16}},
                             {"NothingFits", Dtype::kI8, 100, 64, 64, 1, {1, 32, 1}},
                         }),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace acme::compiler

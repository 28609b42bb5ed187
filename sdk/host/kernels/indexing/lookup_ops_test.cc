// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that look up by key, by hash and by sparse indices.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/indexing/fingerprint.h"
#include "sdk/host/kernels/testing/graph_executor.h"
#include "sdk/host/kernels/testing/node_cases.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/model/graph/model_builder.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using testing::ExpectErrors;
using testing::ExpectResults;
using testing::Floats;
using testing::Ints;
using testing::kF32;
using testing::kI32;
using testing::kU8;
using testing::NodeBuilder;

// A table of two rows and four columns, with a scale for each two columns.
Floats LookUpInBlocks(LiteRtElementType type, std::vector<uint8_t> table, const Ints& rows) {
  ModelBuilder builder;
  Tensor* indices = builder.Input("rows", kI32, {static_cast<int32_t>(rows.size())});
  std::vector<uint16_t> scales;
  for (float scale : {0.5f, 1.0f, 2.0f, 4.0f}) scales.push_back(FloatToHalf(scale));
  Tensor* blocks = builder.Constant("scales", kLiteRtElementTypeFloat16, {2, 2}, BytesOf(scales));
  Tensor* values = builder.Constant("table", type, {2, 4}, table);
  values->quantization.blockwise = BlockwiseQuantization{
      .scales_tensor = static_cast<int32_t>(blocks->index), .block_size_elems = 2};
  Tensor* out = builder.Value("out", kF32, {static_cast<int32_t>(rows.size()), 4});
  builder.AddOp(kLiteRtOpCodeTflEmbeddingLookup, {indices, values}, {out});
  builder.Output(out);
  auto model = builder.Build();
  if (!model) return {};
  testing::GraphExecutor executor((*model)->main_subgraph());
  const auto run = executor.Run({BytesOf(rows)});
  EXPECT_TRUE(run) << run.Error().Message();
  const auto checked = executor.CheckEachOp();
  EXPECT_TRUE(checked) << checked.Error().Message();
  return run ? testing::ValuesOf<float>(executor.ValueOf(*out)) : Floats{};
}

TEST(EmbeddingLookup, HasAScaleForEachBlock) {
  // 1 -2 3 -4; 5 -6 7 -8, the first of two in the lower half of a byte.
  EXPECT_THAT(LookUpInBlocks(kLiteRtElementTypeInt4, {0xE1, 0xC3, 0xA5, 0x87}, {1, 0, 1}),
              ::testing::ElementsAre(10, -12, 28, -32, 0.5f, -1, 3, -4, 10, -12, 28, -32));
  // 1 -2 0 -1; -1 1 -2 0.
  EXPECT_THAT(LookUpInBlocks(kLiteRtElementTypeInt2, {0b11001001, 0b00100111}, {1, 0}),
              ::testing::ElementsAre(-2, 2, -8, 0, 0.5f, -1, 0, -1));
}

TEST(HashtableLookup, GivesRowsOfKeysAndZeros) {
  ExpectResults({
      {.name = "rows",
       .code = kLiteRtOpCodeTflHashtableLookup,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {4}).Input(kI32, {3}).Input(kF32, {3, 2}).Output(kF32).Output(kU8);
           },
       .inputs = {BytesOf(Ints{1234, -292, -11, 0}), BytesOf(Ints{-11, 0, 1234}),
                  BytesOf(Floats{0, 0.1F, 1, 1.1F, 2, 2.1F})},
       .shapes = {{4, 2}, {4}},
       .outputs = {BytesOf(Floats{2, 2.1F, 0, 0, 0, 0.1F, 1, 1.1F}), {1, 0, 1, 1}}},
      {.name = "numbers",
       .code = kLiteRtOpCodeTflHashtableLookup,
       .build =
           [](NodeBuilder& n) {
             n.Input(kI32, {2}).Input(kI32, {2}).Input(kI32, {2}).Output(kI32).Output(kU8);
           },
       .inputs = {BytesOf(Ints{7, 8}), BytesOf(Ints{5, 7}), BytesOf(Ints{50, 70})},
       .shapes = {{2}, {2}},
       .outputs = {BytesOf(Ints{70, 0}), {1, 0}}},
  });
  ExpectErrors({{.name = "a key without a row",
                 .code = kLiteRtOpCodeTflHashtableLookup,
                 .build =
                     [](NodeBuilder& n) {
                       n.Input(kI32, {2}).Input(kI32, {2}).Input(kI32, {3});
                       n.Output(kI32).Output(kU8);
                     },
                 .inputs = {BytesOf(Ints{7, 8}), BytesOf(Ints{5, 7}), BytesOf(Ints{1, 2, 3})},
                 .says = {"HASHTABLE_LOOKUP", "'in2'", "a row for each key"}}});
}

// Results of FarmHash itself, two or more of each way by length.
TEST(Fingerprint64, IsFarmHashs) {
  struct {
    size_t size;
    uint64_t hash;
  } const kCases[] = {
      {0, 0x9ae16a3b2f90404f},   {1, 0x4271b80e2915c76a},   {3, 0x373a2b2a12e0c581},
      {4, 0xcc1e778137ae6d69},   {7, 0x960838fbc6d9c975},   {8, 0x7d507025ed4eecfd},
      {16, 0xd836480326a974d6},  {17, 0x5cded6cb65c9dac6},  {32, 0xa03300e1b2be6da7},
      {33, 0x839154ca67815696},  {64, 0x000f03eac52d3535},  {65, 0xfb360c5023f60db6},
      {128, 0x33ef435f17af1739}, {129, 0xc30a81b637d2e4dd}, {200, 0x51320a19a60cbd6e},
      {1000, 0xc6dbd344bb8f49f4}};
  for (const auto& c : kCases) {
    std::vector<uint8_t> bytes(c.size);
    for (size_t i = 0; i < c.size; ++i) bytes[i] = static_cast<uint8_t>(37 * i + 11);
    EXPECT_EQ(Fingerprint64(bytes), c.hash) << c.size << " bytes";
  }
}

// TFLite's own expectations.
TEST(LshProjection, GivesTheBitsOfTflite) {
  const Floats seeds = {0.123F, 0.456F, -0.321F, 1.234F, 5.678F, -4.321F};
  const Ints items = {12345, 54321, 67890, 9876, -12345678};
  const auto with_weights = [](NodeBuilder& n) {
    n.Input(kF32, {3, 2}).Input(kI32, {5}).Input(kF32, {5}).Output(kI32);
  };
  const Ints blocks = {1234, 2345, 3456, 1234, 4567, 5678, 6789, 4567, 7891, 8912,
                       9123, 7890, -987, -876, -765, -987, -543, -432, -321, -543};
  ExpectResults({
      {.name = "dense",
       .code = kLiteRtOpCodeTflLshProjection,
       .options = LSHProjectionOptions{.type = LSHProjectionType::kDense},
       .build = with_weights,
       .inputs = {BytesOf(seeds), BytesOf(items), BytesOf(Floats{1, 1, 1, 1, 1})},
       .shapes = {{6}},
       .outputs = {BytesOf(Ints{0, 0, 0, 1, 0, 0})}},
      {.name = "sparse_without_weights",
       .code = kLiteRtOpCodeTflLshProjection,
       .options = LSHProjectionOptions{.type = LSHProjectionType::kSparse},
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {3, 2}).Input(kI32, {5}).Output(kI32);
           },
       .inputs = {BytesOf(seeds), BytesOf(items)},
       .shapes = {{3}},
       .outputs = {BytesOf(Ints{0, 4 + 1, 8 + 0})}},
      {.name = "sparse_of_blocks",
       .code = kLiteRtOpCodeTflLshProjection,
       .options = LSHProjectionOptions{.type = LSHProjectionType::kSparse},
       .build =
           [](NodeBuilder& n) {
             n.Input(kF32, {3, 2}).Input(kI32, {5, 2, 2}).Input(kF32, {5}).Output(kI32);
           },
       .inputs = {BytesOf(seeds), BytesOf(blocks),
                  BytesOf(Floats{0.12F, 0.34F, 0.56F, 0.67F, 0.78F})},
       .shapes = {{3}},
       .outputs = {BytesOf(Ints{2, 4 + 1, 8 + 1})}},
  });
  ExpectErrors({{.name = "no type",
                 .code = kLiteRtOpCodeTflLshProjection,
                 .options = LSHProjectionOptions{},
                 .build = with_weights,
                 .inputs = {BytesOf(seeds), BytesOf(items), BytesOf(Floats{1, 1, 1, 1, 1})},
                 .says = {"LSH_PROJECTION", "SPARSE nor DENSE"}}});
}

// Row 0 has table rows 1 and 3, row 1 has row 0, row 2 has row 1; row 3 of the dense shape has none.
testing::ResultCase Combined(const char* name, CombinerType combiner, const Floats& expected) {
  return {.name = name,
          .code = kLiteRtOpCodeTflEmbeddingLookupSparse,
          .options = EmbeddingLookupSparseOptions{.combiner = combiner},
          .build =
              [](NodeBuilder& n) {
                n.Input(kI32, {4}).Input(kI32, {4, 2}).Constant(kI32, {2}, BytesOf(Ints{4, 9}));
                n.Input(kF32, {4}).Input(kF32, {4, 2}).Output(kF32);
              },
          .inputs = {BytesOf(Ints{1, 3, 0, 1}),
                     BytesOf(Ints{0, 0, 0, 1, 1, 0, 2, 3}),
                     {},
                     BytesOf(Floats{3, 4, 1, 3}),
                     BytesOf(Floats{1, 2, 10, 20, 0, 0, 5, 5})},
          .shapes = {{4, 2}},
          .outputs = {BytesOf(expected)}};
}

TEST(EmbeddingLookupSparse, CombinesRows) {
  ExpectResults({
      Combined("sum", CombinerType::kSum, {50, 80, 1, 2, 30, 60, 0, 0}),
      Combined("mean", CombinerType::kMean, {50.0F / 7, 80.0F / 7, 1, 2, 10, 20, 0, 0}),
      Combined("root", CombinerType::kSqrtn, {10, 16, 1, 2, 10, 20, 0, 0}),
  });
  ExpectErrors({{.name = "a row that is not there",
                 .code = kLiteRtOpCodeTflEmbeddingLookupSparse,
                 .options = EmbeddingLookupSparseOptions{},
                 .build =
                     [](NodeBuilder& n) {
                       n.Input(kI32, {1}).Input(kI32, {1, 1}).Constant(kI32, {1}, BytesOf(Ints{1}));
                       n.Input(kF32, {1}).Input(kF32, {4, 2}).Output(kF32);
                     },
                 .inputs = {BytesOf(Ints{4}),
                            BytesOf(Ints{0}),
                            {},
                            BytesOf(Floats{1}),
                            BytesOf(Floats{1, 2, 3, 4, 5, 6, 7, 8})},
                 .says = {"EMBEDDING_LOOKUP_SPARSE", "row 4", "has 4"}}});
}

}  // namespace
}  // namespace npukit::kernels

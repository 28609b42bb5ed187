// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The weights of a convolution as the matrix engine loads them: plane by plane, dense, so that a
// load meets all banks; records beside them; cut into chunks that one transfer brings.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_WEIGHTS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_WEIGHTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/fold_plan.h"

namespace acme::compiler {

// A place in a chunk.
struct ChunkPlace {
  int32_t chunk = 0;
  int64_t offset_bytes = 0;
};

// Up to UsedColumns() output columns. A column is an output channel, or one of `pixels` copies of it.
struct ColumnTile {
  int32_t first_col = 0;
  int32_t cols = 0;
  ChunkPlace records;              // none of a convolution with scales_and_biases
  std::vector<ChunkPlace> planes;  // by fold
};

// As it stands among the constants.
struct WeightChunk {
  std::vector<uint8_t> bytes;
  bool int4 = false;  // two weights a byte; the load engine makes a byte of each

  // In the scratchpad.
  int64_t SizeBytes() const { return static_cast<int64_t>(bytes.size()) * (int4 ? 2 : 1); }
};

struct ConvWeights {
  std::vector<Fold> folds;
  std::vector<ColumnTile> tiles;
  std::vector<WeightChunk> chunks;
  int64_t total_bytes = 0;
};

// Bytes of one column tile's planes and records, at most.
int64_t LargestTileBytes(const ConvWeights& weights, const Conv& conv, const Hardware& hardware);

// Neighbouring column tiles [begin, end).
struct ColumnGroup {
  size_t begin = 0;
  size_t end = 0;
  int32_t first_col = 0;
  int32_t cols = 0;
  bool operator==(const ColumnGroup&) const = default;
};

// Column tiles [first, end), or all, so many a group.
std::vector<ColumnGroup> GroupColumns(const ConvWeights& weights, size_t tiles, size_t first = 0,
                                      size_t end = SIZE_MAX);

// Folds cover the kernel widened for `pixels` neighbouring pixels. Chunks have about chunk_bytes;
// what belongs to one fold of one tile stays together.
ConvWeights PackConvWeights(const Conv& conv, const Network& network, int32_t pixels,
                            int64_t chunk_bytes, const Hardware& hardware);

// With the chunks' places among the constants.
struct PackedConv {
  std::shared_ptr<const ConvWeights> weights;
  std::vector<DramPlace> homes;
};

// The same among these constants, which share the chunks. What an earlier program packed alike is taken from it.
PackedConv PlaceConvWeights(const Conv& conv, const Network& network, int32_t pixels,
                            int64_t chunk_bytes, const Hardware& hardware, ConstantPool& constants);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_CONV_WEIGHTS_H_

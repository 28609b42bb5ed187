// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Products with weights that are scaled block by block along the sum: each block is summed up in
// integers by itself, scaled as it is drained, and added to the others in float32.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_BLOCKS_BLOCK_PRODUCT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_BLOCKS_BLOCK_PRODUCT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// y[r][u] = sum over blocks b of scales[u][b] * (sum over k in b of x[r][k] * w[u][k]), in float32.
struct BlockProduct : LayerOp {
  int32_t rows = 1;
  int32_t depth = 1;
  int32_t units = 1;
  int32_t block = 1;          // elements; divides the depth
  ValueId x = kNoValue;       // [rows, depth] of i8
  ValueId w = kNoValue;       // [units, depth], constant, of int4
  ValueId scales = kNoValue;  // [units, depth / block] of f32, constant

  int32_t Blocks() const { return depth / block; }

  std::vector<ValueId> Operands() const override { return {x, w, scales}; }
  LayerWork Work(const Network& network, ValueId output) const override;
  std::string Describe() const override;
  Expected<void> Lower(ValueId output, LoweringContext& context) const override;
};

// What is computed at a time, and how constants are cut. `fold`, `cols`, `planes` and `scaled` depend on
// the weights and the chip alone, so that entry points that share weights share what is packed of them.
struct BlockProductTile {
  int32_t rows = 1;
  int32_t cols = 1;          // units: at most array.cols
  int32_t blocks = 1;        // whose sums stand side by side before they are added up
  bool whole_depth = false;  // rows of x come as a whole, else `blocks` at a time
  int32_t fold = 1;          // of a block, in the array at once
  int32_t planes = 1;        // folds whose weights one transfer brings
  int32_t scaled = 1;        // blocks whose scales one transfer brings
};

// For step buffers of so many bytes in all.
BlockProductTile ChooseBlockProductTile(const BlockProduct& product, int64_t step_bytes,
                                        int64_t chunk_bytes, const Hardware& hardware);

// Whether its smallest tile fits the scratchpad's guaranteed share.
bool BlockProductFits(const BlockProduct& product, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_PRODUCTS_BLOCKS_BLOCK_PRODUCT_H_

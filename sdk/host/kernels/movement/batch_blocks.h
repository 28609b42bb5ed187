// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND share. Both relate a spacious tensor [B, S..., C]
// and a batched one [prod(block) B, I..., C]:
//   spacious[b, i * block + shift - before, c] = batched[shift_index * B + b, i, c]
// `before` is the padding or the crop; what of the batched tensor falls outside the spacious one is
// padding.

#ifndef NPUKIT_SDK_HOST_KERNELS_MOVEMENT_BATCH_BLOCKS_H_
#define NPUKIT_SDK_HOST_KERNELS_MOVEMENT_BATCH_BLOCKS_H_

#include <cstdint>
#include <vector>

#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

// One spatial dimension.
struct BatchBlock {
  int64_t block = 1;   // at least 1
  int64_t before = 0;  // not negative, as `after`
  int64_t after = 0;
};

// The checks that both make of their inputs: types, and the shapes of inputs 1, the blocks, and 2,
// paddings or crops. Gives no shapes, perhaps the input whose value is needed.
litert::Expected<Inferred> CheckBatchBlocks(const Node& node);

// Inputs 1 and 2, which are known.
litert::Expected<std::vector<BatchBlock>> ReadBatchBlocks(const Node& node);

enum class BlockDirection { kToBatch, kToSpace };
litert::Expected<std::vector<StridedCopy>> BatchBlockCopies(const Node& node,
                                                            BlockDirection direction);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_MOVEMENT_BATCH_BLOCKS_H_

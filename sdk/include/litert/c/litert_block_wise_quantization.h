// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Blockwise quantisation, which LiteRT's API has from v2.2.0 on. There it stands in
// litert_model_types.h.

#ifndef ODML_LITERT_LITERT_C_LITERT_BLOCK_WISE_QUANTIZATION_H_
#define ODML_LITERT_LITERT_C_LITERT_BLOCK_WISE_QUANTIZATION_H_

#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// One scale and zero point for every `block_size` elements along a tensor's last dimension. Both
// are tensors of the same subgraph, of shape [.., last dimension / block_size];
// `zero_points` is null where all are 0.
typedef struct {
  LiteRtTensor scales;
  LiteRtTensor zero_points;
  int32_t block_size;
} LiteRtQuantizationBlockWise;

LITERT_ABI_ASSERT(sizeof(LiteRtQuantizationBlockWise) == 24);
LITERT_ABI_ASSERT(offsetof(LiteRtQuantizationBlockWise, zero_points) == 8);
LITERT_ABI_ASSERT(offsetof(LiteRtQuantizationBlockWise, block_size) == 16);

// kLiteRtStatusErrorInvalidIrType for a tensor that is quantised otherwise or not at all,
// kLiteRtStatusErrorNotFound for one that no op reads or writes: its subgraph isn't known then.
LiteRtStatus LiteRtGetBlockWiseQuantization(LiteRtTensor tensor,
                                            LiteRtQuantizationBlockWise* block_wise_quantization);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_BLOCK_WISE_QUANTIZATION_H_

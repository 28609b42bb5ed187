// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The shape of a ranked tensor, and optionally its strides.

#ifndef ODML_LITERT_LITERT_C_LITERT_LAYOUT_H_
#define ODML_LITERT_LITERT_C_LITERT_LAYOUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// No ranked tensor has more dimensions than this.
#define LITERT_TENSOR_MAX_RANK 8

typedef struct {
  // Dimensions in use; 0 for a scalar.
  unsigned int rank : 7;
  // Whether `strides` means anything.
  bool has_strides : 1;
  // Extent per dimension, outermost first, in elements. A negative extent is
  // dynamic: known only at run time. Entries from `rank` on are undefined.
  int32_t dimensions[LITERT_TENSOR_MAX_RANK];
  // Distance between neighbours along each dimension, in elements.
  uint32_t strides[LITERT_TENSOR_MAX_RANK];
} LiteRtLayout;

LITERT_ABI_ASSERT(sizeof(LiteRtLayout) == 68);
LITERT_ABI_ASSERT(offsetof(LiteRtLayout, dimensions) == 4);
LITERT_ABI_ASSERT(offsetof(LiteRtLayout, strides) == 36);

// Multiplies the dimensions out; 1 for a scalar. InvalidArgument if one of them
// is dynamic or the product does not fit.
LiteRtStatus LiteRtGetNumLayoutElements(const LiteRtLayout* layout, size_t* num_elements);

// Whether rank, dimensions and (if there are any) strides agree.
LiteRtStatus LiteRtIsSameLayout(const LiteRtLayout* layout1, const LiteRtLayout* layout2,
                                bool* result);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_LAYOUT_H_

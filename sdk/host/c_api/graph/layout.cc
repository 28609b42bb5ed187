// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "litert/c/litert_layout.h"

#include <algorithm>

extern "C" {

LiteRtStatus LiteRtGetNumLayoutElements(const LiteRtLayout* layout, size_t* num_elements) {
  if (!layout || !num_elements || layout->rank > LITERT_TENSOR_MAX_RANK) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  size_t product = 1;
  for (unsigned i = 0; i < layout->rank; ++i) {
    if (layout->dimensions[i] < 0 ||
        __builtin_mul_overflow(product, layout->dimensions[i], &product)) {
      return kLiteRtStatusErrorInvalidArgument;
    }
  }
  *num_elements = product;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtIsSameLayout(const LiteRtLayout* layout1, const LiteRtLayout* layout2,
                                bool* result) {
  if (!layout1 || !layout2 || !result || layout1->rank > LITERT_TENSOR_MAX_RANK) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const unsigned rank = layout1->rank;
  *result = rank == layout2->rank && layout1->has_strides == layout2->has_strides &&
            std::equal(layout1->dimensions, layout1->dimensions + rank, layout2->dimensions) &&
            (!layout1->has_strides ||
             std::equal(layout1->strides, layout1->strides + rank, layout2->strides));
  return kLiteRtStatusOk;
}

}  // extern "C"

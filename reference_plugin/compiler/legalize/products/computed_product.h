// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Convolutions and FULLY_CONNECTED of float32 whose kernels or bias come in at run time. A plugin
// takes weights that a DEQUANTIZE of a constant makes, and the host may put that into another
// partition than their reader: a partition must compile then, too. Slower than constant weights.
//
//   x -> padded -> [groups, pixels, taps x channels] -+
//                                                     +-> BATCH_MATMUL -> + bias -> y
//   w, as it stands ----------------------------------+

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_COMPUTED_PRODUCT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_COMPUTED_PRODUCT_H_

#include <cstdint>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/products/convolution.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/window.h"

namespace acme::compiler {

// One dimension of what pixels see: an image whose elements stand `step` apart in a larger one of
// nothing, and where in it the result's pixel o finds the kernel's position k.
struct SeenAxis {
  int32_t in = 1;      // elements of the image
  int32_t out = 1;     // of the result
  int32_t kernel = 1;  // positions
  int32_t padded = 1;  // elements of the larger image
  int32_t first = 0;   // where the first element that is used stands
  int32_t step = 1;
  int32_t from = 0;  // the first element that is used
  int32_t used = 1;  // how many are
  int32_t out_stride = 1;
  int32_t tap_base = 0;
  int32_t tap_stride = 1;  // negative: the kernel is turned around

  int32_t At(int32_t o, int32_t k) const { return o * out_stride + tap_base + k * tap_stride; }
};
SeenAxis SeenBy(const WindowAxis& axis);
// Of TRANSPOSE_CONV, whose windows lie over the result: `axis` leads from it to the image.
SeenAxis SeenByTransposed(const WindowAxis& axis);

struct ComputedProduct {
  SeenAxis h;
  SeenAxis w;
  int32_t batches = 1;
  int32_t groups = 1;
  int32_t in_c = 1;   // of one group
  int32_t out_c = 1;  // of one group
  // Kernels are [taps, groups x out_c]; else [groups x out_c, taps, in_c].
  bool taps_first = false;
  Activation activation = Activation::kNone;
};

// x with what lies around and between its elements in `product`'s axes: zeros.
Move PadImage(const ComputedProduct& product, ValueId x);

// Whether some of the op's weights were dequantised, so that they might come in at run time.
bool MayBeComputed(const TensorInfo& w, const TensorInfo* bias);

// Of weights that may be computed: whether there is room.
Expected<void> CheckComputedProduct(const ComputedProduct& product, const Hardware& hardware);

// Weights or bias are not constant. Errors: as CheckComputedProduct.
Expected<void> AddComputedProduct(const litert::Op& op, const OperandIndices& indices,
                                  const ComputedProduct& product, const Hardware& hardware,
                                  NetworkBuilder& builder);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_COMPUTED_PRODUCT_H_

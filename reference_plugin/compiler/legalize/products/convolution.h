// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV have in common: operands, types, quantisation,
// windows.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_CONVOLUTION_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_CONVOLUTION_H_

#include <cstdint>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/lower/products/window.h"
#include "reference_plugin/compiler/lower/records.h"

namespace acme::compiler {

struct ConvolutionOperands {
  TensorInfo x;  // [batches, in_h, in_w, in_c]
  TensorInfo w;  // four dimensions, constant
  TensorInfo y;  // [batches, out_h, out_w, out_c]
  bool has_bias = false;
  TensorInfo bias;  // [out_c], constant

  Dtype dtype() const { return x.value.dtype; }
  int32_t act_zp() const;
  int32_t weight_zp() const;
};

// What the op says of itself.
struct ConvolutionOptions {
  uint32_t padding = 0;     // of the schema: 0 SAME, 1 VALID
  uint32_t activation = 0;  // of the schema
  int32_t stride_h = 1;
  int32_t stride_w = 1;
  int32_t dilation_h = 1;
  int32_t dilation_w = 1;
};

// Where the operands stand among the op's inputs.
struct OperandIndices {
  size_t x = 0;
  size_t w = 1;
  size_t bias = 2;  // may be absent
};

// Types must be one of
//   x, y int8, w int8; x, y uint8, w uint8; bias int32
//   x, y int16, w int8, bias int32 or int64; x, y, w, bias float32
Expected<ConvolutionOperands> ReadConvolution(const litert::Op& op, const OperandIndices& indices);

// Of an int64 bias: each must fit a record's 40 bits.
Expected<void> CheckWideBias(const Value& bias);

// `channel_dimension`: of w, that of the output channels.
Expected<Requantization> ReadRequantization(const ConvolutionOperands& operands,
                                            int32_t channel_dimension, Activation activation);

// One dimension of a convolution's windows; `out` is what the model says the result has.
struct AxisOptions {
  int32_t in;
  int32_t out;
  int32_t kernel;
  int32_t stride;
  int32_t dilation;
  uint32_t padding;  // of the schema: 0 SAME, 1 VALID
};
Expected<WindowAxis> ReadAxis(const AxisOptions& options);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_CONVOLUTION_H_

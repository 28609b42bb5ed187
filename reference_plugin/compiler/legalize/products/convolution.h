// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV have in common: operands, quantisation,
// windows.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_CONVOLUTION_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_CONVOLUTION_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/lower/records.h"
#include "reference_plugin/compiler/lower/window.h"

namespace acme::compiler {

struct ConvolutionOperands {
  TensorInfo x;  // [batches, in_h, in_w, in_c]
  TensorInfo w;  // four dimensions, constant or `computed`
  TensorInfo y;  // [batches, out_h, out_w, out_c]
  bool has_bias = false;
  TensorInfo bias;  // [out_c], constant or `computed`

  Dtype dtype() const { return x.value.dtype; }
  // Whether weights or bias come in at run time (computed_product.h); in partitions alone.
  bool computed() const {
    return !w.value.is_constant() || (has_bias && !bias.value.is_constant());
  }
  const TensorInfo* Bias() const { return has_bias ? &bias : nullptr; }
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

// Types must be those of operators.def; the bias is int32, with int16 or int64, with float32 float32.
// may_be_computed: of float32, weights and bias need not be constant.
Expected<ConvolutionOperands> ReadConvolution(const litert::Op& op, const OperandIndices& indices,
                                              bool may_be_computed);

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

// Of CONV_2D and DEPTHWISE_CONV_2D. Kernels are [., kernel_h, kernel_w, .].
Expected<void> ReadGeometry(const ConvolutionOperands& operands, const ConvolutionOptions& options,
                            WindowGeometry& geometry);

// What CONV_2D and DEPTHWISE_CONV_2D both say of their layer, which has these members in both: all
// but the channels.
template <class Layer>
Expected<void> ReadLayer(const litert::Op& op, const ConvolutionOperands& operands,
                         const ConvolutionOptions& options, int32_t channel_dimension,
                         NetworkBuilder& builder, Layer& layer) {
  ACME_ASSIGN_OR_RETURN(const Activation activation, ReadActivation(options.activation));
  layer.dtype = operands.dtype();
  ACME_RETURN_IF_ERROR(ReadGeometry(operands, options, layer.geometry));
  layer.act_zp = operands.act_zp();
  layer.weight_zp = operands.weight_zp();
  ACME_ASSIGN_OR_RETURN(layer.requantize,
                        ReadRequantization(operands, channel_dimension, activation));
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(layer.x, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(layer.w, builder.AddTensor(inputs[1]));
  if (operands.has_bias) {
    ACME_ASSIGN_OR_RETURN(layer.bias, builder.AddTensor(inputs[2]));
  }
  return {};
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_CONVOLUTION_H_

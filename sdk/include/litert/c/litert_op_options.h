// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The parameters of ops. A getter asked about an op of another code, or about
// an op that the model gives no options, fails with
// kLiteRtStatusErrorInvalidArgument.
//
// A LiteRtBuilderBuild<Op>OpOption sets the options of an op made by the same
// builder (litert_builder.h); a null pointer leaves that option at its default.
//
// fused_activation: 0 none, 1 relu, 2 relu to [-1, 1], 3 relu to [0, 6], 4
// tanh, 5 sign bit. padding: 0 same, 1 valid. Both are the FlatBuffer enums.

#ifndef ODML_LITERT_LITERT_C_LITERT_OP_OPTIONS_H_
#define ODML_LITERT_LITERT_C_LITERT_OP_OPTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// -- Add ----------------------------------------------------------------------
// Element-wise sum.

LiteRtStatus LiteRtGetAddFusedActivationOption(LiteRtOp op, uint32_t* fused_activation);
LiteRtStatus LiteRtBuilderBuildAddOpOption(LiteRtBuilder builder, LiteRtOp op,
                                           uint32_t* fused_activation);

// -- BatchMatmul --------------------------------------------------------------
// Product of the two innermost dimensions; adj_x and adj_y transpose an operand
// first.

LiteRtStatus LiteRtGetBatchMatmulAdjXOption(LiteRtOp op, bool* adj_x);
LiteRtStatus LiteRtGetBatchMatmulAdjYOption(LiteRtOp op, bool* adj_y);
LiteRtStatus LiteRtGetBatchMatmulAsymmetricQuantizeInputOption(LiteRtOp op,
                                                               bool* asymmetric_quantize_input);
LiteRtStatus LiteRtBuilderBuildBatchMatmulOpOption(LiteRtBuilder builder, LiteRtOp op, bool* adj_x,
                                                   bool* adj_y, bool* asymmetric_quantize_input);

// -- Concatenation ------------------------------------------------------------
// Joins along `axis`; a negative axis counts from the last.

LiteRtStatus LiteRtGetConcatenationFusedActivationOption(LiteRtOp op, uint32_t* fused_activation);
LiteRtStatus LiteRtGetConcatenationAxisOption(LiteRtOp op, int32_t* axis);
LiteRtStatus LiteRtBuilderBuildConcatenationOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                     uint32_t* fused_activation, int32_t* axis);

// -- Div ----------------------------------------------------------------------
// Element-wise quotient.

LiteRtStatus LiteRtGetDivFusedActivationOption(LiteRtOp op, uint32_t* fused_activation);
LiteRtStatus LiteRtBuilderBuildDivOpOption(LiteRtBuilder builder, LiteRtOp op,
                                           uint32_t* fused_activation);

// -- FullyConnected -----------------------------------------------------------
// Product with a weight matrix. weights_format and quantized_bias_type are the
// FlatBuffer values (FullyConnectedOptionsWeightsFormat, TensorType).

LiteRtStatus LiteRtGetFullyConnectedFusedActivationOption(LiteRtOp op, uint32_t* fused_activation);
LiteRtStatus LiteRtGetFullyConnectedWeightsFormatOption(LiteRtOp op, uint32_t* weights_format);
LiteRtStatus LiteRtGetFullyConnectedKeepNumDimsOption(LiteRtOp op, bool* keep_num_dims);
LiteRtStatus LiteRtFullyConnectedGetQuantizedBiasTypeOption(LiteRtOp op,
                                                            uint32_t* quantized_bias_type);
LiteRtStatus LiteRtGetFullyConnectedAsymmetricQuantizeInputOption(LiteRtOp op,
                                                                  bool* asymmetric_quantize_input);
LiteRtStatus LiteRtBuilderBuildFullyConnectedOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                      uint32_t* fused_activation,
                                                      uint32_t* weights_format, bool* keep_num_dims,
                                                      uint32_t* quantized_bias_type,
                                                      bool* asymmetric_quantize_input);

// -- Mul ----------------------------------------------------------------------
// Element-wise product.

LiteRtStatus LiteRtGetMulFusedActivationOption(LiteRtOp op, uint32_t* fused_activation);
LiteRtStatus LiteRtBuilderBuildMulOpOption(LiteRtBuilder builder, LiteRtOp op,
                                           uint32_t* fused_activation);

// -- Softmax ------------------------------------------------------------------
// `beta` multiplies the input before the exponential.

LiteRtStatus LiteRtGetSoftmaxBetaOption(LiteRtOp op, float* beta);
LiteRtStatus LiteRtBuilderBuildSoftmaxOpOption(LiteRtBuilder builder, LiteRtOp op, float* beta);

// -- StridedSlice -------------------------------------------------------------
// In each mask bit i speaks of dimension i. `offset`: end counts from begin.

LiteRtStatus LiteRtGetStridedSliceBeginMaskOption(LiteRtOp op, int32_t* begin_mask);
LiteRtStatus LiteRtGetStridedSliceEndMaskOption(LiteRtOp op, int32_t* end_mask);
LiteRtStatus LiteRtGetStridedSliceEllipsisMaskOption(LiteRtOp op, int32_t* ellipsis_mask);
LiteRtStatus LiteRtGetStridedSliceNewAxisMaskOption(LiteRtOp op, int32_t* new_axis_mask);
LiteRtStatus LiteRtGetStridedSliceShrinkAxisMaskOption(LiteRtOp op, int32_t* shrink_axis_mask);
LiteRtStatus LiteRtGetStridedSliceOffsetOption(LiteRtOp op, bool* offset);
LiteRtStatus LiteRtBuilderBuildStridedSliceOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                    int32_t* begin_mask, int32_t* end_mask,
                                                    int32_t* ellipsis_mask, int32_t* new_axis_mask,
                                                    int32_t* shrink_axis_mask, bool* offset);

// -- Sub ----------------------------------------------------------------------
// Element-wise difference.

LiteRtStatus LiteRtGetSubFusedActivationOption(LiteRtOp op, uint32_t* fused_activation);
LiteRtStatus LiteRtBuilderBuildSubOpOption(LiteRtBuilder builder, LiteRtOp op,
                                           uint32_t* fused_activation);

// -- Reshape ------------------------------------------------------------------
// The array belongs to the op; no entries if the shape comes as an input.

LiteRtStatus LiteRtGetReshapeNewShapeOption(LiteRtOp op, const int32_t** new_shape,
                                            int32_t* new_shape_size);
LiteRtStatus LiteRtBuilderBuildReshapeOpOption(LiteRtBuilder builder, LiteRtOp op,
                                               int32_t* new_shape, int32_t new_shape_size);

// -- Sum ----------------------------------------------------------------------
// Reductions: keepdims leaves reduced dimensions in place with extent 1.

LiteRtStatus LiteRtGetSumKeepDimsOption(LiteRtOp op, bool* keepdims);
LiteRtStatus LiteRtBuilderBuildSumOpOption(LiteRtBuilder builder, LiteRtOp op, bool* keepdims);

// -- ReduceMax ----------------------------------------------------------------
// See Sum.

LiteRtStatus LiteRtGetReduceMaxKeepDimsOption(LiteRtOp op, bool* keepdims);
LiteRtStatus LiteRtBuilderBuildReduceMaxOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 bool* keepdims);

// -- ReduceMin ----------------------------------------------------------------
// See Sum.

LiteRtStatus LiteRtGetReduceMinKeepDimsOption(LiteRtOp op, bool* keepdims);
LiteRtStatus LiteRtBuilderBuildReduceMinOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 bool* keepdims);

// -- ReduceAny ----------------------------------------------------------------
// See Sum.

LiteRtStatus LiteRtGetReduceAnyKeepDimsOption(LiteRtOp op, bool* keepdims);
LiteRtStatus LiteRtBuilderBuildReduceAnyOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 bool* keepdims);

// -- ReduceAll ----------------------------------------------------------------
// See Sum.

LiteRtStatus LiteRtGetReduceAllKeepDimsOption(LiteRtOp op, bool* keepdims);
LiteRtStatus LiteRtBuilderBuildReduceAllOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 bool* keepdims);

// -- Pack ---------------------------------------------------------------------
// Stacks `values_count` tensors along a new dimension `axis`.

LiteRtStatus LiteRtGetPackAxisOption(LiteRtOp op, int32_t* axis);
LiteRtStatus LiteRtGetPackValuesCountOption(LiteRtOp op, int32_t* values_count);
LiteRtStatus LiteRtBuilderBuildPackOpOption(LiteRtBuilder builder, LiteRtOp op, int32_t* axis,
                                            int32_t* values_count);

// -- Unpack -------------------------------------------------------------------
// Splits dimension `axis` of extent `num` into that many tensors.

LiteRtStatus LiteRtGetUnpackAxisOption(LiteRtOp op, int32_t* axis);
LiteRtStatus LiteRtGetUnpackNumOption(LiteRtOp op, int32_t* num);
LiteRtStatus LiteRtBuilderBuildUnpackOpOption(LiteRtBuilder builder, LiteRtOp op, int32_t* axis,
                                              int32_t* num);

// -- Gather -------------------------------------------------------------------
// Picks slices along `axis`; the first `batch_dims` dimensions run in step.

LiteRtStatus LiteRtGetGatherAxisOption(LiteRtOp op, int32_t* axis);
LiteRtStatus LiteRtGetGatherBatchDimsOption(LiteRtOp op, int32_t* batch_dims);
LiteRtStatus LiteRtBuilderBuildGatherOpOption(LiteRtBuilder builder, LiteRtOp op, int32_t* axis,
                                              int32_t* batch_dims);

// -- Mean ---------------------------------------------------------------------
// See Sum.

LiteRtStatus LiteRtGetMeanKeepDimsOption(LiteRtOp op, bool* keepdims);
LiteRtStatus LiteRtBuilderBuildMeanOpOption(LiteRtBuilder builder, LiteRtOp op, bool* keepdims);

// -- Split --------------------------------------------------------------------
// Cuts into `num_splits` equal parts along the axis given as an input.

LiteRtStatus LiteRtGetSplitNumSplitsOption(LiteRtOp op, int32_t* num_splits);
LiteRtStatus LiteRtBuilderBuildSplitOpOption(LiteRtBuilder builder, LiteRtOp op,
                                             int32_t* num_splits);

// -- SplitV, OneHot -----------------------------------------------------------
// From v2.2.0 on. SplitV cuts into `num_splits` parts of the sizes given as an
// input; OneHot puts the new dimension at `axis`, -1 for last.

LiteRtStatus LiteRtGetSplitVNumSplitsOption(LiteRtOp op, int32_t* num_splits);
LiteRtStatus LiteRtGetOneHotAxisOption(LiteRtOp op, int32_t* axis);

// -- SHLOComposite ------------------------------------------------------------
// An op known by name, with a subgraph that computes the same. `attributes` is
// a FlexBuffer map of `attributes_size` bytes; all belong to the op.

LiteRtStatus LiteRtGetSHLOCompositeOpName(LiteRtOp op, const char** name);
LiteRtStatus LiteRtGetSHLOCompositeOpDecompositionSubgraphIndex(
    LiteRtOp op, int32_t* decomposition_subgraph_index);
LiteRtStatus LiteRtGetSHLOCompositeOpAttributes(LiteRtOp op, const uint8_t** attributes,
                                                int32_t* attributes_size);
LiteRtStatus LiteRtGetSHLOCompositeOpVersion(LiteRtOp op, int32_t* version);

// -- Conv2d -------------------------------------------------------------------
// Strides and dilations in elements.

LiteRtStatus LiteRtGetConv2dPaddingOption(LiteRtOp op, uint32_t* padding);
LiteRtStatus LiteRtGetConv2dStrideWOption(LiteRtOp op, int32_t* stride_w);
LiteRtStatus LiteRtGetConv2dStrideHOption(LiteRtOp op, int32_t* stride_h);
LiteRtStatus LiteRtGetConv2dFusedActivationOption(LiteRtOp op, uint32_t* fused_activation_function);
LiteRtStatus LiteRtGetConv2dDilationWOption(LiteRtOp op, int32_t* dilation_w_factor);
LiteRtStatus LiteRtGetConv2dDilationHOption(LiteRtOp op, int32_t* dilation_h_factor);
LiteRtStatus LiteRtBuilderBuildConv2dOpOption(LiteRtBuilder builder, LiteRtOp op, uint32_t* padding,
                                              int32_t* stride_w, int32_t* stride_h,
                                              int32_t* dilation_w_factor,
                                              int32_t* dilation_h_factor,
                                              uint32_t* fused_activation_function);

// -- Conv3d -------------------------------------------------------------------
// As Conv2d, with depth.

LiteRtStatus LiteRtGetConv3dPaddingOption(LiteRtOp op, uint32_t* padding);
LiteRtStatus LiteRtGetConv3dStrideDOption(LiteRtOp op, int32_t* stride_d);
LiteRtStatus LiteRtGetConv3dStrideWOption(LiteRtOp op, int32_t* stride_w);
LiteRtStatus LiteRtGetConv3dStrideHOption(LiteRtOp op, int32_t* stride_h);
LiteRtStatus LiteRtGetConv3dFusedActivationOption(LiteRtOp op, uint32_t* fused_activation_function);
LiteRtStatus LiteRtGetConv3dDilationDOption(LiteRtOp op, int32_t* dilation_d_factor);
LiteRtStatus LiteRtGetConv3dDilationWOption(LiteRtOp op, int32_t* dilation_w_factor);
LiteRtStatus LiteRtGetConv3dDilationHOption(LiteRtOp op, int32_t* dilation_h_factor);
LiteRtStatus LiteRtBuilderBuildConv3dOpOption(LiteRtBuilder builder, LiteRtOp op, uint32_t* padding,
                                              int32_t* stride_w, int32_t* stride_h,
                                              int32_t* stride_d, int32_t* dilation_w_factor,
                                              int32_t* dilation_h_factor,
                                              int32_t* dilation_d_factor,
                                              uint32_t* fused_activation_function);

// -- DepthwiseConv2d ----------------------------------------------------------
// As Conv2d; each input channel gives `depth_multiplier` output channels.

LiteRtStatus LiteRtGetDepthwiseConv2dPaddingOption(LiteRtOp op, uint32_t* padding);
LiteRtStatus LiteRtGetDepthwiseConv2dStrideWOption(LiteRtOp op, int32_t* stride_w);
LiteRtStatus LiteRtGetDepthwiseConv2dStrideHOption(LiteRtOp op, int32_t* stride_h);
LiteRtStatus LiteRtGetDepthwiseConv2dDepthMultiplierOption(LiteRtOp op, int32_t* depth_multiplier);
LiteRtStatus LiteRtGetDepthwiseConv2dFusedActivationOption(LiteRtOp op,
                                                           uint32_t* fused_activation_function);
LiteRtStatus LiteRtGetDepthwiseConv2dDilationWOption(LiteRtOp op, int32_t* dilation_w_factor);
LiteRtStatus LiteRtGetDepthwiseConv2dDilationHOption(LiteRtOp op, int32_t* dilation_h_factor);
LiteRtStatus LiteRtBuilderBuildDepthwiseConv2dOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                       uint32_t* padding, int32_t* stride_w,
                                                       int32_t* stride_h, int32_t* depth_multiplier,
                                                       uint32_t* fused_activation_function,
                                                       int32_t* dilation_w_factor,
                                                       int32_t* dilation_h_factor);

// -- TransposeConv ------------------------------------------------------------
// As Conv2d without dilation.

LiteRtStatus LiteRtGetTransposeConvPaddingOption(LiteRtOp op, uint32_t* padding);
LiteRtStatus LiteRtGetTransposeConvStrideWOption(LiteRtOp op, int32_t* stride_w);
LiteRtStatus LiteRtGetTransposeConvStrideHOption(LiteRtOp op, int32_t* stride_h);
LiteRtStatus LiteRtGetTransposeConvFusedActivationOption(LiteRtOp op,
                                                         uint32_t* fused_activation_function);
LiteRtStatus LiteRtBuilderBuildTransposeConvOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                     uint32_t* padding, int32_t* stride_w,
                                                     int32_t* stride_h,
                                                     uint32_t* fused_activation_function);

// -- AveragePool2d ------------------------------------------------------------
// Strides and window extents in elements.

LiteRtStatus LiteRtGetAveragePool2dPaddingOption(LiteRtOp op, uint32_t* padding);
LiteRtStatus LiteRtGetAveragePool2dStrideWOption(LiteRtOp op, int32_t* stride_w);
LiteRtStatus LiteRtGetAveragePool2dStrideHOption(LiteRtOp op, int32_t* stride_h);
LiteRtStatus LiteRtGetAveragePool2dFilterWidthOption(LiteRtOp op, int32_t* filter_width);
LiteRtStatus LiteRtGetAveragePool2dFilterHeightOption(LiteRtOp op, int32_t* filter_height);
LiteRtStatus LiteRtGetAveragePool2dFusedActivationOption(LiteRtOp op,
                                                         uint32_t* fused_activation_function);
LiteRtStatus LiteRtBuilderBuildAveragePool2dOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                     uint32_t* padding, int32_t* stride_w,
                                                     int32_t* stride_h, int32_t* filter_width,
                                                     int32_t* filter_height,
                                                     uint32_t* fused_activation_function);

// -- MaxPool2d ----------------------------------------------------------------
// As AveragePool2d.

LiteRtStatus LiteRtGetMaxPool2dPaddingOption(LiteRtOp op, uint32_t* padding);
LiteRtStatus LiteRtGetMaxPool2dStrideWOption(LiteRtOp op, int32_t* stride_w);
LiteRtStatus LiteRtGetMaxPool2dStrideHOption(LiteRtOp op, int32_t* stride_h);
LiteRtStatus LiteRtGetMaxPool2dFilterWidthOption(LiteRtOp op, int32_t* filter_width);
LiteRtStatus LiteRtGetMaxPool2dFilterHeightOption(LiteRtOp op, int32_t* filter_height);
LiteRtStatus LiteRtGetMaxPool2dFusedActivationOption(LiteRtOp op,
                                                     uint32_t* fused_activation_function);
LiteRtStatus LiteRtBuilderBuildMaxPool2dOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 uint32_t* padding, int32_t* stride_w,
                                                 int32_t* stride_h, int32_t* filter_width,
                                                 int32_t* filter_height,
                                                 uint32_t* fused_activation_function);

// -- L2Pool2d -----------------------------------------------------------------
// As AveragePool2d.

LiteRtStatus LiteRtGetL2Pool2dPaddingOption(LiteRtOp op, uint32_t* padding);
LiteRtStatus LiteRtGetL2Pool2dStrideWOption(LiteRtOp op, int32_t* stride_w);
LiteRtStatus LiteRtGetL2Pool2dStrideHOption(LiteRtOp op, int32_t* stride_h);
LiteRtStatus LiteRtGetL2Pool2dFilterWidthOption(LiteRtOp op, int32_t* filter_width);
LiteRtStatus LiteRtGetL2Pool2dFilterHeightOption(LiteRtOp op, int32_t* filter_height);
LiteRtStatus LiteRtGetL2Pool2dFusedActivationOption(LiteRtOp op,
                                                    uint32_t* fused_activation_function);
LiteRtStatus LiteRtBuilderBuildL2Pool2dOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                uint32_t* padding, int32_t* stride_w,
                                                int32_t* stride_h, int32_t* filter_width,
                                                int32_t* filter_height,
                                                uint32_t* fused_activation_function);

// -- ResizeBilinear -----------------------------------------------------------
// How sample positions line up with pixels.

LiteRtStatus LiteRtGetResizeBilinearAlignCornersOption(LiteRtOp op, bool* align_corners);
LiteRtStatus LiteRtGetResizeBilinearHalfPixelCenterOption(LiteRtOp op, bool* half_pixel_centers);
LiteRtStatus LiteRtBuilderBuildResizeBilinearOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                      bool* align_corners,
                                                      bool* half_pixel_centers);

// -- LeakyRelu ----------------------------------------------------------------
// `alpha` is the slope below 0.

LiteRtStatus LiteRtGetLeakyReluAlphaOption(LiteRtOp op, float* alpha);
LiteRtStatus LiteRtBuilderBuildLeakyReluOpOption(LiteRtBuilder builder, LiteRtOp op, float* alpha);

// -- DepthToSpace -------------------------------------------------------------
// Extent of a block along height and width.

LiteRtStatus LiteRtGetDepthToSpaceBlockSizeOption(LiteRtOp op, int32_t* block_size);
LiteRtStatus LiteRtBuilderBuildDepthToSpaceOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                    int32_t* block_size);

// -- SpaceToDepth -------------------------------------------------------------
// As DepthToSpace.

LiteRtStatus LiteRtGetSpaceToDepthBlockSizeOption(LiteRtOp op, int32_t* block_size);
LiteRtStatus LiteRtBuilderBuildSpaceToDepthOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                    int32_t* block_size);

// -- ResizeNearestNeighbor ----------------------------------------------------
// As ResizeBilinear.

LiteRtStatus LiteRtGetResizeNearestNeighborAlignCornersOption(LiteRtOp op, bool* align_corners);
LiteRtStatus LiteRtGetResizeNearestNeighborHalfPixelCenterOption(LiteRtOp op,
                                                                 bool* half_pixel_centers);
LiteRtStatus LiteRtBuilderBuildResizeNearestNeighborOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                             bool* align_corners,
                                                             bool* half_pixel_centers);

// -- Cumsum -------------------------------------------------------------------
// `exclusive` leaves each element out of its own sum; `reverse` sums from the
// end.

LiteRtStatus LiteRtGetCumsumExclusiveOption(LiteRtOp op, bool* exclusive);
LiteRtStatus LiteRtGetCumsumReverseOption(LiteRtOp op, bool* reverse);
LiteRtStatus LiteRtBuilderBuildCumsumOpOption(LiteRtBuilder builder, LiteRtOp op, bool* exclusive,
                                              bool* reverse);

// -- Gelu ---------------------------------------------------------------------
// `approximate` means the tanh form.

LiteRtStatus LiteRtGetGeluApproximateOption(LiteRtOp op, bool* approximate);
LiteRtStatus LiteRtBuilderBuildGeluOpOption(LiteRtBuilder builder, LiteRtOp op, bool* approximate);

// -- MirrorPad ----------------------------------------------------------------
// `mode` is a FlatBuffer MirrorPadMode: 0 reflects without, 1 with the edge.

LiteRtStatus LiteRtGetMirrorPadModeOption(LiteRtOp op, uint32_t* mode);
LiteRtStatus LiteRtBuilderBuildMirrorPadOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 uint32_t* mode);

// -- Squeeze ------------------------------------------------------------------
// The dimensions of extent 1 to remove, all of them if there are none. The
// array belongs to the op.

LiteRtStatus LiteRtGetSqueezeDimsOption(LiteRtOp op, const int32_t** squeeze_dims,
                                        int32_t* num_squeeze_dims);
LiteRtStatus LiteRtBuilderBuildSqueezeOpOption(LiteRtBuilder builder, LiteRtOp op,
                                               const int32_t* squeeze_dims,
                                               int32_t num_squeeze_dims);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_OP_OPTIONS_H_

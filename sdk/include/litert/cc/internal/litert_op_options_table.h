// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OP_OPTIONS_TABLE_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OP_OPTIONS_TABLE_H_

// The ops whose options are plain fields. Each op is a list of
// F(type, field, C getter), in the order in which the C builder function takes
// the fields, and then one entry in LITERT_INTERNAL_OP_OPTIONS:
// X(struct, op code, C builder function, field list).

#define LITERT_INTERNAL_ADD_FIELDS(F) \
  F(ActivationFunction, fused_activation_function, LiteRtGetAddFusedActivationOption)
#define LITERT_INTERNAL_SUB_FIELDS(F) \
  F(ActivationFunction, fused_activation_function, LiteRtGetSubFusedActivationOption)
#define LITERT_INTERNAL_MUL_FIELDS(F) \
  F(ActivationFunction, fused_activation_function, LiteRtGetMulFusedActivationOption)
#define LITERT_INTERNAL_DIV_FIELDS(F) \
  F(ActivationFunction, fused_activation_function, LiteRtGetDivFusedActivationOption)

#define LITERT_INTERNAL_BATCH_MATMUL_FIELDS(F)   \
  F(bool, adj_x, LiteRtGetBatchMatmulAdjXOption) \
  F(bool, adj_y, LiteRtGetBatchMatmulAdjYOption) \
  F(bool, asymmetric_quantize_input, LiteRtGetBatchMatmulAsymmetricQuantizeInputOption)

#define LITERT_INTERNAL_CONCATENATION_FIELDS(F)                                                 \
  F(ActivationFunction, fused_activation_function, LiteRtGetConcatenationFusedActivationOption) \
  F(int32_t, axis, LiteRtGetConcatenationAxisOption)

#define LITERT_INTERNAL_SOFTMAX_FIELDS(F) F(float, beta, LiteRtGetSoftmaxBetaOption)

#define LITERT_INTERNAL_STRIDED_SLICE_FIELDS(F)                           \
  F(int32_t, begin_mask, LiteRtGetStridedSliceBeginMaskOption)            \
  F(int32_t, end_mask, LiteRtGetStridedSliceEndMaskOption)                \
  F(int32_t, ellipsis_mask, LiteRtGetStridedSliceEllipsisMaskOption)      \
  F(int32_t, new_axis_mask, LiteRtGetStridedSliceNewAxisMaskOption)       \
  F(int32_t, shrink_axis_mask, LiteRtGetStridedSliceShrinkAxisMaskOption) \
  F(bool, offset, LiteRtGetStridedSliceOffsetOption)

#define LITERT_INTERNAL_SUM_FIELDS(F) F(bool, keep_dims, LiteRtGetSumKeepDimsOption)
#define LITERT_INTERNAL_REDUCE_MAX_FIELDS(F) F(bool, keep_dims, LiteRtGetReduceMaxKeepDimsOption)
#define LITERT_INTERNAL_REDUCE_MIN_FIELDS(F) F(bool, keep_dims, LiteRtGetReduceMinKeepDimsOption)
#define LITERT_INTERNAL_REDUCE_ANY_FIELDS(F) F(bool, keep_dims, LiteRtGetReduceAnyKeepDimsOption)
#define LITERT_INTERNAL_REDUCE_ALL_FIELDS(F) F(bool, keep_dims, LiteRtGetReduceAllKeepDimsOption)
#define LITERT_INTERNAL_MEAN_FIELDS(F) F(bool, keep_dims, LiteRtGetMeanKeepDimsOption)

#define LITERT_INTERNAL_UNPACK_FIELDS(F)      \
  F(int32_t, axis, LiteRtGetUnpackAxisOption) \
  F(int32_t, num, LiteRtGetUnpackNumOption)
#define LITERT_INTERNAL_GATHER_FIELDS(F)      \
  F(int32_t, axis, LiteRtGetGatherAxisOption) \
  F(int32_t, batch_dims, LiteRtGetGatherBatchDimsOption)
#define LITERT_INTERNAL_SPLIT_FIELDS(F) F(int32_t, num_splits, LiteRtGetSplitNumSplitsOption)

#define LITERT_INTERNAL_CONV_2D_FIELDS(F)                       \
  F(Padding, padding, LiteRtGetConv2dPaddingOption)             \
  F(int32_t, stride_w, LiteRtGetConv2dStrideWOption)            \
  F(int32_t, stride_h, LiteRtGetConv2dStrideHOption)            \
  F(int32_t, dilation_w_factor, LiteRtGetConv2dDilationWOption) \
  F(int32_t, dilation_h_factor, LiteRtGetConv2dDilationHOption) \
  F(ActivationFunction, fused_activation_function, LiteRtGetConv2dFusedActivationOption)

#define LITERT_INTERNAL_CONV_3D_FIELDS(F)                       \
  F(Padding, padding, LiteRtGetConv3dPaddingOption)             \
  F(int32_t, stride_w, LiteRtGetConv3dStrideWOption)            \
  F(int32_t, stride_h, LiteRtGetConv3dStrideHOption)            \
  F(int32_t, stride_d, LiteRtGetConv3dStrideDOption)            \
  F(int32_t, dilation_w_factor, LiteRtGetConv3dDilationWOption) \
  F(int32_t, dilation_h_factor, LiteRtGetConv3dDilationHOption) \
  F(int32_t, dilation_d_factor, LiteRtGetConv3dDilationDOption) \
  F(ActivationFunction, fused_activation_function, LiteRtGetConv3dFusedActivationOption)

#define LITERT_INTERNAL_DEPTHWISE_CONV_2D_FIELDS(F)                                               \
  F(Padding, padding, LiteRtGetDepthwiseConv2dPaddingOption)                                      \
  F(int32_t, stride_w, LiteRtGetDepthwiseConv2dStrideWOption)                                     \
  F(int32_t, stride_h, LiteRtGetDepthwiseConv2dStrideHOption)                                     \
  F(int32_t, depth_multiplier, LiteRtGetDepthwiseConv2dDepthMultiplierOption)                     \
  F(ActivationFunction, fused_activation_function, LiteRtGetDepthwiseConv2dFusedActivationOption) \
  F(int32_t, dilation_w_factor, LiteRtGetDepthwiseConv2dDilationWOption)                          \
  F(int32_t, dilation_h_factor, LiteRtGetDepthwiseConv2dDilationHOption)

#define LITERT_INTERNAL_TRANSPOSE_CONV_FIELDS(F)            \
  F(Padding, padding, LiteRtGetTransposeConvPaddingOption)  \
  F(int32_t, stride_w, LiteRtGetTransposeConvStrideWOption) \
  F(int32_t, stride_h, LiteRtGetTransposeConvStrideHOption) \
  F(ActivationFunction, fused_activation_function, LiteRtGetTransposeConvFusedActivationOption)

#define LITERT_INTERNAL_POOL_FIELDS(F, Op)                     \
  F(Padding, padding, LiteRtGet##Op##PaddingOption)            \
  F(int32_t, stride_w, LiteRtGet##Op##StrideWOption)           \
  F(int32_t, stride_h, LiteRtGet##Op##StrideHOption)           \
  F(int32_t, filter_width, LiteRtGet##Op##FilterWidthOption)   \
  F(int32_t, filter_height, LiteRtGet##Op##FilterHeightOption) \
  F(ActivationFunction, fused_activation_function, LiteRtGet##Op##FusedActivationOption)
#define LITERT_INTERNAL_AVERAGE_POOL_FIELDS(F) LITERT_INTERNAL_POOL_FIELDS(F, AveragePool2d)
#define LITERT_INTERNAL_MAX_POOL_FIELDS(F) LITERT_INTERNAL_POOL_FIELDS(F, MaxPool2d)
#define LITERT_INTERNAL_L2_POOL_FIELDS(F) LITERT_INTERNAL_POOL_FIELDS(F, L2Pool2d)

#define LITERT_INTERNAL_RESIZE_BILINEAR_FIELDS(F)                   \
  F(bool, align_corners, LiteRtGetResizeBilinearAlignCornersOption) \
  F(bool, half_pixel_centers, LiteRtGetResizeBilinearHalfPixelCenterOption)
#define LITERT_INTERNAL_RESIZE_NEAREST_FIELDS(F)                           \
  F(bool, align_corners, LiteRtGetResizeNearestNeighborAlignCornersOption) \
  F(bool, half_pixel_centers, LiteRtGetResizeNearestNeighborHalfPixelCenterOption)

#define LITERT_INTERNAL_LEAKY_RELU_FIELDS(F) F(float, alpha, LiteRtGetLeakyReluAlphaOption)
#define LITERT_INTERNAL_SPACE_TO_DEPTH_FIELDS(F) \
  F(int32_t, block_size, LiteRtGetSpaceToDepthBlockSizeOption)
#define LITERT_INTERNAL_DEPTH_TO_SPACE_FIELDS(F) \
  F(int32_t, block_size, LiteRtGetDepthToSpaceBlockSizeOption)
#define LITERT_INTERNAL_CUMSUM_FIELDS(F)             \
  F(bool, exclusive, LiteRtGetCumsumExclusiveOption) \
  F(bool, reverse, LiteRtGetCumsumReverseOption)
#define LITERT_INTERNAL_GELU_FIELDS(F) F(bool, approximate, LiteRtGetGeluApproximateOption)
#define LITERT_INTERNAL_MIRROR_PAD_FIELDS(F) F(MirrorPadMode, mode, LiteRtGetMirrorPadModeOption)

// X(struct, op code, part of the builder function's name, fields).
#define LITERT_INTERNAL_OP_OPTIONS(X)                                                             \
  X(AddOptions, TflAdd, Add, LITERT_INTERNAL_ADD_FIELDS)                                          \
  X(SubOptions, TflSub, Sub, LITERT_INTERNAL_SUB_FIELDS)                                          \
  X(MulOptions, TflMul, Mul, LITERT_INTERNAL_MUL_FIELDS)                                          \
  X(DivOptions, TflDiv, Div, LITERT_INTERNAL_DIV_FIELDS)                                          \
  X(BatchMatmulOptions, TflBatchMatmul, BatchMatmul, LITERT_INTERNAL_BATCH_MATMUL_FIELDS)         \
  X(ConcatenationOptions, TflConcatenation, Concatenation, LITERT_INTERNAL_CONCATENATION_FIELDS)  \
  X(SoftmaxOptions, TflSoftmax, Softmax, LITERT_INTERNAL_SOFTMAX_FIELDS)                          \
  X(StridedSliceOptions, TflStridedSlice, StridedSlice, LITERT_INTERNAL_STRIDED_SLICE_FIELDS)     \
  X(SumOptions, TflSum, Sum, LITERT_INTERNAL_SUM_FIELDS)                                          \
  X(ReduceMaxOptions, TflReduceMax, ReduceMax, LITERT_INTERNAL_REDUCE_MAX_FIELDS)                 \
  X(ReduceMinOptions, TflReduceMin, ReduceMin, LITERT_INTERNAL_REDUCE_MIN_FIELDS)                 \
  X(ReduceAnyOptions, TflReduceAny, ReduceAny, LITERT_INTERNAL_REDUCE_ANY_FIELDS)                 \
  X(ReduceAllOptions, TflReduceAll, ReduceAll, LITERT_INTERNAL_REDUCE_ALL_FIELDS)                 \
  X(MeanOptions, TflMean, Mean, LITERT_INTERNAL_MEAN_FIELDS)                                      \
  X(UnpackOptions, TflUnpack, Unpack, LITERT_INTERNAL_UNPACK_FIELDS)                              \
  X(GatherOptions, TflGather, Gather, LITERT_INTERNAL_GATHER_FIELDS)                              \
  X(SplitOptions, TflSplit, Split, LITERT_INTERNAL_SPLIT_FIELDS)                                  \
  X(Conv2dOptions, TflConv2d, Conv2d, LITERT_INTERNAL_CONV_2D_FIELDS)                             \
  X(Conv3dOptions, TflConv3d, Conv3d, LITERT_INTERNAL_CONV_3D_FIELDS)                             \
  X(DepthwiseConv2dOptions, TflDepthwiseConv2d, DepthwiseConv2d,                                  \
    LITERT_INTERNAL_DEPTHWISE_CONV_2D_FIELDS)                                                     \
  X(TransposeConvOptions, TflTransposeConv, TransposeConv, LITERT_INTERNAL_TRANSPOSE_CONV_FIELDS) \
  X(AveragePool2dOptions, TflAveragePool2d, AveragePool2d, LITERT_INTERNAL_AVERAGE_POOL_FIELDS)   \
  X(MaxPool2dOptions, TflMaxPool2d, MaxPool2d, LITERT_INTERNAL_MAX_POOL_FIELDS)                   \
  X(L2Pool2dOptions, TflL2Pool2d, L2Pool2d, LITERT_INTERNAL_L2_POOL_FIELDS)                       \
  X(ResizeBilinearOptions, TflResizeBilinear, ResizeBilinear,                                     \
    LITERT_INTERNAL_RESIZE_BILINEAR_FIELDS)                                                       \
  X(ResizeNearestNeighborOptions, TflResizeNearestNeighbor, ResizeNearestNeighbor,                \
    LITERT_INTERNAL_RESIZE_NEAREST_FIELDS)                                                        \
  X(LeakyReluOptions, TflLeakyRelu, LeakyRelu, LITERT_INTERNAL_LEAKY_RELU_FIELDS)                 \
  X(SpaceToDepthOptions, TflSpaceToDepth, SpaceToDepth, LITERT_INTERNAL_SPACE_TO_DEPTH_FIELDS)    \
  X(DepthToSpaceOptions, TflDepthToSpace, DepthToSpace, LITERT_INTERNAL_DEPTH_TO_SPACE_FIELDS)    \
  X(CumSumOptions, TflCumsum, Cumsum, LITERT_INTERNAL_CUMSUM_FIELDS)                              \
  X(GeluOptions, TflGelu, Gelu, LITERT_INTERNAL_GELU_FIELDS)                                      \
  X(MirrorPadOptions, TflMirrorPad, MirrorPad, LITERT_INTERNAL_MIRROR_PAD_FIELDS)

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_OP_OPTIONS_TABLE_H_

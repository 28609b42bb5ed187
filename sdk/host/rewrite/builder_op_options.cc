// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The setters of litert_op_options.h: options of ops that a transformation
// builds.

#include <cstdint>
#include <utility>

#include "litert/c/litert_op_options.h"
#include "sdk/host/model/options/op_options.h"
#include "sdk/host/rewrite/builder.h"

namespace {

using namespace npukit;  // NOLINT(google-build-using-namespace): option tables

// One field of options `O` and the value for it; a null value keeps the
// default.
template <typename O, typename F, typename V>
class Setting {
 public:
  Setting(F O::*field, const V* value) : field_(field), value_(value) {}

  void ApplyTo(O& options) const {
    if (value_) options.*field_ = static_cast<F>(*value_);
  }

 private:
  F O::*field_;
  const V* value_;
};

// Gives `op`, which `builder` has made, options with those settings.
template <typename O, typename... Settings>
LiteRtStatus Set(LiteRtBuilder builder, LiteRtOp op, LiteRtOpCode code,
                 const Settings&... settings) {
  if (!builder || !op || !builder->Owns(op) || op->code != code) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  O options;
  (settings.ApplyTo(options), ...);
  op->options = std::move(options);
  return kLiteRtStatusOk;
}

// A field that is a list. No pointer is needed for none.
template <typename O>
LiteRtStatus SetList(LiteRtBuilder builder, LiteRtOp op, LiteRtOpCode code,
                     std::vector<int32_t> O::*field, const int32_t* values, int32_t count) {
  if (count < 0 || (count > 0 && !values)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const LiteRtStatus status = Set<O>(builder, op, code);
  if (status == kLiteRtStatusOk && count > 0) {
    (op->options.template As<O>()->*field).assign(values, values + count);
  }
  return status;
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtBuilderBuildAddOpOption(LiteRtBuilder builder, LiteRtOp op,
                                           uint32_t* fused_activation) {
  return Set<AddOptions>(builder, op, kLiteRtOpCodeTflAdd,
                         Setting(&AddOptions::fused_activation_function, fused_activation));
}

LiteRtStatus LiteRtBuilderBuildBatchMatmulOpOption(LiteRtBuilder builder, LiteRtOp op, bool* adj_x,
                                                   bool* adj_y, bool* asymmetric_quantize_input) {
  return Set<BatchMatMulOptions>(
      builder, op, kLiteRtOpCodeTflBatchMatmul, Setting(&BatchMatMulOptions::adj_x, adj_x),
      Setting(&BatchMatMulOptions::adj_y, adj_y),
      Setting(&BatchMatMulOptions::asymmetric_quantize_inputs, asymmetric_quantize_input));
}

LiteRtStatus LiteRtBuilderBuildConcatenationOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                     uint32_t* fused_activation, int32_t* axis) {
  return Set<ConcatenationOptions>(
      builder, op, kLiteRtOpCodeTflConcatenation,
      Setting(&ConcatenationOptions::fused_activation_function, fused_activation),
      Setting(&ConcatenationOptions::axis, axis));
}

LiteRtStatus LiteRtBuilderBuildDivOpOption(LiteRtBuilder builder, LiteRtOp op,
                                           uint32_t* fused_activation) {
  return Set<DivOptions>(builder, op, kLiteRtOpCodeTflDiv,
                         Setting(&DivOptions::fused_activation_function, fused_activation));
}

LiteRtStatus LiteRtBuilderBuildFullyConnectedOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                      uint32_t* fused_activation,
                                                      uint32_t* weights_format, bool* keep_num_dims,
                                                      uint32_t* quantized_bias_type,
                                                      bool* asymmetric_quantize_input) {
  return Set<FullyConnectedOptions>(
      builder, op, kLiteRtOpCodeTflFullyConnected,
      Setting(&FullyConnectedOptions::fused_activation_function, fused_activation),
      Setting(&FullyConnectedOptions::weights_format, weights_format),
      Setting(&FullyConnectedOptions::keep_num_dims, keep_num_dims),
      Setting(&FullyConnectedOptions::quantized_bias_type, quantized_bias_type),
      Setting(&FullyConnectedOptions::asymmetric_quantize_inputs, asymmetric_quantize_input));
}

LiteRtStatus LiteRtBuilderBuildMulOpOption(LiteRtBuilder builder, LiteRtOp op,
                                           uint32_t* fused_activation) {
  return Set<MulOptions>(builder, op, kLiteRtOpCodeTflMul,
                         Setting(&MulOptions::fused_activation_function, fused_activation));
}

LiteRtStatus LiteRtBuilderBuildSoftmaxOpOption(LiteRtBuilder builder, LiteRtOp op, float* beta) {
  return Set<SoftmaxOptions>(builder, op, kLiteRtOpCodeTflSoftmax,
                             Setting(&SoftmaxOptions::beta, beta));
}

LiteRtStatus LiteRtBuilderBuildStridedSliceOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                    int32_t* begin_mask, int32_t* end_mask,
                                                    int32_t* ellipsis_mask, int32_t* new_axis_mask,
                                                    int32_t* shrink_axis_mask, bool* offset) {
  return Set<StridedSliceOptions>(builder, op, kLiteRtOpCodeTflStridedSlice,
                                  Setting(&StridedSliceOptions::begin_mask, begin_mask),
                                  Setting(&StridedSliceOptions::end_mask, end_mask),
                                  Setting(&StridedSliceOptions::ellipsis_mask, ellipsis_mask),
                                  Setting(&StridedSliceOptions::new_axis_mask, new_axis_mask),
                                  Setting(&StridedSliceOptions::shrink_axis_mask, shrink_axis_mask),
                                  Setting(&StridedSliceOptions::offset, offset));
}

LiteRtStatus LiteRtBuilderBuildSubOpOption(LiteRtBuilder builder, LiteRtOp op,
                                           uint32_t* fused_activation) {
  return Set<SubOptions>(builder, op, kLiteRtOpCodeTflSub,
                         Setting(&SubOptions::fused_activation_function, fused_activation));
}

LiteRtStatus LiteRtBuilderBuildReshapeOpOption(LiteRtBuilder builder, LiteRtOp op,
                                               int32_t* new_shape, int32_t new_shape_size) {
  return SetList(builder, op, kLiteRtOpCodeTflReshape, &ReshapeOptions::new_shape, new_shape,
                 new_shape_size);
}

LiteRtStatus LiteRtBuilderBuildSumOpOption(LiteRtBuilder builder, LiteRtOp op, bool* keepdims) {
  return Set<ReducerOptions>(builder, op, kLiteRtOpCodeTflSum,
                             Setting(&ReducerOptions::keep_dims, keepdims));
}

LiteRtStatus LiteRtBuilderBuildReduceMaxOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 bool* keepdims) {
  return Set<ReducerOptions>(builder, op, kLiteRtOpCodeTflReduceMax,
                             Setting(&ReducerOptions::keep_dims, keepdims));
}

LiteRtStatus LiteRtBuilderBuildReduceMinOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 bool* keepdims) {
  return Set<ReducerOptions>(builder, op, kLiteRtOpCodeTflReduceMin,
                             Setting(&ReducerOptions::keep_dims, keepdims));
}

LiteRtStatus LiteRtBuilderBuildReduceAnyOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 bool* keepdims) {
  return Set<ReducerOptions>(builder, op, kLiteRtOpCodeTflReduceAny,
                             Setting(&ReducerOptions::keep_dims, keepdims));
}

LiteRtStatus LiteRtBuilderBuildReduceAllOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 bool* keepdims) {
  return Set<ReducerOptions>(builder, op, kLiteRtOpCodeTflReduceAll,
                             Setting(&ReducerOptions::keep_dims, keepdims));
}

LiteRtStatus LiteRtBuilderBuildPackOpOption(LiteRtBuilder builder, LiteRtOp op, int32_t* axis,
                                            int32_t* values_count) {
  return Set<PackOptions>(builder, op, kLiteRtOpCodeTflPack, Setting(&PackOptions::axis, axis),
                          Setting(&PackOptions::values_count, values_count));
}

LiteRtStatus LiteRtBuilderBuildUnpackOpOption(LiteRtBuilder builder, LiteRtOp op, int32_t* axis,
                                              int32_t* num) {
  return Set<UnpackOptions>(builder, op, kLiteRtOpCodeTflUnpack,
                            Setting(&UnpackOptions::axis, axis), Setting(&UnpackOptions::num, num));
}

LiteRtStatus LiteRtBuilderBuildGatherOpOption(LiteRtBuilder builder, LiteRtOp op, int32_t* axis,
                                              int32_t* batch_dims) {
  return Set<GatherOptions>(builder, op, kLiteRtOpCodeTflGather,
                            Setting(&GatherOptions::axis, axis),
                            Setting(&GatherOptions::batch_dims, batch_dims));
}

LiteRtStatus LiteRtBuilderBuildMeanOpOption(LiteRtBuilder builder, LiteRtOp op, bool* keepdims) {
  return Set<ReducerOptions>(builder, op, kLiteRtOpCodeTflMean,
                             Setting(&ReducerOptions::keep_dims, keepdims));
}

LiteRtStatus LiteRtBuilderBuildSplitOpOption(LiteRtBuilder builder, LiteRtOp op,
                                             int32_t* num_splits) {
  return Set<SplitOptions>(builder, op, kLiteRtOpCodeTflSplit,
                           Setting(&SplitOptions::num_splits, num_splits));
}

LiteRtStatus LiteRtBuilderBuildConv2dOpOption(LiteRtBuilder builder, LiteRtOp op, uint32_t* padding,
                                              int32_t* stride_w, int32_t* stride_h,
                                              int32_t* dilation_w_factor,
                                              int32_t* dilation_h_factor,
                                              uint32_t* fused_activation_function) {
  return Set<Conv2DOptions>(
      builder, op, kLiteRtOpCodeTflConv2d, Setting(&Conv2DOptions::padding, padding),
      Setting(&Conv2DOptions::stride_w, stride_w), Setting(&Conv2DOptions::stride_h, stride_h),
      Setting(&Conv2DOptions::dilation_w_factor, dilation_w_factor),
      Setting(&Conv2DOptions::dilation_h_factor, dilation_h_factor),
      Setting(&Conv2DOptions::fused_activation_function, fused_activation_function));
}

LiteRtStatus LiteRtBuilderBuildConv3dOpOption(LiteRtBuilder builder, LiteRtOp op, uint32_t* padding,
                                              int32_t* stride_w, int32_t* stride_h,
                                              int32_t* stride_d, int32_t* dilation_w_factor,
                                              int32_t* dilation_h_factor,
                                              int32_t* dilation_d_factor,
                                              uint32_t* fused_activation_function) {
  return Set<Conv3DOptions>(
      builder, op, kLiteRtOpCodeTflConv3d, Setting(&Conv3DOptions::padding, padding),
      Setting(&Conv3DOptions::stride_w, stride_w), Setting(&Conv3DOptions::stride_h, stride_h),
      Setting(&Conv3DOptions::stride_d, stride_d),
      Setting(&Conv3DOptions::dilation_w_factor, dilation_w_factor),
      Setting(&Conv3DOptions::dilation_h_factor, dilation_h_factor),
      Setting(&Conv3DOptions::dilation_d_factor, dilation_d_factor),
      Setting(&Conv3DOptions::fused_activation_function, fused_activation_function));
}

LiteRtStatus LiteRtBuilderBuildDepthwiseConv2dOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                       uint32_t* padding, int32_t* stride_w,
                                                       int32_t* stride_h, int32_t* depth_multiplier,
                                                       uint32_t* fused_activation_function,
                                                       int32_t* dilation_w_factor,
                                                       int32_t* dilation_h_factor) {
  return Set<DepthwiseConv2DOptions>(
      builder, op, kLiteRtOpCodeTflDepthwiseConv2d,
      Setting(&DepthwiseConv2DOptions::padding, padding),
      Setting(&DepthwiseConv2DOptions::stride_w, stride_w),
      Setting(&DepthwiseConv2DOptions::stride_h, stride_h),
      Setting(&DepthwiseConv2DOptions::depth_multiplier, depth_multiplier),
      Setting(&DepthwiseConv2DOptions::fused_activation_function, fused_activation_function),
      Setting(&DepthwiseConv2DOptions::dilation_w_factor, dilation_w_factor),
      Setting(&DepthwiseConv2DOptions::dilation_h_factor, dilation_h_factor));
}

LiteRtStatus LiteRtBuilderBuildTransposeConvOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                     uint32_t* padding, int32_t* stride_w,
                                                     int32_t* stride_h,
                                                     uint32_t* fused_activation_function) {
  return Set<TransposeConvOptions>(
      builder, op, kLiteRtOpCodeTflTransposeConv, Setting(&TransposeConvOptions::padding, padding),
      Setting(&TransposeConvOptions::stride_w, stride_w),
      Setting(&TransposeConvOptions::stride_h, stride_h),
      Setting(&TransposeConvOptions::fused_activation_function, fused_activation_function));
}

LiteRtStatus LiteRtBuilderBuildAveragePool2dOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                     uint32_t* padding, int32_t* stride_w,
                                                     int32_t* stride_h, int32_t* filter_width,
                                                     int32_t* filter_height,
                                                     uint32_t* fused_activation_function) {
  return Set<Pool2DOptions>(
      builder, op, kLiteRtOpCodeTflAveragePool2d, Setting(&Pool2DOptions::padding, padding),
      Setting(&Pool2DOptions::stride_w, stride_w), Setting(&Pool2DOptions::stride_h, stride_h),
      Setting(&Pool2DOptions::filter_width, filter_width),
      Setting(&Pool2DOptions::filter_height, filter_height),
      Setting(&Pool2DOptions::fused_activation_function, fused_activation_function));
}

LiteRtStatus LiteRtBuilderBuildMaxPool2dOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 uint32_t* padding, int32_t* stride_w,
                                                 int32_t* stride_h, int32_t* filter_width,
                                                 int32_t* filter_height,
                                                 uint32_t* fused_activation_function) {
  return Set<Pool2DOptions>(
      builder, op, kLiteRtOpCodeTflMaxPool2d, Setting(&Pool2DOptions::padding, padding),
      Setting(&Pool2DOptions::stride_w, stride_w), Setting(&Pool2DOptions::stride_h, stride_h),
      Setting(&Pool2DOptions::filter_width, filter_width),
      Setting(&Pool2DOptions::filter_height, filter_height),
      Setting(&Pool2DOptions::fused_activation_function, fused_activation_function));
}

LiteRtStatus LiteRtBuilderBuildL2Pool2dOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                uint32_t* padding, int32_t* stride_w,
                                                int32_t* stride_h, int32_t* filter_width,
                                                int32_t* filter_height,
                                                uint32_t* fused_activation_function) {
  return Set<Pool2DOptions>(
      builder, op, kLiteRtOpCodeTflL2Pool2d, Setting(&Pool2DOptions::padding, padding),
      Setting(&Pool2DOptions::stride_w, stride_w), Setting(&Pool2DOptions::stride_h, stride_h),
      Setting(&Pool2DOptions::filter_width, filter_width),
      Setting(&Pool2DOptions::filter_height, filter_height),
      Setting(&Pool2DOptions::fused_activation_function, fused_activation_function));
}

LiteRtStatus LiteRtBuilderBuildResizeBilinearOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                      bool* align_corners,
                                                      bool* half_pixel_centers) {
  return Set<ResizeBilinearOptions>(
      builder, op, kLiteRtOpCodeTflResizeBilinear,
      Setting(&ResizeBilinearOptions::align_corners, align_corners),
      Setting(&ResizeBilinearOptions::half_pixel_centers, half_pixel_centers));
}

LiteRtStatus LiteRtBuilderBuildLeakyReluOpOption(LiteRtBuilder builder, LiteRtOp op, float* alpha) {
  return Set<LeakyReluOptions>(builder, op, kLiteRtOpCodeTflLeakyRelu,
                               Setting(&LeakyReluOptions::alpha, alpha));
}

LiteRtStatus LiteRtBuilderBuildDepthToSpaceOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                    int32_t* block_size) {
  return Set<DepthToSpaceOptions>(builder, op, kLiteRtOpCodeTflDepthToSpace,
                                  Setting(&DepthToSpaceOptions::block_size, block_size));
}

LiteRtStatus LiteRtBuilderBuildSpaceToDepthOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                    int32_t* block_size) {
  return Set<SpaceToDepthOptions>(builder, op, kLiteRtOpCodeTflSpaceToDepth,
                                  Setting(&SpaceToDepthOptions::block_size, block_size));
}

LiteRtStatus LiteRtBuilderBuildResizeNearestNeighborOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                             bool* align_corners,
                                                             bool* half_pixel_centers) {
  return Set<ResizeNearestNeighborOptions>(
      builder, op, kLiteRtOpCodeTflResizeNearestNeighbor,
      Setting(&ResizeNearestNeighborOptions::align_corners, align_corners),
      Setting(&ResizeNearestNeighborOptions::half_pixel_centers, half_pixel_centers));
}

LiteRtStatus LiteRtBuilderBuildCumsumOpOption(LiteRtBuilder builder, LiteRtOp op, bool* exclusive,
                                              bool* reverse) {
  return Set<CumsumOptions>(builder, op, kLiteRtOpCodeTflCumsum,
                            Setting(&CumsumOptions::exclusive, exclusive),
                            Setting(&CumsumOptions::reverse, reverse));
}

LiteRtStatus LiteRtBuilderBuildGeluOpOption(LiteRtBuilder builder, LiteRtOp op, bool* approximate) {
  return Set<GeluOptions>(builder, op, kLiteRtOpCodeTflGelu,
                          Setting(&GeluOptions::approximate, approximate));
}

LiteRtStatus LiteRtBuilderBuildMirrorPadOpOption(LiteRtBuilder builder, LiteRtOp op,
                                                 uint32_t* mode) {
  return Set<MirrorPadOptions>(builder, op, kLiteRtOpCodeTflMirrorPad,
                               Setting(&MirrorPadOptions::mode, mode));
}

LiteRtStatus LiteRtBuilderBuildSqueezeOpOption(LiteRtBuilder builder, LiteRtOp op,
                                               const int32_t* squeeze_dims,
                                               int32_t num_squeeze_dims) {
  return SetList(builder, op, kLiteRtOpCodeTflSqueeze, &SqueezeOptions::squeeze_dims, squeeze_dims,
                 num_squeeze_dims);
}

}  // extern "C"

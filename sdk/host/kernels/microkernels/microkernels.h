// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The inner loops, compiled once for each instruction set and chosen at run time. Everything that
// crosses this border is plain data, and the code behind it uses no templates of the standard
// library: their instances are merged by the linker, which might then keep the one that this
// machine cannot run.

#ifndef NPUKIT_SDK_HOST_KERNELS_MICROKERNELS_MICROKERNELS_H_
#define NPUKIT_SDK_HOST_KERNELS_MICROKERNELS_MICROKERNELS_H_

#include <cstdint>

#include "sdk/host/kernels/cpu_isa.h"

namespace npukit::kernels {

// Of quantised tensors.
enum class StoredType : int32_t { kInt8, kUInt8, kInt16 };

// From int32 accumulators to floats, where floats were rounded to integers pixel by pixel
// (fixed_point/dynamic_quantization.h):
//   clamp((sum - zero_point[pixel] weight_sum[c]) scale[pixel] channel_scale[c] + bias[c])
// Arrays have one entry per channel, padded to a whole panel, or one per pixel of the tile.
struct RealOutputArgs {
  const float* channel_scales;
  const float* bias;
  const int32_t* weight_sums;
  const float* scales;
  const int32_t* zero_points;
  int32_t image_zero_point;  // added to each zero point
  int32_t pixel_step;        // 0: all pixels have the first entry's
  float min;
  float max;
};

// From int32 accumulators to quantised outputs; arrays have one entry per channel, padded to a
// whole panel, or, of multipliers that are equal, one panel for all. See Requantizer for the arithmetic.
struct RequantizationArgs {
  enum class Kind : int32_t { kFixed32, kFixed64, kReal };
  Kind kind;
  StoredType out;
  const int32_t* bias;      // int32, added first (kFixed64: bias64)
  const int64_t* bias64;    // kFixed64 only
  const int32_t* mantissa;  // kFixed64: the 16-bit one
  const int8_t* left;       // kFixed32: bits to shift before multiplying
  const int8_t* right;      // bits to shift after
  const double* real;       // kReal only
  int32_t multiplier_step;  // of the last four from channel to channel: 1; 0 where they are equal
  int32_t zero_point;
  int32_t min;
  int32_t max;
  const RealOutputArgs* real_output = nullptr;  // outputs are floats: nothing else here is read
};

// A rectangle of output pixels of a convolution whose input lies in an image without further
// padding.
//   pixel(y, x) reads, for each run r, run_elems elements from
//     image + y image_row_stride + x image_pixel_stride + run_offsets[r]
// All strides in elements.
struct ConvTileArgs {
  int64_t rows;
  int64_t cols;
  const void* image;
  int64_t image_row_stride;
  int64_t image_pixel_stride;
  const int64_t* run_offsets;
  int64_t runs;
  // A multiple of the packing's group: 2 for int16 images, 4 for uint8, 1 for float.
  int64_t run_elems;
  void* out;  // channel 0 of the rectangle's first pixel
  int64_t out_row_stride;
  int64_t out_pixel_stride;
  int64_t first_channel;  // of the channels to compute: a multiple of the panel
  int64_t end_channel;
};

// Weights are packed in panels of `lanes` output channels: for each run and group of elements,
// lanes x group values.
struct IntegerConvArgs {
  ConvTileArgs tile;
  const int8_t* weights;
  int64_t panel_bytes;  // from one panel to the next
  // int16 images: added to each weight; uint8 images: times the sum of a row, subtracted.
  int32_t weight_offset;
  // uint8 images with a weight offset: per group, 1 in the bytes that exist.
  const uint32_t* row_ones;
  RequantizationArgs requantization;
};

struct FloatConvArgs {
  ConvTileArgs tile;
  const float* weights;
  int64_t panel_elems;
  const float* bias;  // padded to a whole panel
  float min;
  float max;
};

// A rectangle of a depthwise convolution over a float image with as many channels as the output.
// Integers are computed exactly in float as long as sums stay below 2^24, then requantised.
struct DepthwiseArgs {
  int64_t rows;
  int64_t cols;
  const float* image;
  int64_t image_row_stride;    // between output rows
  int64_t image_pixel_stride;  // between output pixels
  const int64_t* tap_offsets;
  int64_t taps;
  int64_t channels;
  const float* weights;  // [taps, channels]
  void* out;
  int64_t out_row_stride;
  int64_t out_pixel_stride;
  const float* bias;  // float outputs
  float min;
  float max;
  const RequantizationArgs* requantization;  // null: float outputs
};

// A fixed-point multiplier (FixedMultiplier) with its shift split by direction.
struct SplitMultiplier {
  int32_t mantissa;
  int32_t left;
  int32_t right;
};

// Sums and products (QuantizedArithmetic in elementwise/arithmetic.cc) on rows of int8, uint8 or int16.
struct ArithmeticArgs {
  StoredType type;  // of inputs and output
  bool subtract;    // sums only
  int32_t zero_point_a;
  int32_t zero_point_b;
  SplitMultiplier scale_a;  // sums only; `left` holds the common shift too
  SplitMultiplier scale_b;
  SplitMultiplier scale_out;
  int32_t zero_point_out;
  int32_t min;
  int32_t max;
};

// clamp(scale (x - zero_point_in) + zero_point_out)
struct RescaleArgs {
  StoredType in;
  StoredType out;
  int32_t zero_point_in;
  SplitMultiplier scale;
  int32_t zero_point_out;
  int32_t min;
  int32_t max;
};

// The least and the greatest of a row and 0.
struct FloatExtent {
  float low;
  float high;
  bool is_finite;  // all of them are
};

struct Microkernels {
  int lanes;  // output channels of a panel
  // Integer convolutions take uint8 images in groups of 4; else int16 in groups of 2.
  bool byte_images;
  void (*integer_conv)(const IntegerConvArgs& conv);
  void (*float_conv)(const FloatConvArgs& conv);
  void (*depthwise)(const DepthwiseArgs& depthwise);
  // Rows of `count` elements; an operand that does not step is one element.
  void (*sum)(const ArithmeticArgs& sum, const void* a, bool step_a, const void* b, bool step_b,
              int64_t count, void* out);
  void (*product)(const ArithmeticArgs& product, const void* a, bool step_a, const void* b,
                  bool step_b, int64_t count, void* out);
  void (*rescale)(const RescaleArgs& rescale, const void* from, int64_t count, void* to);
  // clamp(round(x / scale) + zero_point) to int8 or uint8, as QUANTIZE does it.
  void (*quantize)(const float* from, int64_t count, float scale, int32_t zero_point, int32_t min,
                   int32_t max, uint8_t* to);
  FloatExtent (*extent)(const float* values, int64_t count);
  // max(min, round(x * factor + offset)), halves away from zero; no result is to lie beyond int8.
  void (*round_to_int8)(const float* from, int64_t count, float factor, float offset, int32_t min,
                        int8_t* to);
  // sums[r] = sum over c of weights[r, c] (vector[c] - zero_point), and of floats.
  void (*dot_int8)(const int8_t* weights, int64_t rows, int64_t cols, const int8_t* vector,
                   int32_t zero_point, int32_t* sums);
  void (*dot_float)(const float* weights, int64_t rows, int64_t cols, const float* vector,
                    float* sums);
  // Functions of rows; in place too.
  void (*exp)(const float* from, int64_t count, float* to);
  void (*logistic)(const float* from, int64_t count, float* to);
  void (*tanh)(const float* from, int64_t count, float* to);
  // e^(beta (x - largest)), divided by their sum.
  void (*softmax)(const float* from, int64_t count, float beta, float* to);
  // Logistic16<3> and Tanh16Of of fixed_point/fixed_point16.h, in place; for other numbers of integer
  // bits than from 0 to 6 nothing happens.
  void (*logistic16)(int16_t* values, int64_t count);
  void (*tanh16)(int integer_bits, int16_t* values, int64_t count);
  // to[i] = from[i] - zero_point; for bytes to bytes, from[i] + 128 (int8) or from[i] (uint8).
  void (*widen_int8)(const int8_t* from, int64_t count, int32_t zero_point, int16_t* to);
  void (*widen_uint8)(const uint8_t* from, int64_t count, int32_t zero_point, int16_t* to);
  void (*bias_int8)(const int8_t* from, int64_t count, uint8_t* to);
  void (*float_int8)(const int8_t* from, int64_t count, int32_t zero_point, float* to);
  void (*float_uint8)(const uint8_t* from, int64_t count, int32_t zero_point, float* to);
};

// The code path for an instruction set, or the best one below it that this build has.
const Microkernels& MicrokernelsFor(CpuIsa isa);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_MICROKERNELS_MICROKERNELS_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// PNG and JPEG files as pixels, and pixels as what a model's input holds.

#ifndef NPUKIT_SDK_TOOLS_TENSORS_IMAGE_H_
#define NPUKIT_SDK_TOOLS_TENSORS_IMAGE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/tools/tensors/tensor_data.h"

namespace npukit::tools {

// [height, width, channels] of 0 to 255. Channels: 1 (grey), 3 (red, green, blue) or 4 (and opacity).
struct Image {
  int width = 0;
  int height = 0;
  int channels = 3;
  std::vector<uint8_t> pixels;
};

// By their first bytes.
bool LooksLikePng(std::span<const uint8_t> bytes);
bool LooksLikeImage(std::span<const uint8_t> bytes);  // PNG or JPEG

// Four channels of a PNG, three of a JPEG. Errors are those of libpng and libjpeg. Of the library
// npukit_images; a program that reads no files may define it instead and link neither.
litert::Expected<Image> DecodeImage(std::span<const uint8_t> bytes);

// Opacity is dropped, colours become grey by their luminance (ITU-R BT.601), grey becomes three equal
// colours.
Image WithChannels(const Image& image, int channels);

// Bilinear between pixel centres, without smoothing where it shrinks, as TFLite's RESIZE_BILINEAR with
// half_pixel_centers; or the nearest pixel.
enum class Interpolation { kBilinear, kNearest };
Image Resized(const Image& image, int width, int height, Interpolation interpolation);

// (pixel - mean) / deviation, one of each or one a channel.
struct Normalization {
  std::vector<double> mean;
  std::vector<double> deviation;
  std::string source;  // "the model's metadata": who says so
};

// What an image is made into.
struct ImageTarget {
  LiteRtElementType type = kLiteRtElementTypeNone;
  std::vector<int32_t> shape;  // [1,h,w,c], [h,w,c], [1,h,w], [h,w], or channels first
  Quantization quantization;
};

// The image in the target's size, layout and type, normalised. Without a normalisation: floats are
// (pixel - 127.5) / 127.5, as TFLite's label_image does; uint8 are the pixels, int8 pixels less 128.
// With one, integers are quantised by the target's scale.
litert::Expected<TensorData> ImageTensor(const Image& image, const ImageTarget& target,
                                         const Normalization* normalization,
                                         Interpolation interpolation);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TENSORS_IMAGE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::tools {
namespace {

constexpr uint8_t kPngMark[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr uint8_t kJpegMark[] = {0xff, 0xd8, 0xff};

bool StartsWith(std::span<const uint8_t> bytes, std::span<const uint8_t> mark) {
  return bytes.size() >= mark.size() && std::equal(mark.begin(), mark.end(), bytes.begin());
}

size_t PlaceOf(const Image& image, int row, int col, int channel) {
  return (static_cast<size_t>(row) * static_cast<size_t>(image.width) + static_cast<size_t>(col)) *
             static_cast<size_t>(image.channels) +
         static_cast<size_t>(channel);
}

uint8_t Luminance(const uint8_t* pixel) {
  return static_cast<uint8_t>(std::lround(0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]));
}

// The two pixels around a place, and how much the second weighs.
struct Between {
  int first;
  int second;
  float weight;
};

Between BetweenPixels(int to, int to_size, int from_size) {
  // Pixel i lies from i to i + 1, its centre at i + 0.5, in both sizes. In float, as TFLite
  // computes it. What lies before the first centre has no pixel on its left.
  const float scale = static_cast<float>(from_size) / static_cast<float>(to_size);
  const float place = std::max((static_cast<float>(to) + 0.5f) * scale - 0.5f, 0.0f);
  const int first = std::min(static_cast<int>(place), from_size - 1);
  return {first, std::min(first + 1, from_size - 1), place - static_cast<float>(first)};
}

// Where height, width and channels stand in a shape; -1: there is one channel, which has no
// dimension.
struct Layout {
  int height = 0;
  int width = 1;
  int channels = -1;
  bool channels_first = false;
};

bool IsChannelCount(int32_t dim) { return dim == 1 || dim == 3 || dim == 4; }

std::optional<Layout> LayoutOf(const std::vector<int32_t>& shape) {
  // Of three dimensions the first may be a batch of one or, channels first, one channel: it is the
  // batch where the last is no number of channels. Channels last come first where both ends could
  // be channels.
  const int rank = static_cast<int>(shape.size());
  const int first = rank == 4 || (rank == 3 && shape[0] == 1 && !IsChannelCount(shape[2])) ? 1 : 0;
  if (first == 1 && shape[0] != 1) return std::nullopt;
  if (rank - first == 2) return Layout{.height = first, .width = first + 1, .channels = -1};
  if (rank - first != 3) return std::nullopt;
  if (IsChannelCount(shape[static_cast<size_t>(rank) - 1]))
    return Layout{.height = first, .width = first + 1, .channels = first + 2};
  if (!IsChannelCount(shape[static_cast<size_t>(first)])) return std::nullopt;
  return Layout{.height = first + 1, .width = first + 2, .channels = first, .channels_first = true};
}

litert::Unexpected Wrong(const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "image: " + what);
}

litert::Expected<void> CheckNormalization(const Normalization& normalization, int channels) {
  for (const auto* values : {&normalization.mean, &normalization.deviation}) {
    if (values->size() != 1 && values->size() != static_cast<size_t>(channels)) {
      return Wrong(fmt::format("{}: expected 1 or {} means and deviations, found {} and {}",
                               normalization.source, channels, normalization.mean.size(),
                               normalization.deviation.size()));
    }
  }
  for (double deviation : normalization.deviation) {
    if (deviation == 0) return Wrong(normalization.source + ": a deviation is 0");
  }
  return {};
}

}  // namespace

bool LooksLikePng(std::span<const uint8_t> bytes) { return StartsWith(bytes, kPngMark); }

bool LooksLikeImage(std::span<const uint8_t> bytes) {
  return LooksLikePng(bytes) || StartsWith(bytes, kJpegMark);
}

Image WithChannels(const Image& image, int channels) {
  if (image.channels == channels) return image;
  Image out{.width = image.width, .height = image.height, .channels = channels, .pixels = {}};
  const size_t pixels = static_cast<size_t>(image.width) * static_cast<size_t>(image.height);
  out.pixels.reserve(pixels * static_cast<size_t>(channels));
  for (size_t i = 0; i < pixels; ++i) {
    const uint8_t* from = image.pixels.data() + i * static_cast<size_t>(image.channels);
    for (int c = 0; c < channels; ++c) {
      if (c == 3) {
        out.pixels.push_back(255);
      } else if (image.channels == 1) {
        out.pixels.push_back(from[0]);
      } else {
        out.pixels.push_back(channels == 1 ? Luminance(from) : from[c]);
      }
    }
  }
  return out;
}

Image Resized(const Image& image, int width, int height, Interpolation interpolation) {
  if (image.width == width && image.height == height) return image;
  Image out{.width = width, .height = height, .channels = image.channels, .pixels = {}};
  out.pixels.reserve(static_cast<size_t>(width) * static_cast<size_t>(height) *
                     static_cast<size_t>(image.channels));
  for (int row = 0; row < height; ++row) {
    const Between y = BetweenPixels(row, height, image.height);
    for (int col = 0; col < width; ++col) {
      const Between x = BetweenPixels(col, width, image.width);
      for (int c = 0; c < image.channels; ++c) {
        const auto at = [&](int r, int k) {
          return static_cast<float>(image.pixels[PlaceOf(image, r, k, c)]);
        };
        if (interpolation == Interpolation::kNearest) {
          out.pixels.push_back(static_cast<uint8_t>(
              at(y.weight < 0.5f ? y.first : y.second, x.weight < 0.5f ? x.first : x.second)));
          continue;
        }
        const float above =
            at(y.first, x.first) * (1 - x.weight) + at(y.first, x.second) * x.weight;
        const float below =
            at(y.second, x.first) * (1 - x.weight) + at(y.second, x.second) * x.weight;
        out.pixels.push_back(
            static_cast<uint8_t>(std::lround(above * (1 - y.weight) + below * y.weight)));
      }
    }
  }
  return out;
}

litert::Expected<TensorData> ImageTensor(const Image& image, const ImageTarget& target,
                                         const Normalization* normalization,
                                         Interpolation interpolation) {
  const std::optional<Layout> layout = LayoutOf(target.shape);
  if (!layout) {
    return Wrong(
        fmt::format("expected an input of one image with 1, 3 or 4 channels, found shape "
                    "[{}]",
                    fmt::join(target.shape, ",")));
  }
  const int height = target.shape[static_cast<size_t>(layout->height)];
  const int width = target.shape[static_cast<size_t>(layout->width)];
  const int channels =
      layout->channels < 0 ? 1 : target.shape[static_cast<size_t>(layout->channels)];
  if (height < 1 || width < 1)
    return Wrong(fmt::format("the input is of {}x{} pixels", width, height));
  const bool are_pixels = normalization == nullptr && !IsFloat(target.type);
  if (are_pixels && target.type != kLiteRtElementTypeUInt8 && target.type != kLiteRtElementTypeInt8)
    return Wrong(
        fmt::format("an input of {} needs a mean and a deviation", ElementTypeName(target.type)));
  static const Normalization kDefault{.mean = {127.5}, .deviation = {127.5}, .source = "default"};
  const Normalization& by = normalization == nullptr ? kDefault : *normalization;
  LITERT_RETURN_IF_ERROR(CheckNormalization(by, channels));
  const Image fitted = WithChannels(Resized(image, width, height, interpolation), channels);
  const auto of_channel = [](const std::vector<double>& values, int c) {
    return values.size() == 1 ? values[0] : values[static_cast<size_t>(c)];
  };
  std::vector<long double> numbers(fitted.pixels.size());
  const size_t plane = static_cast<size_t>(width) * static_cast<size_t>(height);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto c = static_cast<int>(i % static_cast<size_t>(channels));
    const size_t pixel = i / static_cast<size_t>(channels);
    const size_t to = layout->channels_first ? static_cast<size_t>(c) * plane + pixel : i;
    const double value = fitted.pixels[i];
    numbers[to] = are_pixels ? value - (target.type == kLiteRtElementTypeInt8 ? 128 : 0)
                             : (value - of_channel(by.mean, c)) / of_channel(by.deviation, c);
  }
  return FromNumbers(numbers, !are_pixels, {target.shape.begin(), target.shape.end()}, target.type,
                     target.quantization);
}

}  // namespace npukit::tools

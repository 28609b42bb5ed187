// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/convolution/conv_geometry.h"

#include <fmt/format.h>

#include <string>

namespace npukit::kernels {

litert::Expected<Window> MakeWindow(const Node& node, Padding padding, int64_t in, int64_t filter,
                                    int64_t stride, int64_t dilation) {
  if (stride < 1) return InvalidNode(node, fmt::format("has the stride {}", stride));
  if (dilation < 1) return InvalidNode(node, fmt::format("has the dilation {}", dilation));
  if (filter < 1) return InvalidNode(node, fmt::format("has a filter of size {}", filter));
  Window window{.in = in, .filter = filter, .stride = stride, .dilation = dilation};
  const int64_t reach = (filter - 1) * dilation + 1;
  switch (padding) {
    case Padding::kSame:
      window.out = (in + stride - 1) / stride;
      break;
    case Padding::kValid:
      window.out = (in + stride - reach) / stride;
      break;
    default:
      return UnsupportedNode(node, "has the unknown padding " + EnumName(padding));
  }
  if (window.out < 0) {
    return InvalidNode(node, fmt::format("has a window of {} over only {} elements", reach, in));
  }
  window.pad_before = std::max<int64_t>(0, ((window.out - 1) * stride + reach - in) / 2);
  return window;
}

}  // namespace npukit::kernels

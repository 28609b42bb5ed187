// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/convolution/conv_geometry.h"

#include <string>

namespace npukit::kernels {

litert::Expected<Window> MakeWindow(const Node& node, Padding padding, int64_t in, int64_t filter,
                                    int64_t stride, int64_t dilation) {
  if (stride < 1) return InvalidNode(node, "has the stride " + std::to_string(stride));
  if (dilation < 1) return InvalidNode(node, "has the dilation " + std::to_string(dilation));
  if (filter < 1) return InvalidNode(node, "has a filter of size " + std::to_string(filter));
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
  if (window.out < 0 || (window.out == 0 && in > 0)) {
    return InvalidNode(node, "has a window of " + std::to_string(reach) + " over only " +
                                 std::to_string(in) + " elements");
  }
  window.pad_before = std::max<int64_t>(0, ((window.out - 1) * stride + reach - in) / 2);
  return window;
}

}  // namespace npukit::kernels

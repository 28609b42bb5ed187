// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Geometry of windows over an image: what convolutions and pooling share.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_WINDOW_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_WINDOW_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "reference_plugin/compiler/network/layer_op.h"

namespace acme::compiler {

// One dimension, rows or columns. Output i sees the inputs i * stride - pad + k * dilation.
struct WindowAxis {
  int32_t in = 1;
  int32_t out = 1;
  int32_t kernel = 1;
  int32_t stride = 1;
  int32_t dilation = 1;
  int32_t pad = 0;  // before the first input; negative when leading inputs are not used

  // The inputs [first, last) inside the image that outputs [begin, begin + count) see; empty parts
  // give one input, so that there is something to point at.
  struct Span {
    int32_t first = 0;
    int32_t last = 0;
    int32_t size() const { return last - first; }
  };
  Span InputsOf(int32_t begin, int32_t count) const {
    const int32_t low = begin * stride - pad;
    const int32_t high = (begin + count - 1) * stride - pad + (kernel - 1) * dilation + 1;
    const int32_t first = std::clamp(low, 0, in - 1);
    return {first, std::clamp(high, first + 1, in)};
  }
  // How many inputs so many neighbouring outputs see at most.
  int64_t MostInputs(int32_t count) const {
    return std::min<int64_t>(in, int64_t{count - 1} * stride + int64_t{kernel - 1} * dilation + 1);
  }
  // How many pairs of an output and a kernel position meet an input, not padding.
  int64_t Products() const {
    int64_t products = 0;
    for (int32_t o = 0; o < out; ++o) {
      for (int32_t k = 0; k < kernel; ++k) {
        const int64_t at = int64_t{o} * stride - pad + int64_t{k} * dilation;
        products += at >= 0 && at < in ? 1 : 0;
      }
    }
    return products;
  }
  // How many inputs some window meets.
  int64_t InputsMet() const {
    std::vector<bool> met(static_cast<size_t>(in));
    for (int32_t o = 0; o < out; ++o) {
      for (int32_t k = 0; k < kernel; ++k) {
        const int64_t at = int64_t{o} * stride - pad + int64_t{k} * dilation;
        if (at >= 0 && at < in) met[static_cast<size_t>(at)] = true;
      }
    }
    return std::count(met.begin(), met.end(), true);
  }
  // Where the first window of `begin` starts, counted from `first_input`.
  int32_t Origin(int32_t begin, int32_t first_input) const {
    return begin * stride - pad - first_input;
  }
};

// The rows of the image that rows `result` of the result see; the axis that computes them over a
// value that holds rows `held`.
inline RowRange RowsRead(const WindowAxis& axis, const RowRange& result) {
  const WindowAxis::Span span = axis.InputsOf(result.begin, result.size());
  return {span.first, span.last};
}
inline WindowAxis RowsOf(const WindowAxis& axis, const RowRange& result, const RowRange& held) {
  WindowAxis rows = axis;
  rows.in = held.size();
  rows.out = result.size();
  // Output 0 is result.begin now, and input 0 is held.begin.
  rows.pad = axis.pad - result.begin * axis.stride + held.begin;
  return rows;
}

struct WindowGeometry {
  int32_t batches = 1;
  WindowAxis h;
  WindowAxis w;
};

// Bytes of an element of the kernel, for an image of that type.
inline int64_t WeightBytes(Dtype image) { return image == Dtype::kF32 ? 4 : 1; }

// Elements of an image that its windows meet.
inline uint64_t ImageElemsRead(const WindowGeometry& g, int64_t channels) {
  return static_cast<uint64_t>(g.batches * g.h.InputsMet() * g.w.InputsMet() * channels);
}
// Of all products of windows and kernels, for one pair of channels, those with padding.
inline uint64_t PaddingProducts(const WindowGeometry& g) {
  const int64_t all = int64_t{g.h.out} * g.h.kernel * g.w.out * g.w.kernel;
  return static_cast<uint64_t>(g.batches * (all - g.h.Products() * g.w.Products()));
}

std::string ToString(const WindowGeometry& g);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_WINDOW_H_

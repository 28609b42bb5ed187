// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// TRANSPOSE_CONV: inputs are the result's shape, kernels [out_c, kernel_h, kernel_w, in_c],
// activations, and a bias that may be absent. Result rows that are a stride apart meet the same
// rows of the kernel, likewise columns; so each such set of pixels is a convolution of stride 1 by
// a kernel of its own, and no position of a kernel is multiplied where it meets no pixel.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/products/computed_product.h"
#include "reference_plugin/compiler/legalize/products/convolution.h"
#include "reference_plugin/compiler/lower/products/conv_parts.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"
#include "reference_plugin/compiler/lower/products/pixel_plan.h"

namespace acme::compiler {
namespace {

Expected<ConvolutionOptions> ReadTransposeConvOptions(const litert::Op& op) {
  ConvolutionOptions o;
  if (LiteRtGetTransposeConvPaddingOption(op.Get(), &o.padding) != kLiteRtStatusOk ||
      LiteRtGetTransposeConvStrideHOption(op.Get(), &o.stride_h) != kLiteRtStatusOk ||
      LiteRtGetTransposeConvStrideWOption(op.Get(), &o.stride_w) != kLiteRtStatusOk ||
      LiteRtGetTransposeConvFusedActivationOption(op.Get(), &o.activation) != kLiteRtStatusOk) {
    return Unsupported("the op has no TransposeConvOptions");
  }
  return o;
}

// Results first + i * stride of one axis for phases first = begin .. begin + count - 1, which one
// convolution computes: result i of each phase from the inputs around i.
//
// Result r meets input j by kernel position k where r + pad = j * stride + k. So of r = begin +
// phase + i * stride the first k is the remainder of (begin + phase + pad) / stride, each further
// one is a stride on, and j = i + the quotient - (k - the first k) / stride.
class Phases {
 public:
  // `axis` is that of the convolution that would lead from the result to the activations.
  Phases(const WindowAxis& axis, int32_t begin, int32_t count)
      : axis_(axis), begin_(begin), count_(count) {
    int32_t first = INT32_MAX;
    int32_t last = INT32_MIN;
    for (int32_t phase = 0; phase < count; ++phase) {
      for (int32_t tap = FirstTap(phase); tap < axis.kernel; tap += axis.stride) {
        first = std::min(first, InputOf(phase, tap));
        last = std::max(last, InputOf(phase, tap));
      }
    }
    if (first > last) first = last = 0;  // they meet no kernel position: only the bias
    window_.in = axis.out;
    window_.out = (axis.in - begin + axis.stride - 1) / axis.stride;
    window_.kernel = last - first + 1;
    window_.pad = -first;
  }

  const WindowAxis& window() const { return window_; }
  int32_t begin() const { return begin_; }
  int32_t count() const { return count_; }
  int32_t taps() const {
    int32_t taps = 0;
    for (int32_t phase = 0; phase < count_; ++phase)
      taps += std::max(0, (axis_.kernel - FirstTap(phase) + axis_.stride - 1) / axis_.stride);
    return taps;
  }
  // The kernel position that position `at` of the window is to a phase; -1 for none.
  int32_t TapAt(int32_t phase, int32_t at) const {
    const int32_t steps = Shift(phase) - (at - window_.pad);
    const int32_t tap = FirstTap(phase) + steps * axis_.stride;
    return steps >= 0 && tap < axis_.kernel ? tap : -1;
  }

 private:
  int32_t Reach(int32_t phase) const { return begin_ + phase + axis_.pad; }
  int32_t FirstTap(int32_t phase) const { return Reach(phase) % axis_.stride; }
  int32_t Shift(int32_t phase) const { return Reach(phase) / axis_.stride; }
  // From result i's own.
  int32_t InputOf(int32_t phase, int32_t tap) const {
    return Shift(phase) - (tap - FirstTap(phase)) / axis_.stride;
  }

  WindowAxis axis_;
  int32_t begin_;
  int32_t count_;
  WindowAxis window_;
};

std::vector<Phases> OneByOne(const WindowAxis& axis) {
  std::vector<Phases> all;
  for (int32_t phase = 0; phase < std::min(axis.stride, axis.in); ++phase)
    all.emplace_back(axis, phase, 1);
  return all;
}

// What all parts have in common.
struct Transposed {
  ConvolutionOperands operands;
  WindowAxis h;
  WindowAxis w;
  Requantization requantize;
};

// A convolution whose kernel is not filled in yet. Columns of several phases are so many pixels
// side by side, which makes them channels of one.
Conv MakePart(const Transposed& t, const Phases& h, const Phases& w) {
  const std::vector<int32_t>& y = t.operands.y.value.shape;
  Conv conv;
  conv.dtype = t.operands.dtype();
  conv.geometry = {y[0], h.window(), w.window()};
  conv.in_c = t.operands.x.value.shape[3];
  conv.out_c = y[3] * w.count();
  conv.holes = true;
  conv.act_zp = t.operands.act_zp();
  conv.weight_zp = t.operands.weight_zp();
  conv.requantize = t.requantize;
  if (t.requantize.scales.size() > 1) {
    conv.requantize.scales.clear();
    for (int32_t i = 0; i < conv.out_c; ++i)
      conv.requantize.scales.push_back(t.requantize.scales[static_cast<size_t>(i % y[3])]);
  }
  conv.part.y_rows = y[1];
  conv.part.y_cols = y[2] / w.count();
  conv.part.y_channels = conv.out_c;
  conv.part.first_row = h.begin();
  conv.part.row_step = t.h.stride;
  conv.part.first_col = w.begin();
  conv.part.col_step = w.count() == 1 ? t.w.stride : 1;
  return conv;
}

// The part's kernel of [out_c, h, w, in_c]; what a phase does not meet weighs nothing.
std::vector<uint8_t> MakeKernel(const Transposed& t, const Conv& conv, const Phases& h,
                                const Phases& w) {
  const auto elem = static_cast<size_t>(SizeBytes(t.operands.w.value.dtype));
  const auto run_bytes = static_cast<size_t>(conv.in_c) * elem;
  const std::vector<int32_t>& shape = t.operands.w.value.shape;
  const std::vector<uint8_t> nothing = NoWeights(run_bytes, conv.dtype, conv.weight_zp);
  std::vector<uint8_t> kernel;
  for (int32_t out = 0; out < conv.out_c; ++out) {
    const int32_t phase = out / shape[0];
    for (int32_t ky = 0; ky < conv.geometry.h.kernel; ++ky) {
      for (int32_t kx = 0; kx < conv.geometry.w.kernel; ++kx) {
        const int32_t y = h.TapAt(0, ky);
        const int32_t x = w.TapAt(phase, kx);
        if (y < 0 || x < 0) {
          kernel.insert(kernel.end(), nothing.begin(), nothing.end());
          continue;
        }
        const int64_t run = (int64_t{out % shape[0]} * shape[1] + y) * shape[2] + x;
        const uint8_t* from =
            t.operands.w.value.constant.data() + static_cast<size_t>(run) * run_bytes;
        kernel.resize(kernel.size() + run_bytes);
        CopyWeights(from, run_bytes, conv.dtype, kernel.data() + kernel.size() - run_bytes);
      }
    }
  }
  return kernel;
}

// So many times the same, one after the other.
ValueId AddRepeatedBias(const TensorInfo& bias, int32_t times, NetworkBuilder& builder) {
  std::vector<uint8_t> bytes;
  for (int32_t i = 0; i < times; ++i)
    bytes.insert(bytes.end(), bias.value.constant.begin(), bias.value.constant.end());
  return builder.AddConstant(bias.value.name, bias.value.dtype,
                             {static_cast<int32_t>(bias.value.Elems()) * times}, std::move(bytes));
}

// The columns' phases all in one convolution, where it takes the engine fewer rows.
std::vector<Phases> ChooseColumns(const Transposed& t, const Hardware& hardware) {
  std::vector<Phases> apart = OneByOne(t.w);
  if (t.w.stride == 1 || t.w.in % t.w.stride != 0) return apart;
  const Phases rows(t.h, 0, 1);
  const Phases together(t.w, 0, t.w.stride);
  int64_t apart_rows = 0;
  for (const Phases& columns : apart)
    apart_rows += ConvEngineCycles(MakePart(t, rows, columns), hardware);
  if (ConvEngineCycles(MakePart(t, rows, together), hardware) > apart_rows) return apart;
  return {together};
}

Expected<void> CheckShapes(const litert::Op& op, const ConvolutionOperands& o) {
  if (!op.Inputs()[0].IsConstant()) return Unsupported("the result's shape must be constant");
  const std::vector<int32_t>& x = o.x.value.shape;
  const std::vector<int32_t>& w = o.w.value.shape;
  const std::vector<int32_t>& y = o.y.value.shape;
  if (w[3] != x[3] || w[0] != y[3]) {
    return Unsupported(fmt::format("kernels {} do not fit activations {} and result {}",
                                   ShapeName(w), ShapeName(x), ShapeName(y)));
  }
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> shape,
                        ReadIntegers(op.Inputs()[0], "the result's shape"));
  if (!std::equal(shape.begin(), shape.end(), y.begin(), y.end()))
    return Unsupported(fmt::format("the result {} is not of the shape asked for", ShapeName(y)));
  return {};
}

}  // namespace

Expected<void> LegalizeTransposeConv(const litert::Op& op, const Hardware& hardware,
                                     NetworkBuilder& builder) {
  constexpr OperandIndices kIndices = {.x = 2, .w = 1, .bias = 3};
  ACME_ASSIGN_OR_RETURN(const ConvolutionOptions options, ReadTransposeConvOptions(op));
  ACME_ASSIGN_OR_RETURN(const Activation activation, ReadActivation(options.activation));
  Transposed t;
  ACME_ASSIGN_OR_RETURN(t.operands, ReadConvolution(op, kIndices, builder.of_partition()));
  ACME_RETURN_IF_ERROR(CheckShapes(op, t.operands));
  const std::vector<int32_t>& x = t.operands.x.value.shape;
  const std::vector<int32_t>& w = t.operands.w.value.shape;
  const std::vector<int32_t>& y = t.operands.y.value.shape;
  ACME_ASSIGN_OR_RETURN(t.h, ReadAxis({y[1], x[1], w[1], options.stride_h, 1, options.padding}));
  ACME_ASSIGN_OR_RETURN(t.w, ReadAxis({y[2], x[2], w[2], options.stride_w, 1, options.padding}));
  ACME_ASSIGN_OR_RETURN(t.requantize, ReadRequantization(t.operands, 0, activation));

  const ComputedProduct computed{.h = SeenByTransposed(t.h),
                                 .w = SeenByTransposed(t.w),
                                 .batches = x[0],
                                 .in_c = x[3],
                                 .out_c = w[0],
                                 .activation = activation};
  if (t.operands.computed()) return AddComputedProduct(op, kIndices, computed, hardware, builder);
  if (MayBeComputed(t.operands.w, t.operands.Bias()))
    ACME_RETURN_IF_ERROR(CheckComputedProduct(computed, hardware));
  ConvParts layer;
  layer.name = "transpose_conv";
  ACME_ASSIGN_OR_RETURN(const ValueId image, builder.AddTensor(op.Inputs()[kIndices.x]));
  ACME_ASSIGN_OR_RETURN(layer.w, builder.AddTensor(op.Inputs()[kIndices.w]));
  if (t.operands.has_bias) {
    ACME_ASSIGN_OR_RETURN(layer.bias, builder.AddTensor(op.Inputs()[kIndices.bias]));
  }
  for (const Phases& rows : OneByOne(t.h)) {
    for (const Phases& columns : ChooseColumns(t, hardware)) {
      Conv conv = MakePart(t, rows, columns);
      if (!ConvFits(conv, hardware)) return DoesNotFit(hardware);
      conv.x = image;
      conv.w = builder.AddConstant(
          t.operands.w.value.name, t.operands.w.value.dtype,
          {conv.out_c, conv.geometry.h.kernel, conv.geometry.w.kernel, conv.in_c},
          MakeKernel(t, conv, rows, columns));
      if (t.operands.has_bias) {
        conv.bias = columns.count() == 1
                        ? layer.bias
                        : AddRepeatedBias(t.operands.bias, columns.count(), builder);
      }
      layer.macs += static_cast<uint64_t>(conv.geometry.batches) *
                    static_cast<uint64_t>(conv.geometry.h.out * rows.taps()) *
                    static_cast<uint64_t>(conv.geometry.w.out * columns.taps()) *
                    static_cast<uint64_t>(conv.in_c) * static_cast<uint64_t>(y[3]);
      layer.parts.push_back(std::move(conv));
    }
  }
  return builder.AddLayer(op.Outputs()[0], std::make_shared<ConvParts>(std::move(layer)));
}

}  // namespace acme::compiler

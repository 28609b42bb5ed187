// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// CONV_3D and CONV_3D_TRANSPOSE: plain loops.

#include <array>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/convolution/conv_geometry.h"
#include "sdk/host/kernels/fixed_point/fused_activation.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Windows over depth, height and width. Of the transpose they stand on the output: `in` is then the
// output's size, and `out` the input's.
struct Conv3d {
  std::array<Window, 3> windows;
  int64_t batches = 1;
  int64_t in_channels = 1;
  int64_t out_channels = 1;
  bool is_transposed = false;
  FloatRange range;

  // The image that the windows walk over, and the one with a point for each window.
  int64_t WideAt(int64_t batch, const std::array<int64_t, 3>& at) const {
    return ((batch * windows[0].in + at[0]) * windows[1].in + at[1]) * windows[2].in + at[2];
  }
  int64_t NarrowAt(int64_t batch, const std::array<int64_t, 3>& at) const {
    return ((batch * windows[0].out + at[0]) * windows[1].out + at[1]) * windows[2].out + at[2];
  }
  int64_t TapAt(const std::array<int64_t, 3>& at) const {
    return (at[0] * windows[1].filter + at[1]) * windows[2].filter + at[2];
  }
  // [fd, fh, fw, in, out], of the transpose [fd, fh, fw, out, in].
  int64_t WeightAt(int64_t tap, int64_t in, int64_t out) const {
    return is_transposed ? (tap * out_channels + out) * in_channels + in
                         : (tap * in_channels + in) * out_channels + out;
  }

  // fn(pixel of the wide image, pixel of the narrow image, tap) wherever they meet.
  template <typename Fn>
  void ForEachMeeting(Fn fn) const {
    for (int64_t b = 0; b < batches; ++b) {
      ForEach({windows[0].out, windows[1].out, windows[2].out},
              [&](const std::array<int64_t, 3>& point) {
                const std::array<int64_t, 3> taps = {windows[0].filter, windows[1].filter,
                                                     windows[2].filter};
                ForEach(taps, [&](const std::array<int64_t, 3>& tap) {
                  std::array<int64_t, 3> at = {};
                  for (size_t d = 0; d < 3; ++d) {
                    at[d] = windows[d].Origin(point[d]) + tap[d] * windows[d].dilation;
                    if (at[d] < 0 || at[d] >= windows[d].in) return;
                  }
                  fn(WideAt(b, at), NarrowAt(b, point), TapAt(tap));
                });
              });
    }
  }

 private:
  template <typename Fn>
  static void ForEach(const std::array<int64_t, 3>& extents, Fn fn) {
    for (int64_t z = 0; z < extents[0]; ++z) {
      for (int64_t y = 0; y < extents[1]; ++y) {
        for (int64_t x = 0; x < extents[2]; ++x) fn({z, y, x});
      }
    }
  }
};

litert::Expected<Conv3d> Conv3dOf(const Node& node, size_t input, std::span<const int64_t> wide,
                                  bool is_transposed) {
  const auto* options = node.op->OptionsAs<Conv3DOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  const Operand& in = *node.inputs[input];
  const Operand& weights = *node.inputs[1];
  Conv3d conv{.batches = in.shape[0], .in_channels = in.shape[4], .is_transposed = is_transposed};
  conv.out_channels = weights.shape[is_transposed ? 3 : 4];
  if (weights.shape[is_transposed ? 4 : 3] != conv.in_channels)
    return InvalidNode(node, &weights, "must have the input's channels");
  const int32_t strides[] = {options->stride_d, options->stride_h, options->stride_w};
  const int32_t dilations[] = {options->dilation_d_factor, options->dilation_h_factor,
                               options->dilation_w_factor};
  for (size_t d = 0; d < 3; ++d) {
    LITERT_ASSIGN_OR_RETURN(conv.windows[d],
                            MakeWindow(node, options->padding, wide[d + 1], weights.shape[d],
                                       strides[d], dilations[d]));
  }
  const Operand* bias = node.input(is_transposed ? 3 : 2);
  if (bias != nullptr && bias->elems() != conv.out_channels)
    return InvalidNode(node, bias, "must have one element per output channel");
  conv.range = FloatActivationRange(options->fused_activation_function);
  return conv;
}

litert::Expected<void> CheckRanks(const Node& node, size_t input) {
  for (size_t i : {input, size_t{1}}) {
    if (node.inputs[i]->shape.size() != 5)
      return InvalidNode(node, node.inputs[i], "must have 5 dimensions");
  }
  return {};
}

struct Forward {
  static constexpr size_t kInput = 0;
  static constexpr size_t kBias = 2;
  static litert::Expected<Conv3d> Of(const Node& node) {
    LITERT_RETURN_IF_ERROR(CheckRanks(node, kInput));
    const Shape& shape = node.inputs[kInput]->shape;
    return Conv3dOf(node, kInput, std::vector<int64_t>(shape.begin(), shape.end()), false);
  }
  static litert::Expected<Inferred> Infer(const Node& node) {
    LITERT_ASSIGN_OR_RETURN(const Conv3d conv, Of(node));
    const std::vector<int64_t> dims = {conv.batches, conv.windows[0].out, conv.windows[1].out,
                                       conv.windows[2].out, conv.out_channels};
    LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
    return Inferred{.shapes = {std::move(shape)}};
  }
};

// Input 0 is the output's shape.
struct Transposed {
  static constexpr size_t kInput = 2;
  static constexpr size_t kBias = 3;
  static litert::Expected<Conv3d> Of(const Node& node) {
    LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> dims, IntegerValues(node, *node.inputs[0]));
    LITERT_ASSIGN_OR_RETURN(const Conv3d conv, Conv3dOf(node, kInput, dims, true));
    const Shape& in = node.inputs[kInput]->shape;
    const bool fits = dims[0] == conv.batches && dims[4] == conv.out_channels &&
                      conv.windows[0].out == in[1] && conv.windows[1].out == in[2] &&
                      conv.windows[2].out == in[3];
    if (!fits)
      return InvalidNode(node, node.inputs[0], "holds a shape that the input does not make");
    return conv;
  }
  static litert::Expected<Inferred> Infer(const Node& node) {
    LITERT_RETURN_IF_ERROR(CheckRanks(node, kInput));
    if (node.inputs[0]->shape != Shape{5})
      return InvalidNode(node, node.inputs[0], "must have five elements");
    if (IsUnknown(*node.inputs[0])) return Inferred::NeedsValueOf(0);
    LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> dims, IntegerValues(node, *node.inputs[0]));
    LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
    LITERT_RETURN_IF_ERROR(Of(node));
    return Inferred{.shapes = {std::move(shape)}};
  }
};

template <typename Kind>
class Conv3dKernel final : public Kernel {
 public:
  explicit Conv3dKernel(const Conv3d& conv) : conv_(conv), clamp_(conv.range) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[Kind::kInput]);
    const float* weights = DataOf<float>(context.inputs[1]);
    const bool has_bias =
        context.inputs.size() > Kind::kBias && !context.inputs[Kind::kBias].empty();
    const float* bias = has_bias ? DataOf<float>(context.inputs[Kind::kBias]) : nullptr;
    float* out = DataOf<float>(context.outputs[0]);
    const size_t count = context.outputs[0].size() / sizeof(float);
    std::fill_n(out, count, 0.0f);
    conv_.ForEachMeeting([&](int64_t wide, int64_t narrow, int64_t tap) {
      const float* from = in + (conv_.is_transposed ? narrow : wide) * conv_.in_channels;
      float* to = out + (conv_.is_transposed ? wide : narrow) * conv_.out_channels;
      for (int64_t i = 0; i < conv_.in_channels; ++i) {
        for (int64_t o = 0; o < conv_.out_channels; ++o)
          to[o] += from[i] * weights[conv_.WeightAt(tap, i, o)];
      }
    });
    for (size_t i = 0; i < count; ++i) {
      const float sum =
          bias == nullptr ? out[i] : out[i] + bias[i % static_cast<size_t>(conv_.out_channels)];
      out[i] = clamp_(sum);
    }
    return {};
  }

 private:
  Conv3d conv_;
  PlainRange<float> clamp_;
};

template <typename Kind>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Conv3d conv, Kind::Of(node));
  return std::unique_ptr<Kernel>(std::make_unique<Conv3dKernel<Kind>>(conv));
}

template <typename Kind>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const Conv3d conv, Kind::Of(node));
  std::vector<BoundedSum> sums(static_cast<size_t>(outputs[0].elems()));
  conv.ForEachMeeting([&](int64_t wide, int64_t narrow, int64_t tap) {
    const int64_t from = (conv.is_transposed ? narrow : wide) * conv.in_channels;
    const int64_t to = (conv.is_transposed ? wide : narrow) * conv.out_channels;
    for (int64_t i = 0; i < conv.in_channels; ++i) {
      for (int64_t o = 0; o < conv.out_channels; ++o) {
        sums[static_cast<size_t>(to + o)].Add(ExactProduct(
            At(*inputs[Kind::kInput], from + i), At(*inputs[1], conv.WeightAt(tap, i, o))));
      }
    }
  });
  const OracleTensor* bias = inputs.size() > Kind::kBias ? inputs[Kind::kBias] : nullptr;
  for (size_t i = 0; i < sums.size(); ++i) {
    const auto elem = static_cast<int64_t>(i);
    if (bias != nullptr) sums[i].Add(At(*bias, elem % conv.out_channels));
    Put(outputs[0], elem, ClampTo(conv.range, sums[i].Result(1)));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Conv3d) = {
    .doc = {.formula = "as CONV_2D, over depth, height and width; weights [fd, fh, fw, in, out]",
            .source = "TFLite CONV_3D"},
    .signature = "float32, float32, float32? -> float32",
    .infer = Forward::Infer,
    .prepare = Prepare<Forward>,
    .oracle = Oracle<Forward>,
    .tolerance = kRoundedFloats,
};

NPUKIT_DEFINE_OPERATOR(Conv3dTranspose) = {
    .doc = {.formula =
                "the transpose of CONV_3D: each input pixel times the filter is added to the "
                "output at its window; weights [fd, fh, fw, out, in]",
            .source = "TFLite CONV_3D_TRANSPOSE"},
    .signature = "int32, float32, float32, float32? -> float32",
    .infer = Transposed::Infer,
    .prepare = Prepare<Transposed>,
    .oracle = Oracle<Transposed>,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Pooling that tells which element of a window was the largest, and its reverse. MediaPipe's number the
// elements of a window, in floats; TFLite's number those of the image, in integers.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "sdk/host/kernels/convolution/conv_geometry.h"
#include "sdk/host/kernels/fixed_point/fused_activation.h"
#include "sdk/host/kernels/mediapipe/stored_params.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/float_kernel_oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/flex_buffer.h"

namespace npukit::kernels {
namespace {

constexpr auto kIndexInt = kLiteRtElementTypeInt32;

// TFLite's MaxPoolWithArgmax has a FlexBuffer.
litert::Expected<StoredWindow> FlexWindowOf(const Node& node) {
  const std::optional<FlexBuffer> buffer = FlexBuffer::Verify(node.op->custom_options);
  if (!buffer) return InvalidNode(node, "has options that are no FlexBuffer");
  const flexbuffers::Map map = buffer->root().AsMap();
  const std::string padding = map["padding"].AsString().str();
  if (padding != "SAME" && padding != "VALID") return InvalidNode(node, "has an unknown padding");
  if (map["include_batch_in_index"].AsBool())
    return UnsupportedNode(node, "counts the batch in its indices, which TFLite does not either");
  const auto size = map["ksize"].AsTypedVector();
  const auto strides = map["strides"].AsTypedVector();
  if (size.size() != 4 || strides.size() != 4)
    return InvalidNode(node, "must have four sizes and four strides");
  return StoredWindow{.padding = padding == "SAME" ? Padding::kSame : Padding::kValid,
                      .stride_w = strides[2].AsInt32(),
                      .stride_h = strides[1].AsInt32(),
                      .filter_w = size[2].AsInt32(),
                      .filter_h = size[1].AsInt32()};
}

struct ArgmaxPooling {
  StoredWindow stored;
  Window height;
  Window width;
};

litert::Expected<ArgmaxPooling> ArgmaxPoolingOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  ArgmaxPooling pooling;
  if (node.outputs[1]->type() == kIndexInt) {
    LITERT_ASSIGN_OR_RETURN(pooling.stored, FlexWindowOf(node));
  } else {
    LITERT_ASSIGN_OR_RETURN(pooling.stored, StoredWindowOf(node, 6));
  }
  const StoredWindow& stored = pooling.stored;
  LITERT_ASSIGN_OR_RETURN(pooling.height,
                          MakeWindow(node, stored.padding, in.shape[1], stored.filter_h,
                                     stored.stride_h, /*dilation=*/1));
  LITERT_ASSIGN_OR_RETURN(
      pooling.width, MakeWindow(node, stored.padding, in.shape[2], stored.filter_w, stored.stride_w,
                                /*dilation=*/1));
  return pooling;
}

litert::Expected<Inferred> InferArgmaxPooling(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const ArgmaxPooling pooling, ArgmaxPoolingOf(node));
  Shape shape = node.inputs[0]->shape;
  shape[1] = static_cast<int32_t>(pooling.height.out);
  shape[2] = static_cast<int32_t>(pooling.width.out);
  return Inferred{.shapes = {shape, shape}};
}

class ArgmaxPoolingKernel final : public Kernel {
 public:
  ArgmaxPoolingKernel(const Node& node, const ArgmaxPooling& pooling, FloatRange range)
      : pooling_(pooling),
        range_(range),
        batches_(node.inputs[0]->shape[0]),
        channels_(node.inputs[0]->shape[3]),
        in_image_(node.outputs[1]->type() == kIndexInt) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const Window& rows = pooling_.height;
    const Window& cols = pooling_.width;
    int64_t at = 0;
    for (int64_t b = 0; b < batches_; ++b) {
      const float* image = DataOf<float>(context.inputs[0]) + b * rows.in * cols.in * channels_;
      for (int64_t y = 0; y < rows.out; ++y) {
        for (int64_t x = 0; x < cols.out; ++x) {
          for (int64_t c = 0; c < channels_; ++c, ++at) Pool(context, image + c, y, x, c, at);
        }
      }
    }
    return {};
  }

 private:
  void Pool(const RunContext& context, const float* image, int64_t y, int64_t x, int64_t channel,
            int64_t at) const {
    const Window& rows = pooling_.height;
    const Window& cols = pooling_.width;
    float largest = std::numeric_limits<float>::lowest();
    int64_t best_y = 0;
    int64_t best_x = 0;
    for (int64_t fy = rows.FilterBegin(y); fy < rows.FilterEnd(y); ++fy) {
      for (int64_t fx = cols.FilterBegin(x); fx < cols.FilterEnd(x); ++fx) {
        const int64_t in_y = rows.Origin(y) + fy;
        const int64_t in_x = cols.Origin(x) + fx;
        const float value = image[(in_y * cols.in + in_x) * channels_];
        if (!(value > largest)) continue;
        largest = value;
        best_y = in_image_ ? in_y : fy;
        best_x = in_image_ ? in_x : fx;
      }
    }
    DataOf<float>(context.outputs[0])[at] = std::min(std::max(largest, range_.min), range_.max);
    if (in_image_) {
      DataOf<int32_t>(context.outputs[1])[at] =
          static_cast<int32_t>((best_y * cols.in + best_x) * channels_ + channel);
    } else {  // a tenth more, so that it is rounded down to itself
      DataOf<float>(context.outputs[1])[at] =
          static_cast<float>(best_y * cols.filter + best_x) + 0.1f;
    }
  }

  ArgmaxPooling pooling_;
  FloatRange range_;
  int64_t batches_;
  int64_t channels_;
  bool in_image_;
};

litert::Expected<std::unique_ptr<Kernel>> PrepareArgmaxPooling(const Node& node,
                                                               const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const ArgmaxPooling pooling, ArgmaxPoolingOf(node));
  const FloatRange range = FloatActivationRange(pooling.stored.activation);
  return std::unique_ptr<Kernel>(std::make_unique<ArgmaxPoolingKernel>(node, pooling, range));
}

// The places of an unpooled image.
struct Unpooling {
  StoredWindow stored;
  int64_t out_h = 0;
  int64_t out_w = 0;
  int64_t pad_h = 0;
  int64_t pad_w = 0;
};

litert::Expected<Unpooling> UnpoolingOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (in.shape.size() != 4) return InvalidNode(node, &in, "must have 4 dimensions");
  if (node.inputs[1]->shape != in.shape)
    return InvalidNode(node, node.inputs[1], "must have the shape of the input");
  Unpooling unpooling;
  LITERT_ASSIGN_OR_RETURN(unpooling.stored, StoredWindowOf(node, 6));
  const StoredWindow& stored = unpooling.stored;
  if (stored.stride_h < 1 || stored.stride_w < 1 || stored.filter_h < 1 || stored.filter_w < 1)
    return InvalidNode(node, "has a stride or a filter of no size");
  const int64_t height = in.shape[1];
  const int64_t width = in.shape[2];
  if (node.inputs[1]->type() != kIndexInt) {
    unpooling.out_h = height * stored.filter_h;
    unpooling.out_w = width * stored.filter_w;
    const auto pad = [](int64_t in_size, int64_t stride, int64_t filter, int64_t out_size) {
      return std::max<int64_t>(0, ((in_size - 1) * stride + filter - out_size) / 2);
    };
    unpooling.pad_h = pad(height, stored.stride_h, stored.filter_h, unpooling.out_h);
    unpooling.pad_w = pad(width, stored.stride_w, stored.filter_w, unpooling.out_w);
  } else if (stored.padding == Padding::kSame) {
    unpooling.out_h = height * stored.stride_h;
    unpooling.out_w = width * stored.stride_w;
  } else {
    unpooling.out_h = (height - 1) * stored.stride_h + stored.filter_h;
    unpooling.out_w = (width - 1) * stored.stride_w + stored.filter_w;
  }
  return unpooling;
}

litert::Expected<Inferred> InferUnpooling(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Unpooling unpooling, UnpoolingOf(node));
  const Shape& in = node.inputs[0]->shape;
  LITERT_ASSIGN_OR_RETURN(
      Shape shape,
      NarrowShape(node, std::vector<int64_t>{in[0], unpooling.out_h, unpooling.out_w, in[3]}));
  return Inferred{.shapes = {std::move(shape)}};
}

class UnpoolingKernel final : public Kernel {
 public:
  UnpoolingKernel(const Node& node, const Unpooling& unpooling)
      : name_(NodeName(node)),
        unpooling_(unpooling),
        in_(node.inputs[0]->shape),
        in_image_(node.inputs[1]->type() == kIndexInt) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    std::fill(context.outputs[0].begin(), context.outputs[0].end(), uint8_t{0});
    const float* values = DataOf<float>(context.inputs[0]);
    const int64_t image = unpooling_.out_h * unpooling_.out_w * in_[3];
    int64_t at = 0;
    for (int64_t b = 0; b < in_[0]; ++b) {
      float* out = DataOf<float>(context.outputs[0]) + b * image;
      for (int64_t y = 0; y < in_[1]; ++y) {
        for (int64_t x = 0; x < in_[2]; ++x) {
          for (int64_t c = 0; c < in_[3]; ++c, ++at) {
            const int64_t place =
                in_image_ ? DataOf<int32_t>(context.inputs[1])[at] : InWindow(context, at, y, x, c);
            if (place >= 0 && place < image) {
              out[place] = values[at];
            } else if (in_image_) {
              return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                        fmt::format("{}: index {} at {} is outside the image of {}",
                                                    name_, place, at, image));
            }
          }
        }
      }
    }
    return {};
  }

 private:
  // -1: outside, which MediaPipe passes over.
  int64_t InWindow(const RunContext& context, int64_t at, int64_t y, int64_t x, int64_t c) const {
    const float number = DataOf<float>(context.inputs[1])[at];
    if (!(std::fabs(number) < 0x1p30f)) return -1;
    const auto index = static_cast<int64_t>(number);
    const StoredWindow& stored = unpooling_.stored;
    const int64_t out_y = y * stored.stride_h - unpooling_.pad_h + index / stored.filter_w;
    const int64_t out_x = x * stored.stride_w - unpooling_.pad_w + index % stored.filter_w;
    const bool inside =
        out_y >= 0 && out_y < unpooling_.out_h && out_x >= 0 && out_x < unpooling_.out_w;
    return inside ? (out_y * unpooling_.out_w + out_x) * in_[3] + c : -1;
  }

  std::string name_;
  Unpooling unpooling_;
  Shape in_;
  bool in_image_;
};

litert::Expected<std::unique_ptr<Kernel>> PrepareUnpooling(const Node& node,
                                                           const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Unpooling unpooling, UnpoolingOf(node));
  return std::unique_ptr<Kernel>(std::make_unique<UnpoolingKernel>(node, unpooling));
}

litert::Expected<void> OracleOfChoices(const Node& node,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs) {
  return OracleByFloatKernel(node, inputs, outputs, 0);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(MaxPoolingWithArgmax2d) = {
    .doc = {.formula = "MAX_POOL_2D, and the place of the largest element in its window, plus 0.1",
            .source = "MediaPipe MaxPoolingWithArgmax2D"},
    .signature = "float32 -> float32, float32",
    .infer = InferArgmaxPooling,
    .prepare = PrepareArgmaxPooling,
    .oracle = OracleOfChoices,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(MaxPoolWithArgmax) = {
    .doc = {.formula = "MAX_POOL_2D, and the place of the largest element in its image",
            .source = "TFLite MaxPoolWithArgmax"},
    .signature = "float32 -> float32, int32",
    .infer = InferArgmaxPooling,
    .prepare = PrepareArgmaxPooling,
    .oracle = OracleOfChoices,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(MaxUnpooling2d) = {
    .doc = {.formula = "zeros, but the elements where the second input says: in their windows "
                       "(floats) or in their image (integers)",
            .source = "MediaPipe and TFLite MaxUnpooling2D"},
    .signature = "float32, float32 -> float32; float32, int32 -> float32",
    .infer = InferUnpooling,
    .prepare = PrepareUnpooling,
    .oracle = OracleOfChoices,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

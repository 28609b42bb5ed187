// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/microkernel_params.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/integer_doubt.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/packed_integers.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

constexpr auto kFloat = kLiteRtElementTypeFloat32;

// round(x / scale) + zero point; the division is in float32.
template <typename Out>
struct FromFloat {
  float scale;
  int32_t zero_point;
  const Microkernels* microkernels = nullptr;  // null: element by element

  Out operator()(float value) const {
    const int32_t steps = CutToInt32(std::round(value / scale));
    return static_cast<Out>(std::clamp<int32_t>(WrappingAdd(steps, zero_point),
                                                std::numeric_limits<Out>::min(),
                                                std::numeric_limits<Out>::max()));
  }
  void RunRow(const float* in, int64_t count, Out* out) const {
    if constexpr (sizeof(Out) == 1) {
      microkernels->quantize(in, count, scale, zero_point, std::numeric_limits<Out>::min(),
                             std::numeric_limits<Out>::max(), reinterpret_cast<uint8_t*>(out));
    } else {
      for (int64_t i = 0; i < count; ++i) out[i] = (*this)(in[i]);
    }
  }
};

// From or to int32: element by element.
template <typename In, typename Out>
struct WideRescale {
  int32_t in_zero_point;
  int32_t out_zero_point;
  FixedMultiplier scale;
  Out operator()(In value) const {
    const int32_t scaled = MultiplyByFixed(WrappingSub(value, in_zero_point), scale);
    return static_cast<Out>(std::clamp<int32_t>(WrappingAdd(scaled, out_zero_point),
                                                std::numeric_limits<Out>::min(),
                                                std::numeric_limits<Out>::max()));
  }
};

struct RescaleRows {
  RescaleArgs rescale;
  const Microkernels* microkernels;
  template <typename In, typename Out>
  void RunRow(const In* in, int64_t count, Out* out) const {
    microkernels->rescale(rescale, in, count, out);
  }
};

// One scale and zero point per slice of the quantised dimension.
template <typename Out>
class PerChannelKernel final : public Kernel {
 public:
  PerChannelKernel(std::vector<FromFloat<Out>> channels, int64_t inner, int64_t elems)
      : channels_(std::move(channels)), inner_(inner), elems_(elems) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    Out* out = DataOf<Out>(context.outputs[0]);
    for (int64_t i = 0; i < elems_; ++i) out[i] = channels_[i / inner_ % channels_.size()](in[i]);
    return {};
  }

 private:
  std::vector<FromFloat<Out>> channels_;
  int64_t inner_;
  int64_t elems_;
};

template <typename Out>
litert::Expected<std::unique_ptr<Kernel>> MakePerChannel(const Node& node) {
  const Operand& out = *node.outputs[0];
  const Quantization& quantization = out.quantization();
  LITERT_RETURN_IF_ERROR(CheckChannelParams(node, out));
  const int32_t dimension = quantization.quantized_dimension;
  std::vector<FromFloat<Out>> channels;
  for (size_t c = 0; c < quantization.scale.size(); ++c) {
    channels.push_back({quantization.scale[c], static_cast<int32_t>(quantization.ZeroPointOf(c))});
  }
  const int64_t inner = ElemsOf(out.shape, dimension + 1, out.shape.size());
  return std::unique_ptr<Kernel>(std::make_unique<PerChannelKernel<Out>>(
      std::move(channels), std::max<int64_t>(inner, 1), out.elems()));
}

template <typename In, typename Out>
litert::Expected<std::unique_ptr<Kernel>> MakeRescale(const Node& node,
                                                      const PrepareOptions& options) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const double real = static_cast<double>(in.scale) / static_cast<double>(out.scale);
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier scale, CheckedMultiplier(node, real));
  if constexpr (sizeof(In) == sizeof(int32_t) || sizeof(Out) == sizeof(int32_t)) {
    return MakeUnary<In, Out>(node, WideRescale<In, Out>{in.zero_point, out.zero_point, scale});
  } else {
    const RescaleArgs rescale{.in = StoredTypeOf(node.inputs[0]->type()),
                              .out = StoredTypeOf(node.outputs[0]->type()),
                              .zero_point_in = in.zero_point,
                              .scale = ToSplitMultiplier(scale),
                              .zero_point_out = out.zero_point,
                              .min = std::numeric_limits<Out>::min(),
                              .max = std::numeric_limits<Out>::max()};
    return MakeUnary<In, Out>(node, RescaleRows{rescale, &MicrokernelsFor(options.isa)});
  }
}

template <typename Out>
litert::Expected<std::unique_ptr<Kernel>> MakeTo(const Node& node, const PrepareOptions& options) {
  switch (node.inputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return MakeRescale<int8_t, Out>(node, options);
    case kLiteRtElementTypeUInt8:
      return MakeRescale<uint8_t, Out>(node, options);
    case kLiteRtElementTypeInt16:
      return MakeRescale<int16_t, Out>(node, options);
    case kLiteRtElementTypeInt32:
      return MakeRescale<int32_t, Out>(node, options);
    default:
      break;
  }
  if (node.outputs[0]->quantization().is_per_channel()) return MakePerChannel<Out>(node);
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  return MakeUnary<float, Out>(
      node, FromFloat<Out>{out.scale, out.zero_point, &MicrokernelsFor(options.isa)});
}

// To int4 and uint4, two to a byte.
class PackedKernel final : public Kernel {
 public:
  PackedKernel(LiteRtElementType type, const AffineParams& params, int64_t elems)
      : type_(type), params_(params), elems_(elems) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    const IntegerRange range = RangeOf(type_);
    std::ranges::fill(context.outputs[0], uint8_t{0});
    for (int64_t i = 0; i < elems_; ++i) {
      const int32_t steps = CutToInt32(std::round(in[i] / params_.scale));
      const int32_t value =
          std::clamp(WrappingAdd(steps, params_.zero_point), range.min, range.max);
      PutPacked(type_, context.outputs[0], i, static_cast<int8_t>(value));
    }
    return {};
  }

 private:
  LiteRtElementType type_;
  AffineParams params_;
  int64_t elems_;
};

litert::Expected<std::unique_ptr<Kernel>> MakePacked(const Node& node) {
  const Operand& out = *node.outputs[0];
  LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, out));
  return std::unique_ptr<Kernel>(std::make_unique<PackedKernel>(out.type(), params, out.elems()));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  if (IsPacked(node.outputs[0]->type())) return MakePacked(node);
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return MakeTo<int8_t>(node, options);
    case kLiteRtElementTypeUInt8:
      return MakeTo<uint8_t>(node, options);
    case kLiteRtElementTypeInt16:
      return MakeTo<int16_t>(node, options);
    default:
      return MakeRescale<int16_t, int32_t>(node, options);
  }
}

// So many steps and a zero point fit int32. Of more, and of NaN, TFLite makes what the machine's
// conversion makes: the least int32 on x86, the nearest or 0 on Arm.
constexpr double kMostSteps = 0x1p31 - 0x1p16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Floats: the integer of the nominal value, and as many steps of doubt as the ends of the interval
// lie away from it. The quotient itself may be off by its rounding, which matters only next to a
// tie.
litert::Expected<void> FloatOracle(const Node& node, const OracleTensor& in, OracleTensor& out) {
  const Quantization& quantization = node.outputs[0]->quantization();
  const IntegerRange range = RangeOf(out.type);
  const int32_t dimension = quantization.is_per_channel() ? quantization.quantized_dimension : 0;
  const int64_t inner = quantization.is_per_channel()
                            ? ElemsOf(out.shape, dimension + 1, out.shape.size())
                            : out.elems();
  out.bounds.assign(out.elems(), 0.0);
  for (int64_t i = 0; i < out.elems(); ++i) {
    const size_t channel =
        quantization.is_per_channel() ? i / inner % quantization.scale.size() : 0;
    const float scale = quantization.scale[channel];
    const auto zero_point = static_cast<int32_t>(quantization.ZeroPointOf(channel));
    auto quantize = [&](double value) {
      const int32_t steps = CutToInt32(std::round(static_cast<float>(value) / scale));
      return std::clamp(WrappingAdd(steps, zero_point), range.min, range.max);
    };
    auto rises = [&](double low, double high) {
      return low / scale > -kMostSteps && high / scale < kMostSteps;
    };
    const double value = in.values[i];
    const int32_t nominal = quantize(value);
    // What does not fit may become any integer.
    const double bound = rises(value, value) ? in.bounds[i] : kInfinity;
    out.bounds[i] = IntegerDoubt(quantize, rises, {value, bound}, range.min, range.max);
    if (IsPacked(out.type)) {
      PutPacked(out.type, out.bytes, i, static_cast<int8_t>(nominal));
    } else if (out.type == kLiteRtElementTypeInt16) {
      reinterpret_cast<int16_t*>(out.bytes.data())[i] = static_cast<int16_t>(nominal);
    } else {
      out.bytes[i] = static_cast<uint8_t>(nominal);
    }
  }
  return {};
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!inputs[0]->is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_RETURN_IF_ERROR(Prepare(node, {}));  // checks the quantisation
  return FloatOracle(node, *inputs[0], outputs[0]);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Quantize) = {
    .doc = {.formula = "floats: clamp(round(x / scale) + zp), division in float32, ties away from "
                       "zero; integers: clamp(fixed(s_in / s_out) (x - zp_in) + zp_out)",
            .source = "TFLite QUANTIZE, reference kernels"},
    .signature =
        "float32|int8|uint8|int32 -> int8|uint8|int16; int16 -> int8|uint8|int16|int32; "
        "float32 -> int4|uint4",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

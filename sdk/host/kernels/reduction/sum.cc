// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <functional>
#include <limits>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/reduction/reduction.h"

namespace npukit::kernels {
namespace {

// int8 and int16 in float32, as TFLite's optimised kernel (its reference kernel takes their bytes
// for uint8): the terms are those of round(sum * scale + bias) with bias = -zp * scale * n.
template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakeFloatScaled(const Node& node, int64_t count) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const float scale = in.scale / out.scale;
  const float bias = static_cast<float>(-in.zero_point) * scale * static_cast<float>(count);
  return MakeReduction<T, int32_t>(
      node, int32_t{0}, [](int32_t sum, T value) { return WrappingAdd(sum, value); },
      [scale, bias, zero_point = out.zero_point](int32_t sum) {
        const float scaled = static_cast<float>(sum) * scale;
        const int32_t value = WrappingAdd(CutToInt32(std::round(scaled + bias)), zero_point);
        return static_cast<T>(std::clamp<int32_t>(value, std::numeric_limits<T>::min(),
                                                  std::numeric_limits<T>::max()));
      });
}

litert::Expected<std::unique_ptr<Kernel>> MakeFixedScaled(const Node& node, int64_t count) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const double real = static_cast<double>(in.scale) / static_cast<double>(out.scale);
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier scale, CheckedMultiplier(node, real));
  const auto offset = static_cast<int32_t>(in.zero_point * count);
  return MakeReduction<uint8_t, int32_t>(
      node, int32_t{0}, [](int32_t sum, uint8_t value) { return WrappingAdd(sum, value); },
      [=](int32_t sum) {
        const int32_t value =
            WrappingAdd(MultiplyByFixed(WrappingSub(sum, offset), scale), out.zero_point);
        return static_cast<uint8_t>(std::clamp(value, 0, 255));
      });
}

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakeInteger(const Node& node) {
  return MakeReduction<T, T>(
      node, T{0}, [](T sum, T value) { return Wrapping(sum, value, std::plus<>()); },
      [](T sum) { return sum; });
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Reduction reduction, ReductionOf(node));
  const LiteRtElementType type = node.outputs[0]->type();
  const bool quantized = type == kLiteRtElementTypeInt8 || type == kLiteRtElementTypeUInt8 ||
                         type == kLiteRtElementTypeInt16;
  if (quantized && reduction.count == 0) return MakeStoredZeros();
  switch (type) {
    case kLiteRtElementTypeInt8:
      return MakeFloatScaled<int8_t>(node, reduction.count);
    case kLiteRtElementTypeInt16:
      return MakeFloatScaled<int16_t>(node, reduction.count);
    case kLiteRtElementTypeUInt8:
      return MakeFixedScaled(node, reduction.count);
    case kLiteRtElementTypeBool:
      return MakeAny(node);
    case kLiteRtElementTypeInt32:
      return MakeInteger<int32_t>(node);
    case kLiteRtElementTypeInt64:
      return MakeInteger<int64_t>(node);
    default:
      return MakeReduction<float, float>(node, 0.0f, FloatSum(), [](float sum) { return sum; });
  }
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const Reduction reduction, ReductionOf(node));
  for (int64_t i = 0; i < reduction.out_elems; ++i) {
    BoundedSum sum;
    reduction.ForEachInput(i, [&](int64_t from) { sum.Add(At(*inputs[0], from)); });
    Put(outputs[0], i, sum.Result(0));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Sum) = {
    .doc = {.formula =
                "sum over the axes; uint8: fixed(s_in / s_out) (sum - n zp_in) + zp_out; int8, "
                "int16: round(sum s - n zp_in s) + zp_out with s = s_in / s_out, in float32",
            .source = "TFLite SUM: uint8 and plain numbers the reference kernel, int8 and int16 "
                      "the optimised one"},
    .signature = "T, int32 -> T; T = float32|int8|uint8|int16|int32|int64|bool",
    .infer = InferReduction,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

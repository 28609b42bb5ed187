// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <bit>
#include <limits>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/reduction/reduction.h"

namespace npukit::kernels {
namespace {

// The multiplier divided by the count: as many bits of the quotient as 32-bit arithmetic holds.
FixedMultiplier DividedBy(FixedMultiplier multiplier, int64_t count) {
  const int bits = 63 - std::countl_zero(static_cast<uint64_t>(count));
  const int shift = std::min({bits, 32, 31 + multiplier.shift});
  const auto mantissa =
      static_cast<int32_t>((static_cast<int64_t>(multiplier.mantissa) << shift) / count);
  return {.mantissa = mantissa, .shift = multiplier.shift - shift};
}

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakeQuantized(const Node& node, int64_t count) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const double real = static_cast<double>(in.scale) / static_cast<double>(out.scale);
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier whole, CheckedMultiplier(node, real));
  if (std::is_same_v<T, int16_t> && (in.zero_point != 0 || out.zero_point != 0)) {
    return InvalidNode(node, "int16 tensors must have zero points 0");
  }
  const FixedMultiplier scale = DividedBy(whole, count);
  const auto offset = static_cast<int32_t>(in.zero_point * count);
  return MakeReduction<T, int32_t>(
      node, int32_t{0}, [](int32_t sum, T value) { return WrappingAdd(sum, value); },
      [=](int32_t sum) {
        const int32_t mean =
            WrappingAdd(MultiplyByFixed(WrappingSub(sum, offset), scale), out.zero_point);
        return static_cast<T>(std::clamp<int32_t>(mean, std::numeric_limits<T>::min(),
                                                  std::numeric_limits<T>::max()));
      });
}

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakeInteger(const Node& node, int64_t count) {
  return MakeReduction<T, int64_t>(
      node, int64_t{0},
      [](int64_t sum, T value) { return Wrapping(sum, int64_t{value}, std::plus<>()); },
      [count](int64_t sum) { return static_cast<T>(sum / count); });
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const Reduction reduction, ReductionOf(node));
  const int64_t count = reduction.count;
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeFloat32) {
    return MakeReduction<float, float>(
        node, 0.0f, FloatSum(),
        [divisor = static_cast<float>(count)](float sum) { return sum / divisor; });
  }
  if (count == 0) return MakeStoredZeros();
  if (type == kLiteRtElementTypeInt8) return MakeQuantized<int8_t>(node, count);
  if (type == kLiteRtElementTypeUInt8) return MakeQuantized<uint8_t>(node, count);
  if (type == kLiteRtElementTypeInt16) return MakeQuantized<int16_t>(node, count);
  if (type == kLiteRtElementTypeInt32) return MakeInteger<int32_t>(node, count);
  return MakeInteger<int64_t>(node, count);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const Reduction reduction, ReductionOf(node));
  for (int64_t i = 0; i < reduction.out_elems; ++i) {
    BoundedSum sum;
    reduction.ForEachInput(i, [&](int64_t from) { sum.Add(At(*inputs[0], from)); });
    Put(outputs[0], i, Div(sum.Result(0), {static_cast<double>(reduction.count), 0}));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Mean) = {
    .doc = {.formula = "sum over the axes / number of elements; quantised: fixed(s_in / s_out / n) "
                       "(sum - n zp_in) + zp_out",
            .source = "TFLite MEAN, reference kernels"},
    .signature = "T, int32 -> T; T = float32|int8|uint8|int16|int32|int64",
    .infer = InferReduction,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <functional>
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

bool IsQuantized(const Node& node) {
  const LiteRtElementType type = node.outputs[0]->type();
  return (type == kLiteRtElementTypeInt8 || type == kLiteRtElementTypeInt16) &&
         HasScale(*node.inputs[0]);
}

// Scaled after every factor, by the n-th part of the whole scale each.
template <typename T>
class QuantizedProductKernel final : public Kernel {
 public:
  QuantizedProductKernel(const Reduction& reduction, FixedMultiplier scale, int32_t zero_in,
                         int32_t zero_out)
      : reduction_(reduction), scale_(scale), zero_in_(zero_in), zero_out_(zero_out) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    for (int64_t i = 0; i < reduction_.out_elems; ++i) {
      int32_t product = 0;
      bool first = true;
      reduction_.ForEachInput(i, [&](int64_t from) {
        const int32_t factor = in[from] - zero_in_;
        product =
            first ? factor : MultiplyByFixed64(static_cast<int64_t>(product) * factor, scale_);
        first = false;
      });
      const int32_t value = WrappingAdd(MultiplyByFixed64(product, scale_), zero_out_);
      out[i] = static_cast<T>(
          std::clamp<int32_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    }
    return {};
  }

 private:
  Reduction reduction_;
  FixedMultiplier scale_;
  int32_t zero_in_;
  int32_t zero_out_;
};

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakeQuantized(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const Reduction reduction, ReductionOf(node));
  if (reduction.count == 0) return MakeStoredZeros();
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const double root =
      std::pow(static_cast<double>(out.scale), 1.0 / static_cast<double>(reduction.count));
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier scale,
                          CheckedMultiplier(node, static_cast<double>(in.scale) / root));
  if (scale.shift > 14)
    return InvalidNode(node, "the tensors' scales give too large a multiplier for 16 bits");
  return std::unique_ptr<Kernel>(
      std::make_unique<QuantizedProductKernel<T>>(reduction, scale, in.zero_point, out.zero_point));
}

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> MakePlain(const Node& node) {
  return MakeReduction<T, T>(
      node, T{1},
      [](T product, T value) {
        if constexpr (std::is_floating_point_v<T>) {
          return product * value;
        } else if constexpr (sizeof(T) < sizeof(int32_t)) {
          return static_cast<T>(product * value);
        } else {
          return Wrapping(product, value, std::multiplies<>());
        }
      },
      [](T product) { return product; });
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const bool quantized = IsQuantized(node);
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return quantized ? MakeQuantized<int8_t>(node) : MakePlain<int8_t>(node);
    case kLiteRtElementTypeUInt8:
      if (HasScale(*node.inputs[0]))
        return UnsupportedNode(node, node.inputs[0], "must have no scale, being uint8");
      return MakePlain<uint8_t>(node);
    case kLiteRtElementTypeBool:
      return MakeAll(node);
    case kLiteRtElementTypeInt16:
      return quantized ? MakeQuantized<int16_t>(node) : MakePlain<int16_t>(node);
    case kLiteRtElementTypeInt32:
      return MakePlain<int32_t>(node);
    case kLiteRtElementTypeInt64:
      return MakePlain<int64_t>(node);
    default:
      return MakePlain<float>(node);
  }
}

// A product in any order: each partial one may round, and each may pass through the subnormals or
// overflow.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const Reduction reduction, ReductionOf(node));
  for (int64_t i = 0; i < reduction.out_elems; ++i) {
    Bounded product{1, 0};
    reduction.ForEachInput(i, [&](int64_t from) { product = Mul(product, At(*inputs[0], from)); });
    Put(outputs[0], i, product);
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ReduceProd) = {
    .doc = {.formula = "product over the axes; quantised: p = fixed(s_in / s_out^(1/n)) (p (x - "
                       "zp_in)) element by element",
            .source = "TFLite REDUCE_PROD, reference kernels"},
    .signature = "T, int32 -> T; T = float32|int8|uint8|int16|int32|int64|bool",
    .infer = InferReduction,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// What REDUCE_MAX and REDUCE_MIN share. Quantised tensors are compared as stored: input and output
// have the same scale.

#ifndef NPUKIT_SDK_HOST_KERNELS_REDUCTION_REDUCTION_EXTREME_H_
#define NPUKIT_SDK_HOST_KERNELS_REDUCTION_REDUCTION_EXTREME_H_

#include <limits>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/reduction/reduction.h"

namespace npukit::kernels {

struct Largest {
  template <typename T>
  static constexpr T kStart = std::numeric_limits<T>::lowest();
  template <typename T>
  T operator()(T best, T value) const {
    return value > best ? value : best;
  }
  Bounded operator()(Bounded best, Bounded value) const { return Max(best, value); }
};

struct Smallest {
  template <typename T>
  static constexpr T kStart = std::numeric_limits<T>::max();
  template <typename T>
  T operator()(T best, T value) const {
    return value < best ? value : best;
  }
  Bounded operator()(Bounded best, Bounded value) const { return Min(best, value); }
};

inline litert::Expected<Inferred> InferExtreme(const Node& node) {
  return InferReduction(
      node, {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8, kLiteRtElementTypeUInt8,
             kLiteRtElementTypeInt16, kLiteRtElementTypeInt32, kLiteRtElementTypeInt64});
}

template <typename Choice>
litert::Expected<std::unique_ptr<Kernel>> PrepareExtreme(const Node& node,
                                                         const PrepareOptions& /*options*/) {
  auto make = [&]<typename T>(T /*type*/) {
    return MakeReduction<T, T>(node, Choice::template kStart<T>, Choice(),
                               [](T best) { return best; });
  };
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return make(int8_t{});
    case kLiteRtElementTypeUInt8:
      return make(uint8_t{});
    case kLiteRtElementTypeInt16:
      return make(int16_t{});
    case kLiteRtElementTypeInt32:
      return make(int32_t{});
    case kLiteRtElementTypeInt64:
      return make(int64_t{});
    default:
      return make(float{});
  }
}

template <typename Choice>
litert::Expected<void> ExtremeOracle(const Node& node, std::span<const OracleTensor* const> inputs,
                                     std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const Reduction reduction, ReductionOf(node));
  for (int64_t i = 0; i < reduction.out_elems; ++i) {
    Bounded best{Choice::template kStart<float>, 0};
    reduction.ForEachInput(i, [&](int64_t from) {
      best = Choice()(best, Bounded{inputs[0]->values[from], inputs[0]->bounds[from]});
    });
    Put(outputs[0], i, best);
  }
  return {};
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_REDUCTION_REDUCTION_EXTREME_H_

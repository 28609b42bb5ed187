// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// REDUCE_MAX and REDUCE_MIN. Quantised tensors are compared as stored: input and output have the same
// scale.

#include <limits>

#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/reduction/reduction.h"

namespace npukit::kernels {
namespace {

struct Largest {
  template <typename T>
  static constexpr T kStart = std::numeric_limits<T>::lowest();
  template <typename T>
  T operator()(T best, T value) const {
    return value > best ? value : best;
  }
  Bounded operator()(Bounded best, Bounded value) const { return Max(best, value); }
  static constexpr auto kOfBool = MakeAny;
};

struct Smallest {
  template <typename T>
  static constexpr T kStart = std::numeric_limits<T>::max();
  template <typename T>
  T operator()(T best, T value) const {
    return value < best ? value : best;
  }
  Bounded operator()(Bounded best, Bounded value) const { return Min(best, value); }
  static constexpr auto kOfBool = MakeAll;
};

template <typename Choice>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  if (node.outputs[0]->type() == kLiteRtElementTypeBool) return Choice::kOfBool(node);
  return WithElementType<int8_t, uint8_t, int16_t, int32_t, int64_t, float>(
      node.outputs[0]->type(), [&]<typename T>(T /*type*/) {
        return MakeReduction<T, T>(node, Choice::template kStart<T>, Choice(),
                                   [](T best) { return best; });
      });
}

template <typename Choice>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
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

template <typename Choice>
constexpr OperatorParts ExtremeOperator(const Documentation& doc) {
  return {.doc = doc,
          .signature = "T, int32 -> T; T = float32|int8|uint8|int16|int32|int64|bool",
          .infer = InferReduction,
          .prepare = Prepare<Choice>,
          .oracle = Oracle<Choice>,
          .tolerance = kExactResult};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ReduceMax) =
    ExtremeOperator<Largest>({.formula = "the largest element over the axes",
                              .source = "TFLite REDUCE_MAX, reference kernels"});

NPUKIT_DEFINE_OPERATOR(ReduceMin) =
    ExtremeOperator<Smallest>({.formula = "the smallest element over the axes",
                               .source = "TFLite REDUCE_MIN, reference kernels"});

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Kernels and oracles of operators that compute each output element from one element of each input.
// An operator gives a function object for each element type (`Out operator()(In a, In b) const`)
// and, for floats, one on Bounded values.

#ifndef NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_H_
#define NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_H_

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "sdk/host/kernels/bounded.h"
#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/kernels/thread_pool.h"

namespace npukit::kernels {

template <typename T>
const T* DataOf(std::span<const uint8_t> bytes) {
  return reinterpret_cast<const T*>(bytes.data());
}
template <typename T>
T* DataOf(std::span<uint8_t> bytes) {
  return reinterpret_cast<T*>(bytes.data());
}

// A function object may do a whole row itself: RunRow(in, count, out), or RunRow(a, step_a, b,
// step_b, count, out), where an operand that does not step is a single element.
template <typename Function, typename In, typename Out>
concept UnaryRows = requires(const Function& function, const In* in, Out* out) {
  function.RunRow(in, int64_t{1}, out);
};
template <typename Function, typename In, typename Out>
concept BinaryRows = requires(const Function& function, const In* in, Out* out) {
  function.RunRow(in, true, in, true, int64_t{1}, out);
};

// Elements below which a second thread costs more than it gains.
inline constexpr size_t kElementwiseGrain = 16384;

template <typename In, typename Out, typename Function>
class UnaryKernel final : public Kernel {
 public:
  UnaryKernel(Function function, int64_t elems) : function_(std::move(function)), elems_(elems) {
    if (sizeof(In) == sizeof(Out)) in_place_input_ = 0;
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const In* in = DataOf<In>(context.inputs[0]);
    Out* out = DataOf<Out>(context.outputs[0]);
    ParallelFor(context.pool, static_cast<size_t>(elems_), kElementwiseGrain,
                [&](size_t begin, size_t end, int /*worker*/) {
                  if constexpr (UnaryRows<Function, In, Out>) {
                    function_.RunRow(in + begin, static_cast<int64_t>(end - begin), out + begin);
                  } else {
                    for (size_t i = begin; i < end; ++i) out[i] = function_(in[i]);
                  }
                });
    return {};
  }

 private:
  Function function_;
  int64_t elems_;
};

template <typename In, typename Out, typename Function>
class BinaryKernel final : public Kernel {
 public:
  BinaryKernel(Function function, BroadcastPlan<2> plan)
      : function_(std::move(function)), plan_(plan) {
    // Input 0 is read element by element just before it is overwritten if nothing of it is
    // repeated.
    bool repeated = plan_.row.extent > 1 && plan_.row.stride[0] == 0;
    for (size_t d = 0; d < plan_.outer_rank; ++d) repeated |= plan_.outer[d].stride[0] == 0;
    if (!repeated && sizeof(In) == sizeof(Out)) in_place_input_ = 0;
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const In* a = DataOf<In>(context.inputs[0]);
    const In* b = DataOf<In>(context.inputs[1]);
    Out* out = DataOf<Out>(context.outputs[0]);
    if (plan_.rows == 1) {
      ParallelFor(context.pool, static_cast<size_t>(plan_.row.extent), kElementwiseGrain,
                  [&](size_t begin, size_t end, int /*worker*/) {
                    const auto at = static_cast<int64_t>(begin);
                    RunRow(a + at * plan_.row.stride[0], b + at * plan_.row.stride[1], out + begin,
                           end - begin);
                  });
      return {};
    }
    const size_t grain =
        kElementwiseGrain / std::max<size_t>(1, static_cast<size_t>(plan_.row.extent)) + 1;
    ParallelFor(context.pool, static_cast<size_t>(plan_.rows), grain,
                [&](size_t begin, size_t end, int /*worker*/) {
                  plan_.ForEachRow(static_cast<int64_t>(begin), static_cast<int64_t>(end),
                                   [&](const auto& offsets, int64_t at) {
                                     RunRow(a + offsets[0], b + offsets[1], out + at,
                                            static_cast<size_t>(plan_.row.extent));
                                   });
                });
    return {};
  }

 private:
  void RunRow(const In* a, const In* b, Out* out, size_t count) const {
    const bool step_a = plan_.row.stride[0] != 0;
    const bool step_b = plan_.row.stride[1] != 0;
    if constexpr (BinaryRows<Function, In, Out>) {
      function_.RunRow(a, step_a, b, step_b, static_cast<int64_t>(count), out);
    } else if (step_a && step_b) {
      for (size_t i = 0; i < count; ++i) out[i] = function_(a[i], b[i]);
    } else if (step_a) {
      const In fixed = *b;
      for (size_t i = 0; i < count; ++i) out[i] = function_(a[i], fixed);
    } else if (step_b) {
      const In fixed = *a;
      for (size_t i = 0; i < count; ++i) out[i] = function_(fixed, b[i]);
    } else {
      std::fill_n(out, count, function_(*a, *b));
    }
  }

  Function function_;
  BroadcastPlan<2> plan_;
};

inline BroadcastPlan<2> BinaryPlan(const Node& node) {
  return PlanBroadcast<2>(node.outputs[0]->shape, {node.inputs[0]->shape, node.inputs[1]->shape});
}

template <typename In, typename Out = In, typename Function>
litert::Expected<std::unique_ptr<Kernel>> MakeUnary(const Node& node, Function function) {
  return std::unique_ptr<Kernel>(std::make_unique<UnaryKernel<In, Out, Function>>(
      std::move(function), node.outputs[0]->elems()));
}

template <typename In, typename Out = In, typename Function>
litert::Expected<std::unique_ptr<Kernel>> MakeBinary(const Node& node, Function function) {
  return std::unique_ptr<Kernel>(
      std::make_unique<BinaryKernel<In, Out, Function>>(std::move(function), BinaryPlan(node)));
}

// A float input's element as the oracle's arithmetic takes it.
inline Bounded At(const OracleTensor& tensor, int64_t elem) {
  return Operand32(tensor.values[elem], tensor.bounds[elem]);
}
inline void Put(OracleTensor& tensor, int64_t elem, Bounded value) {
  tensor.values[elem] = value.value;
  tensor.bounds[elem] = value.bound;
}

// Float oracles: function(Bounded) or function(Bounded, Bounded).
template <typename Function>
litert::Expected<void> UnaryOracle(std::span<const OracleTensor* const> inputs,
                                   std::span<OracleTensor> outputs, Function function) {
  for (int64_t i = 0; i < outputs[0].elems(); ++i) Put(outputs[0], i, function(At(*inputs[0], i)));
  return {};
}

template <typename Function>
litert::Expected<void> BinaryOracle(const Node& node, std::span<const OracleTensor* const> inputs,
                                    std::span<OracleTensor> outputs, Function function) {
  const BroadcastPlan<2> plan = BinaryPlan(node);
  plan.ForEachRow(0, plan.rows, [&](const auto& offsets, int64_t at) {
    for (int64_t i = 0; i < plan.row.extent; ++i) {
      const Bounded a = At(*inputs[0], offsets[0] + i * plan.row.stride[0]);
      const Bounded b = At(*inputs[1], offsets[1] + i * plan.row.stride[1]);
      Put(outputs[0], at + i, function(a, b));
    }
  });
  return {};
}

// Shape rules: the output has the input's type and shape; the two inputs' type and their broadcast
// shape.
litert::Expected<Inferred> InferUnarySameType(const Node& node,
                                              std::initializer_list<LiteRtElementType> types);
litert::Expected<Inferred> InferBinarySameType(const Node& node,
                                               std::initializer_list<LiteRtElementType> types);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_H_

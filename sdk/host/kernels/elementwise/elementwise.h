// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Kernels and oracles of operators that compute each output element from one element of each input.
// An operator gives a function object for each element type (`Out operator()(In a, In b) const`)
// and, for floats, one on Bounded values.

#ifndef NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_ELEMENTWISE_H_
#define NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_ELEMENTWISE_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/independent_steps.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

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

// A function object's bytes with what applies it to rows. The kernels themselves know no types, so
// that a type costs the compiler no more than its loops.
struct UnaryRow {
  void (*run)(const void* function, const void* in, int64_t count, void* out);
  std::vector<std::byte> function;
  size_t in_bytes;  // of an element
  size_t out_bytes;
};
// Rows that lie one after the other in the output. Strides are in elements; within a row an operand
// steps by 1 or not at all.
struct BinaryRowSpan {
  const void* a;
  const void* b;
  void* out;
  bool step_a;
  bool step_b;
  int64_t row_stride_a;
  int64_t row_stride_b;
  int64_t rows;
  int64_t count;  // elements of a row
};
struct BinaryRow {
  void (*run)(const void* function, const BinaryRowSpan& span);
  std::vector<std::byte> function;
  size_t in_bytes;
  size_t out_bytes;
  bool swap = false;  // the function takes input 1 first
};
std::unique_ptr<Kernel> MakeUnaryKernel(UnaryRow row, int64_t elems);
std::unique_ptr<Kernel> MakeBinaryKernel(BinaryRow row, const BroadcastPlan<2>& plan);

template <typename Function>
std::vector<std::byte> FunctionBytes(const Function& function) {
  static_assert(std::is_trivially_copyable_v<Function>);
  const auto* bytes = reinterpret_cast<const std::byte*>(&function);
  return {bytes, bytes + sizeof(Function)};
}

// A small function object is copied before a loop: the compiler cannot know that storing bytes does
// not change it.
template <typename Function>
using HeldInLoop = std::conditional_t<(sizeof(Function) <= 64), const Function, const Function&>;

template <typename In, typename Out, typename Function>
void RunUnaryRow(const void* bytes, const void* in_row, int64_t count, void* out_row) {
  HeldInLoop<Function> function = *static_cast<const Function*>(bytes);
  const In* in = static_cast<const In*>(in_row);
  Out* out = static_cast<Out*>(out_row);
  if constexpr (UnaryRows<Function, In, Out>) {
    function.RunRow(in, count, out);
  } else {
    NPUKIT_INDEPENDENT_STEPS
    for (int64_t i = 0; i < count; ++i) out[i] = function(in[i]);
  }
}

template <typename In, typename Out, typename Function>
void RunBinaryRows(const void* bytes, const BinaryRowSpan& span) {
  HeldInLoop<Function> function = *static_cast<const Function*>(bytes);
  const In* a = static_cast<const In*>(span.a);
  const In* b = static_cast<const In*>(span.b);
  Out* out = static_cast<Out*>(span.out);
  const int64_t count = span.count;
  for (int64_t row = 0; row < span.rows; ++row) {
    if constexpr (BinaryRows<Function, In, Out>) {
      function.RunRow(a, span.step_a, b, span.step_b, count, out);
    } else if (span.step_a && span.step_b) {
      NPUKIT_INDEPENDENT_STEPS
      for (int64_t i = 0; i < count; ++i) out[i] = function(a[i], b[i]);
    } else if (span.step_a) {
      const In fixed = *b;
      NPUKIT_INDEPENDENT_STEPS
      for (int64_t i = 0; i < count; ++i) out[i] = function(a[i], fixed);
    } else if (span.step_b) {
      const In fixed = *a;
      NPUKIT_INDEPENDENT_STEPS
      for (int64_t i = 0; i < count; ++i) out[i] = function(fixed, b[i]);
    } else {
      std::fill_n(out, count, function(*a, *b));
    }
    a += span.row_stride_a;
    b += span.row_stride_b;
    out += count;
  }
}

inline BroadcastPlan<2> BinaryPlan(const Node& node) {
  return PlanBroadcast<2>(node.outputs[0]->shape, {node.inputs[0]->shape, node.inputs[1]->shape});
}

template <typename In, typename Out = In, typename Function>
litert::Expected<std::unique_ptr<Kernel>> MakeUnary(const Node& node, Function function) {
  return MakeUnaryKernel(
      {RunUnaryRow<In, Out, Function>, FunctionBytes(function), sizeof(In), sizeof(Out)},
      node.outputs[0]->elems());
}

template <typename In, typename Out = In, typename Function>
litert::Expected<std::unique_ptr<Kernel>> MakeBinary(const Node& node, Function function,
                                                     bool swap = false) {
  return MakeBinaryKernel(
      {RunBinaryRows<In, Out, Function>, FunctionBytes(function), sizeof(In), sizeof(Out), swap},
      BinaryPlan(node));
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

// The output has the input's shape; the two inputs' broadcast shape.
litert::Expected<Inferred> InferSameShape(const Node& node);
// The same where no input is broadcast: all must have the first one's shape.
litert::Expected<Inferred> InferOneShape(const Node& node);
litert::Expected<Inferred> InferBroadcast(const Node& node);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_ELEMENTWISE_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// REDUCE_WINDOW: inputs are the tensor, a first value, and the windows' shape, strides and dilations.

#include <algorithm>
#include <cmath>
#include <limits>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/reduction/combination.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

struct Dim {
  int64_t out = 1;
  int64_t out_step = 0;  // in the input, from one window to the next
  int64_t window = 1;
  int64_t window_step = 0;  // within a window
};

litert::Expected<std::vector<Dim>> DimsOf(const Node& node) {
  const Shape& in = node.inputs[0]->shape;
  const std::vector<int64_t> in_strides = StridesOf(in);
  LITERT_ASSIGN_OR_RETURN(const auto windows, IntegerValues(node, *node.inputs[2]));
  LITERT_ASSIGN_OR_RETURN(const auto strides, IntegerValues(node, *node.inputs[3]));
  LITERT_ASSIGN_OR_RETURN(const auto dilations, IntegerValues(node, *node.inputs[4]));
  std::vector<Dim> dims;
  for (size_t d = 0; d < in.size(); ++d) {
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    for (int64_t value : {windows[d], strides[d], dilations[d]}) {
      if (value < 1 || value > kMost)
        return InvalidNode(node, "has windows, strides or dilations out of range");
    }
    const int64_t reach = (windows[d] - 1) * dilations[d] + 1;
    dims.push_back({.out = in[d] < reach ? 0 : (in[d] - reach) / strides[d] + 1,
                    .out_step = in_strides[d] * strides[d],
                    .window = windows[d],
                    .window_step = in_strides[d] * dilations[d]});
  }
  return dims;
}

litert::Expected<Inferred> Infer(const Node& node) {
  const auto* options = node.op->OptionsAs<ReduceWindowOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  const Operand& in = *node.inputs[0];
  if (in.shape.empty()) return InvalidNode(node, &in, "must have at least one dimension");
  if (node.inputs[1]->elems() != 1)
    return InvalidNode(node, node.inputs[1], "must have one element");
  for (size_t i = 2; i < 5; ++i) {
    if (node.inputs[i]->shape != Shape{static_cast<int32_t>(in.shape.size())})
      return InvalidNode(node, node.inputs[i], "must have an element for each dimension");
    if (IsUnknown(*node.inputs[i])) return Inferred::NeedsValueOf(i);
  }
  const ReduceWindowFunction function = options->reduce_function;
  if (function < ReduceWindowFunction::kAdd || function > ReduceWindowFunction::kAny)
    return UnsupportedNode(node, "has an unknown function");
  LITERT_ASSIGN_OR_RETURN(const std::vector<Dim> dims, DimsOf(node));
  std::vector<int64_t> shape;
  for (const Dim& dim : dims) shape.push_back(dim.out);
  LITERT_ASSIGN_OR_RETURN(Shape narrow, NarrowShape(node, shape));
  return Inferred{.shapes = {std::move(narrow)}};
}

// Calls fn(first element of the window) for every window, in the order of the output.
template <typename Fn>
void ForEachWindow(std::span<const Dim> dims, int64_t at, const Fn& fn) {
  if (dims.empty()) return fn(at);
  for (int64_t i = 0; i < dims[0].out; ++i)
    ForEachWindow(dims.subspan(1), at + i * dims[0].out_step, fn);
}
template <typename Fn>
void ForEachElem(std::span<const Dim> dims, int64_t at, const Fn& fn) {
  if (dims.empty()) return fn(at);
  for (int64_t i = 0; i < dims[0].window; ++i)
    ForEachElem(dims.subspan(1), at + i * dims[0].window_step, fn);
}

Bounded CombineBounded(ReduceWindowFunction function, Bounded a, Bounded b) {
  switch (function) {
    case ReduceWindowFunction::kAdd:
      return Add(a, b);
    case ReduceWindowFunction::kMul:
      return Mul(a, b);
    case ReduceWindowFunction::kAll:
    case ReduceWindowFunction::kAny: {
      // What may be 0 may be either.
      const auto is_open = [](Bounded x) { return x.bound > 0 && std::abs(x.value) <= x.bound; };
      return {Combine(function, a.value, b.value), is_open(a) || is_open(b) ? 1.0 : 0.0};
    }
    default:  // an extreme
      return {Combine(function, a.value, b.value), std::max(a.bound, b.bound)};
  }
}

template <typename T>
class ReduceWindowKernel final : public Kernel {
 public:
  ReduceWindowKernel(std::vector<Dim> dims, ReduceWindowFunction function)
      : dims_(std::move(dims)), function_(function) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    const T first = *DataOf<T>(context.inputs[1]);
    ForEachWindow(dims_, 0, [&](int64_t window) {
      T sum = first;
      ForEachElem(dims_, window, [&](int64_t elem) { sum = Combine(function_, sum, in[elem]); });
      *out++ = sum;
    });
    return {};
  }

 private:
  std::vector<Dim> dims_;
  ReduceWindowFunction function_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(std::vector<Dim> dims, DimsOf(node));
  const ReduceWindowFunction function = node.op->OptionsAs<ReduceWindowOptions>()->reduce_function;
  // TFLite adds and multiplies the bytes of bool.
  const LiteRtElementType type = node.outputs[0]->type();
  return WithElementType<float, double, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t,
                         int64_t, uint64_t>(
      type == kLiteRtElementTypeBool ? kLiteRtElementTypeInt8 : type, [&]<typename T>(T /*type*/) {
        return litert::Expected<std::unique_ptr<Kernel>>(
            std::make_unique<ReduceWindowKernel<T>>(std::move(dims), function));
      });
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const std::vector<Dim> dims, DimsOf(node));
  const ReduceWindowFunction function = node.op->OptionsAs<ReduceWindowOptions>()->reduce_function;
  int64_t at = 0;
  ForEachWindow(dims, 0, [&](int64_t window) {
    Bounded sum = At(*inputs[1], 0);
    ForEachElem(dims, window,
                [&](int64_t elem) { sum = CombineBounded(function, sum, At(*inputs[0], elem)); });
    Put(outputs[0], at++, sum);
  });
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ReduceWindow) = {
    .doc = {.formula =
                "a first value combined with the elements of each window, in their order: sum, "
                "product, smallest, largest, all, any",
            .source = "TFLite REDUCE_WINDOW"},
    .signature =
        "T, T, int64, int64, int64 -> T; "
        "T = float32|float64|int8|uint8|int16|uint16|int32|uint32|int64|uint64|bool",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

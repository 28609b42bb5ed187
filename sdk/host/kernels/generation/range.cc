// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <cstring>
#include <string>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Inputs: 0 start, 1 limit, 2 delta, one element each.
template <typename T>
T ValueOf(const Operand& operand) {
  T value;
  std::memcpy(&value, operand.constant.data(), sizeof(value));
  return value;
}

// The number of elements; errors for steps that never arrive.
template <typename T>
litert::Expected<int64_t> CountOf(const Node& node) {
  const T start = ValueOf<T>(*node.inputs[0]);
  const T limit = ValueOf<T>(*node.inputs[1]);
  const T delta = ValueOf<T>(*node.inputs[2]);
  const bool arrives = (delta > 0 && start <= limit) || (delta < 0 && start >= limit);
  if (!arrives) return InvalidNode(node, node.inputs[2], "does not lead from start to limit");
  double count = 0;
  if constexpr (std::is_same_v<T, float>) {
    count = std::ceil(std::fabs((limit - start) / delta));
  } else {
    // Magnitudes as unsigned numbers, so that nothing overflows.
    const auto from = static_cast<uint64_t>(start);
    const auto to = static_cast<uint64_t>(limit);
    const uint64_t way = delta > 0 ? to - from : from - to;
    const uint64_t step = delta > 0 ? static_cast<uint64_t>(delta) : -static_cast<uint64_t>(delta);
    const uint64_t whole_steps = way / step + (way % step != 0);
    count = static_cast<double>(whole_steps);
  }
  if (!(count < 0x1p31)) return InvalidNode(node, "gives too many elements");
  return static_cast<int64_t>(count);
}

litert::Expected<int64_t> CountOfType(const Node& node) {
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt32:
      return CountOf<int32_t>(node);
    case kLiteRtElementTypeInt64:
      return CountOf<int64_t>(node);
    default:
      return CountOf<float>(node);
  }
}

litert::Expected<Inferred> Infer(const Node& node) {
  for (size_t i = 0; i < 3; ++i) {
    if (node.inputs[i]->elems() != 1)
      return InvalidNode(node, node.inputs[i], "must have one element");
    if (IsUnknown(*node.inputs[i])) return Inferred::NeedsValueOf(i);
  }
  LITERT_ASSIGN_OR_RETURN(const int64_t count, CountOfType(node));
  return Inferred{.shapes = {{static_cast<int32_t>(count)}}};
}

// Sum is unsigned for integers, so that nothing overflows.
template <typename T, typename Sum>
class RangeKernel final : public Kernel {
 public:
  litert::Expected<void> Run(const RunContext& context) const override {
    const T delta = *DataOf<T>(context.inputs[2]);
    T value = *DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    for (size_t i = 0; i < context.outputs[0].size() / sizeof(T); ++i) {
      out[i] = value;
      value = static_cast<T>(static_cast<Sum>(value) + static_cast<Sum>(delta));
    }
    return {};
  }
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt32:
      return std::unique_ptr<Kernel>(std::make_unique<RangeKernel<int32_t, uint32_t>>());
    case kLiteRtElementTypeInt64:
      return std::unique_ptr<Kernel>(std::make_unique<RangeKernel<int64_t, uint64_t>>());
    default:
      return std::unique_ptr<Kernel>(std::make_unique<RangeKernel<float, float>>());
  }
}

// Element i is reached by i rounded additions, or by a product and a sum.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  for (const OracleTensor* input : inputs) {
    if (input->is_uncertain()) return UnsupportedNode(node, "has inputs that are uncertain");
  }
  const double start = inputs[0]->values[0];
  const double delta = inputs[2]->values[0];
  for (int64_t i = 0; i < outputs[0].elems(); ++i) {
    const auto steps = static_cast<double>(i);
    const double reach = std::fabs(start) + steps * std::fabs(delta);
    const double roundings = (steps + 1) * kRoundingUnit;
    const double bound = i == 0 ? 0 : roundings / (1 - roundings) * reach + kSmallestNormal;
    Put(outputs[0], i, {start + steps * delta, bound});
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Range) = {
    .doc = {.formula = "start, start + delta, ... before limit", .source = "TFLite RANGE"},
    .signature = "T, T, T -> T; T = float32|int32|int64",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that apply one real function to each element: floats directly, 8-bit numbers by a table
// of 256 results, int16 by 512 linear pieces. A Function has
//   float operator()(float) const         what the kernel and the tables compute
//   Bounded operator()(Bounded) const     what a correct float32 implementation may give

#ifndef NPUKIT_SDK_HOST_KERNELS_UNARY_UNARY_FUNCTION_H_
#define NPUKIT_SDK_HOST_KERNELS_UNARY_UNARY_FUNCTION_H_

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point_functions.h"
#include "sdk/host/kernels/fixed_point/lookup_table.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

// A microkernel that computes rows of a function.
struct FunctionRows {
  void (*row)(const float* from, int64_t count, float* to);
  void RunRow(const float* in, int64_t count, float* out) const { row(in, count, out); }
};

template <typename Function>
litert::Expected<std::unique_ptr<Kernel>> PrepareFunction(const Node& node,
                                                          const Function& function) {
  const LiteRtElementType type = node.outputs[0]->type();
  auto real = [function](float x) { return function(x); };
  if (type == kLiteRtElementTypeFloat32) return MakeUnary<float>(node, real);
  if (type == kLiteRtElementTypeFloat16) {
    return MakeUnary<Float16>(node, [real](Float16 x) { return Float16::Of(real(x)); });
  }
  if (type == kLiteRtElementTypeBFloat16) {
    return MakeUnary<BFloat16>(node, [real](BFloat16 x) { return BFloat16::Of(real(x)); });
  }
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  if (type == kLiteRtElementTypeInt8)
    return MakeUnary<int8_t>(node, EightBitTable<int8_t>::OfReal(in, out, real));
  if (type == kLiteRtElementTypeUInt8)
    return MakeUnary<uint8_t>(node, EightBitTable<uint8_t>::OfReal(in, out, real));
  if (in.zero_point != 0 || out.zero_point != 0)
    return InvalidNode(node, "int16 tensors must have zero points 0");
  return MakeUnary<int16_t>(node, InterpolatedTable(in.scale, 0, out.scale, 0, real));
}

template <typename Function>
litert::Expected<void> FunctionOracle(const Node& node, std::span<const OracleTensor* const> inputs,
                                      std::span<OracleTensor> outputs, const Function& function) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  const LiteRtElementType type = outputs[0].type;
  return UnaryOracle(inputs, outputs, [&](Bounded x) { return RoundTo(type, function(x)); });
}

// OperatorParts members for a Function that needs no options.
template <typename Function>
litert::Expected<std::unique_ptr<Kernel>> PrepareDefaultFunction(
    const Node& node, const PrepareOptions& /*options*/) {
  return PrepareFunction(node, Function());
}
template <typename Function>
litert::Expected<void> DefaultFunctionOracle(const Node& node,
                                             std::span<const OracleTensor* const> inputs,
                                             std::span<OracleTensor> outputs) {
  return FunctionOracle(node, inputs, outputs, Function());
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_UNARY_UNARY_FUNCTION_H_

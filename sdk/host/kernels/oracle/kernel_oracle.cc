// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/oracle/kernel_oracle.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sdk/host/kernels/oracle/float_kernel_oracle.h"

namespace npukit::kernels {
namespace {

constexpr size_t kScratchAlignment = 64;

litert::Expected<void> RunWithStates(const Kernel& kernel,
                                     std::span<const std::span<const uint8_t>> inputs,
                                     std::span<const std::span<uint8_t>> outputs,
                                     std::span<const std::span<uint8_t>> variables) {
  std::vector<uint8_t> scratch(kernel.scratch_bytes() + kScratchAlignment);
  const size_t misaligned = reinterpret_cast<uintptr_t>(scratch.data()) % kScratchAlignment;
  RunContext context;
  context.inputs = inputs;
  context.outputs = outputs;
  context.variables = variables;
  context.scratch =
      std::span(scratch).subspan(misaligned == 0 ? 0 : kScratchAlignment - misaligned);
  return kernel.Run(context);
}

}  // namespace

litert::Expected<void> RunKernelOnce(const Kernel& kernel,
                                     std::span<const std::span<const uint8_t>> inputs,
                                     std::span<const std::span<uint8_t>> outputs) {
  return RunWithStates(kernel, inputs, outputs, {});
}

litert::Expected<void> OracleByKernel(const Node& node, std::span<const OracleTensor* const> inputs,
                                      std::span<OracleTensor> outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != nullptr && inputs[i]->is_float())
      return UnsupportedNode(node, node.inputs[i], "is a float");
  }
  for (const OracleTensor& output : outputs) {
    if (output.is_float()) return UnsupportedNode(node, "has a float output");
  }
  return OracleByFloatKernel(node, inputs, outputs, 0);
}

litert::Expected<void> OracleByFloatKernel(const Node& node,
                                           std::span<const OracleTensor* const> inputs,
                                           std::span<OracleTensor> outputs, double ulps) {
  std::vector<std::span<const uint8_t>> in(inputs.size());
  // Copies: of floats, and of states, which are written to.
  std::vector<std::vector<uint8_t>> copies(inputs.size());
  std::vector<std::span<uint8_t>> variables(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    if (inputs[i]->is_uncertain()) {
      return UnsupportedNode(node, node.inputs[i],
                             "is uncertain, and bounds do not pass through this operator");
    }
    in[i] = inputs[i]->bytes;
    const bool is_variable = node.inputs[i]->tensor->is_variable;
    if (!is_variable && !inputs[i]->is_float()) continue;
    copies[i] = inputs[i]->ToBytes();
    in[i] = copies[i];
    if (is_variable) variables[i] = copies[i];
  }
  std::vector<std::vector<uint8_t>> floats(outputs.size());
  std::vector<std::span<uint8_t>> out;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].is_float())
      floats[i].resize(DenseBytes(outputs[i].type, outputs[i].shape).value_or(0));
    out.emplace_back(outputs[i].is_float() ? std::span<uint8_t>(floats[i])
                                           : std::span<uint8_t>(outputs[i].bytes));
  }
  litert::Expected<std::unique_ptr<Kernel>> kernel = PrepareNode(node, {.isa = CpuIsa::kBaseline});
  if (!kernel) return kernel.Error();
  if (auto done = RunWithStates(**kernel, in, out, variables); !done) return done;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].is_float()) continue;
    outputs[i] = OracleTensor::FromBytes(outputs[i].type, outputs[i].shape, floats[i]);
    double largest = 0;
    for (double value : outputs[i].values)
      largest = std::isfinite(value) ? std::max(largest, std::fabs(value)) : largest;
    outputs[i].bounds.assign(outputs[i].values.size(), 2 * ulps * kRoundingUnit * largest);
  }
  return {};
}

}  // namespace npukit::kernels

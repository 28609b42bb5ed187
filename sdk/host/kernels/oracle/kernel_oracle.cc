// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/oracle/kernel_oracle.h"

#include <vector>

namespace npukit::kernels {
namespace {

constexpr size_t kScratchAlignment = 64;

}  // namespace

litert::Expected<void> RunKernelOnce(const Kernel& kernel,
                                     std::span<const std::span<const uint8_t>> inputs,
                                     std::span<const std::span<uint8_t>> outputs) {
  std::vector<uint8_t> scratch(kernel.scratch_bytes() + kScratchAlignment);
  const size_t misaligned = reinterpret_cast<uintptr_t>(scratch.data()) % kScratchAlignment;
  RunContext context;
  context.inputs = inputs;
  context.outputs = outputs;
  context.scratch =
      std::span(scratch).subspan(misaligned == 0 ? 0 : kScratchAlignment - misaligned);
  return kernel.Run(context);
}

litert::Expected<void> OracleByKernel(const Node& node, std::span<const OracleTensor* const> inputs,
                                      std::span<OracleTensor> outputs) {
  std::vector<std::span<const uint8_t>> in(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    if (inputs[i]->is_float()) return UnsupportedNode(node, node.inputs[i], "is a float");
    if (inputs[i]->is_uncertain()) {
      return UnsupportedNode(node, node.inputs[i],
                             "is uncertain, and bounds do not pass through this operator");
    }
    in[i] = inputs[i]->bytes;
  }
  std::vector<std::span<uint8_t>> out;
  for (OracleTensor& output : outputs) {
    if (output.is_float()) return UnsupportedNode(node, "has a float output");
    out.emplace_back(output.bytes);
  }
  litert::Expected<std::unique_ptr<Kernel>> kernel = PrepareNode(node, {.isa = CpuIsa::kBaseline});
  if (!kernel) return kernel.Error();
  return RunKernelOnce(**kernel, in, out);
}

}  // namespace npukit::kernels

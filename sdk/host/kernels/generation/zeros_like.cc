// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

class ZerosKernel final : public Kernel {
 public:
  explicit ZerosKernel(const Node& /*node*/) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const std::span<uint8_t> out = context.outputs[0];
    if (!out.empty()) std::memset(out.data(), 0, out.size());
    return {};
  }
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return std::unique_ptr<Kernel>(std::make_unique<ZerosKernel>(node));
}

// The input's elements do not matter, nor does their doubt.
litert::Expected<void> Oracle(const Node& /*node*/, std::span<const OracleTensor* const> /*inputs*/,
                              std::span<OracleTensor> outputs) {
  std::fill(outputs[0].values.begin(), outputs[0].values.end(), 0.0);
  std::fill(outputs[0].bytes.begin(), outputs[0].bytes.end(), uint8_t{0});
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ZerosLike) = {
    .doc = {.formula = "stored zeros in the shape of the input, whatever the zero point",
            .source = "TFLite ZEROS_LIKE"},
    .signature = "T -> T; T = bytes",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

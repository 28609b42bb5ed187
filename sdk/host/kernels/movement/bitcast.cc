// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  const int in_bits = ElementBits(in.type());
  const int out_bits = ElementBits(node.outputs[0]->type());
  Shape shape = in.shape;
  if (in_bits > out_bits) {
    shape.push_back(in_bits / out_bits);
  } else if (in_bits < out_bits) {
    if (shape.empty() || shape.back() != out_bits / in_bits)
      return InvalidNode(node, &in, "must have a last dimension that makes one wider element");
    shape.pop_back();
  }
  return Inferred{.shapes = {std::move(shape)}};
}

class BitcastKernel final : public Kernel {
 public:
  litert::Expected<void> Run(const RunContext& context) const override {
    if (!context.outputs[0].empty() && context.outputs[0].data() != context.inputs[0].data())
      std::memcpy(context.outputs[0].data(), context.inputs[0].data(), context.outputs[0].size());
    return {};
  }
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& /*node*/,
                                                  const PrepareOptions& /*options*/) {
  return std::unique_ptr<Kernel>(std::make_unique<BitcastKernel>());
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (inputs[0]->is_uncertain())
    return UnsupportedNode(node, node.inputs[0], "is uncertain, and its bits are asked for");
  outputs[0] = OracleTensor::FromBytes(outputs[0].type, outputs[0].shape, inputs[0]->ToBytes());
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Bitcast) = {
    .doc = {.formula = "the same bytes as another type", .source = "TFLite BITCAST"},
    .signature = "bytes8 -> bytes8",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  for (const Operand* input : node.inputs) {
    if (input->shape.size() != 1) return InvalidNode(node, input, "must have one dimension");
  }
  return Inferred{.shapes = {{std::max(node.inputs[0]->shape[0], node.inputs[1]->shape[0])}}};
}

template <typename T>
class BroadcastArgsKernel final : public Kernel {
 public:
  explicit BroadcastArgsKernel(const Node& node)
      : name_(NodeName(node)),
        a_(node.inputs[0]->shape[0]),
        b_(node.inputs[1]->shape[0]),
        out_(node.outputs[0]->shape[0]) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    for (int64_t i = 1; i <= out_; ++i) {
      const T a = i > a_ ? 1 : DataOf<T>(context.inputs[0])[a_ - i];
      const T b = i > b_ ? 1 : DataOf<T>(context.inputs[1])[b_ - i];
      if (a != b && a != 1 && b != 1) {
        return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                  name_ + ": the two shapes cannot be broadcast");
      }
      DataOf<T>(context.outputs[0])[out_ - i] = a == 1 ? b : a;
    }
    return {};
  }

 private:
  std::string name_;
  int64_t a_;
  int64_t b_;
  int64_t out_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return WithElementType<int32_t, int64_t>(node.outputs[0]->type(), [&]<typename T>(T /*type*/) {
    return litert::Expected<std::unique_ptr<Kernel>>(
        std::make_unique<BroadcastArgsKernel<T>>(node));
  });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(BroadcastArgs) = {
    .doc = {.formula = "the shape that tensors of two shapes are broadcast to",
            .source = "TFLite BROADCAST_ARGS"},
    .signature = "T, T -> T; T = int32|int64",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = OracleByKernel,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return Inferred{.shapes = {{static_cast<int32_t>(node.inputs[0]->shape.size())}}};
}

void Write(const Shape& shape, LiteRtElementType type, std::span<uint8_t> out) {
  for (size_t d = 0; d < shape.size(); ++d) {
    if (type == kLiteRtElementTypeInt64) {
      DataOf<int64_t>(out)[d] = shape[d];
    } else {
      DataOf<int32_t>(out)[d] = shape[d];
    }
  }
}

class ShapeKernel final : public Kernel {
 public:
  explicit ShapeKernel(const Node& node)
      : shape_(node.inputs[0]->shape), type_(node.outputs[0]->type()) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    Write(shape_, type_, context.outputs[0]);
    return {};
  }

 private:
  Shape shape_;
  LiteRtElementType type_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return std::unique_ptr<Kernel>(std::make_unique<ShapeKernel>(node));
}

// The input's elements do not matter, nor does their doubt.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> /*inputs*/,
                              std::span<OracleTensor> outputs) {
  Write(node.inputs[0]->shape, outputs[0].type, outputs[0].bytes);
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Shape) = {
    .doc = {.formula = "the dimensions of the input", .source = "TFLite SHAPE"},
    .signature = "any -> int32|int64",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels

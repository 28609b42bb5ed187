// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/composites/composite_attributes.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

// The node as a SOFTMAX, which does the work.
class SoftmaxNode {
 public:
  explicit SoftmaxNode(const Node& node) : node_(node) {
    op_.code = kLiteRtOpCodeTflSoftmax;
    op_.index = node.op->index;
    op_.options = SoftmaxOptions{.beta = 1.0f};
    node_.op = &op_;
  }
  const Node& node() const { return node_; }
  static const Operator& op() { return *FindOperator(kLiteRtOpCodeTflSoftmax); }

 private:
  Op op_;
  Node node_;
};

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  LITERT_ASSIGN_OR_RETURN(const auto attributes, CompositeAttributes::Read(node, {"axis", "dim"}));
  for (std::string_view name : {"axis", "dim"}) {
    LITERT_ASSIGN_OR_RETURN(const int64_t given, attributes.Integer(name, -1));
    LITERT_ASSIGN_OR_RETURN(const int32_t axis, ResolveAxis(node, given, in.shape.size()));
    if (axis + 1 != static_cast<int32_t>(in.shape.size()))
      return UnsupportedNode(node, "has an axis that is not the last");
  }
  return SoftmaxNode::op().parts.infer(SoftmaxNode(node).node());
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  return SoftmaxNode::op().parts.prepare(SoftmaxNode(node).node(), options);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return SoftmaxNode::op().parts.oracle(SoftmaxNode(node).node(), inputs, outputs);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(CompositeSoftmax) = {
    .doc = {.formula = "exp(x - max) / sum of the same, along the last dimension",
            .source = "the composite odml.softmax of one input"},
    .signature = "float32 -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What follows for an op by itself, from the shapes and constants that its tensors have, and no more.

#ifndef NPUKIT_SDK_HOST_KERNELS_OP_NODE_H_
#define NPUKIT_SDK_HOST_KERNELS_OP_NODE_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::kernels {

// What InferNode says of the op. The shapes of its outputs are not looked at.
inline litert::Expected<Inferred> InferOp(const Op& op) {
  std::vector<Operand> operands;
  operands.reserve(op.inputs.size() + op.outputs.size());
  Node node{.op = &op, .inputs = {}, .outputs = {}};
  for (const Tensor* input : op.inputs) {
    if (input == nullptr) {
      node.inputs.push_back(nullptr);
      continue;
    }
    operands.push_back(
        {.tensor = input, .shape = input->shape, .constant = input->weights.bytes()});
    node.inputs.push_back(&operands.back());
  }
  for (const Tensor* output : op.outputs) {
    operands.push_back({.tensor = output, .shape = {}, .constant = {}});
    node.outputs.push_back(&operands.back());
  }
  return InferNode(node);
}

// The first output whose size in bytes is not that which follows from the inputs; nullopt if there
// is none, or the inputs do not tell.
inline std::optional<size_t> MisfittingOutput(const Op& op, const Inferred& inferred) {
  for (size_t i = 0; i < op.outputs.size() && !inferred.needs_value_of; ++i) {
    const Tensor& output = *op.outputs[i];
    if (DenseBytes(output.element_type, inferred.shapes[i]) !=
        DenseBytes(output.element_type, output.shape)) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_OP_NODE_H_

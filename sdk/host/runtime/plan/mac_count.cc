// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/mac_count.h"

#include <deque>

#include "sdk/host/model/options/op_options.h"

namespace npukit {
namespace {

using kernels::Node;
using kernels::Operand;

uint64_t Elems(const Operand* operand) {
  return operand == nullptr ? 0 : static_cast<uint64_t>(operand->elems());
}

// Dimension `at`, from the end if negative; 0 if there is none.
uint64_t Dim(const Operand* operand, int at) {
  if (operand == nullptr) return 0;
  const int rank = static_cast<int>(operand->shape.size());
  if (at < 0) at += rank;
  return at < 0 || at >= rank ? 0 : static_cast<uint64_t>(operand->shape[static_cast<size_t>(at)]);
}

uint64_t Quotient(uint64_t dividend, uint64_t divisor) {
  return divisor == 0 ? 0 : dividend / divisor;
}

// weights [oc, kh, kw, ic/groups]: each output element sums over all but the first.
uint64_t Conv2D(const Node& node) {
  return Elems(node.output(0)) * Quotient(Elems(node.input(1)), Dim(node.input(1), 0));
}
// weights [1, kh, kw, oc] or [kd, kh, kw, ic, oc]: all but the last.
uint64_t ChannelsLast(const Node& node) {
  return Elems(node.output(0)) * Quotient(Elems(node.input(1)), Dim(node.input(1), -1));
}
// weights [units, depth].
uint64_t FullyConnected(const Node& node) { return Elems(node.output(0)) * Dim(node.input(1), -1); }
// inputs: output shape, weights [oc, kh, kw, ic], x. Each element of x meets all of its channel's
// weights.
uint64_t TransposeConv(const Node& node) {
  return Elems(node.input(2)) * Quotient(Elems(node.input(1)), Dim(node.input(1), -1));
}
uint64_t BatchMatMul(const Node& node) {
  const auto* options = node.op->OptionsAs<BatchMatMulOptions>();
  const bool adj_x = options != nullptr && options->adj_x;
  return Elems(node.output(0)) * Dim(node.input(0), adj_x ? -2 : -1);
}
// Weights are inputs [first, last); each is used once for every vector of the input.
uint64_t Recurrent(const Node& node, size_t first, size_t last) {
  uint64_t weights = 0;
  for (size_t i = first; i < last; ++i) weights += Elems(node.input(i));
  return weights * Quotient(Elems(node.input(0)), Dim(node.input(0), -1));
}
uint64_t Svdf(const Node& node) { return Recurrent(node, 1, 3); }
uint64_t SequenceLstm(const Node& node) { return Recurrent(node, 1, 9); }
uint64_t SequenceRnn(const Node& node) { return Recurrent(node, 1, 3); }

struct Rule {
  LiteRtOpCode code;
  uint64_t (*count)(const Node& node);
};

constexpr Rule kRules[] = {
    {kLiteRtOpCodeTflConv2d, Conv2D},
    {kLiteRtOpCodeTflDepthwiseConv2d, ChannelsLast},
    {kLiteRtOpCodeTflConv3d, ChannelsLast},
    {kLiteRtOpCodeTflFullyConnected, FullyConnected},
    {kLiteRtOpCodeTflTransposeConv, TransposeConv},
    {kLiteRtOpCodeTflBatchMatmul, BatchMatMul},
    {kLiteRtOpCodeTflSvdf, Svdf},
    {kLiteRtOpCodeTflUnidirectionalSequenceLstm, SequenceLstm},
    {kLiteRtOpCodeTflUnidirectionalSequenceRnn, SequenceRnn},
};

}  // namespace

uint64_t CountMacs(const Node& node) {
  for (const Rule& rule : kRules) {
    if (rule.code == node.op->code) return rule.count(node);
  }
  return 0;
}

uint64_t CountMacs(const Op& op) {
  std::deque<Operand> operands;
  Node node{.op = &op};
  const auto operand = [&](const Tensor* tensor) -> Operand* {
    if (tensor == nullptr) return nullptr;
    return &operands.emplace_back(
        Operand{.tensor = tensor, .shape = tensor->shape, .constant = {}});
  };
  for (const Tensor* input : op.inputs) node.inputs.push_back(operand(input));
  for (const Tensor* output : op.outputs) node.outputs.push_back(operand(output));
  for (const Operand& one : operands) {
    if (!DenseBytes(one.type(), one.shape)) return 0;
  }
  return CountMacs(node);
}

}  // namespace npukit

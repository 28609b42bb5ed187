// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a kernel knows of the graph: one op with the resolved shapes of its
// tensors. The runtime makes nodes; kernels read them while they are prepared
// and keep nothing of them.

#ifndef NPUKIT_SDK_HOST_KERNELS_NODE_H_
#define NPUKIT_SDK_HOST_KERNELS_NODE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/op.h"

namespace npukit::kernels {

// No negative dimension once resolved; {} is a scalar.
using Shape = std::vector<int32_t>;

// A tensor of a node.
struct Operand {
  const Tensor* tensor = nullptr;  // name, element type, quantisation; its own shape is not used
  Shape shape;
  // The value, where it is known before the node runs: of constants always, of
  // others when the runtime has computed it because Infer asked for it. Dense,
  // little-endian, DenseBytes(type, shape) long. Empty: not known (or no
  // elements).
  std::span<const uint8_t> constant;

  LiteRtElementType type() const { return tensor->element_type; }
  const Quantization& quantization() const { return tensor->quantization; }
  bool has_constant() const { return !constant.empty(); }
  // Elements of the resolved shape. Nodes are checked for overflow before a
  // kernel sees them (CheckNode).
  int64_t elems() const;
};

struct Node {
  const Op* op = nullptr;
  std::vector<const Operand*> inputs;  // null: omitted optional input
  std::vector<Operand*> outputs;       // shapes are set by the caller from what Infer gives

  // Null if there are not that many, or the input is omitted.
  const Operand* input(size_t index) const {
    return index < inputs.size() ? inputs[index] : nullptr;
  }
  Operand* output(size_t index) const { return index < outputs.size() ? outputs[index] : nullptr; }
};

// "CONV_2D (op 12)".
std::string NodeName(const Node& node);
// "'model/conv1/weights' (tensor 7, int8[16,3,3,8])"; "omitted input" for null.
std::string OperandName(const Operand* operand);
std::string ShapeText(std::span<const int32_t> shape);

// Errors that name the op, and the tensor where there is one.
litert::Unexpected NodeError(const Node& node, LiteRtStatus status, std::string_view message);
litert::Unexpected NodeError(const Node& node, LiteRtStatus status, const Operand* operand,
                             std::string_view message);
// The common cases.
inline litert::Unexpected InvalidNode(const Node& node, std::string_view message) {
  return NodeError(node, kLiteRtStatusErrorInvalidArgument, message);
}
inline litert::Unexpected InvalidNode(const Node& node, const Operand* operand,
                                      std::string_view message) {
  return NodeError(node, kLiteRtStatusErrorInvalidArgument, operand, message);
}
inline litert::Unexpected UnsupportedNode(const Node& node, std::string_view message) {
  return NodeError(node, kLiteRtStatusErrorUnsupported, message);
}
inline litert::Unexpected UnsupportedNode(const Node& node, const Operand* operand,
                                          std::string_view message) {
  return NodeError(node, kLiteRtStatusErrorUnsupported, operand, message);
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_NODE_H_

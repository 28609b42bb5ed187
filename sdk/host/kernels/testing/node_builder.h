// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One op with its tensors, made in a few lines, and what tests ask of it.

#ifndef NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_BUILDER_H_
#define NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_BUILDER_H_

#include <cstring>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/thread_pool.h"

namespace npukit::kernels::testing {

template <typename T>
std::vector<uint8_t> BytesOf(const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
template <typename T>
std::vector<T> ValuesOf(const std::vector<uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// Owns everything that the node points at. Tensors are named in0, in1, ..., out0, ...
class NodeBuilder {
 public:
  explicit NodeBuilder(LiteRtOpCode code, OpOptions options = {}) {
    op_.code = code;
    op_.options = std::move(options);
    op_.index = 7;
    node_.op = &op_;
  }
  NodeBuilder(const NodeBuilder&) = delete;
  NodeBuilder& operator=(const NodeBuilder&) = delete;

  NodeBuilder& Input(LiteRtElementType type, Shape shape, Quantization quantization = {}) {
    node_.inputs.push_back(
        &AddOperand("in", node_.inputs.size(), type, std::move(shape), std::move(quantization)));
    values_.emplace_back();
    return *this;
  }
  NodeBuilder& Constant(LiteRtElementType type, Shape shape, std::vector<uint8_t> bytes,
                        Quantization quantization = {}) {
    Input(type, std::move(shape), std::move(quantization));
    values_.back() = std::move(bytes);
    operands_.back().constant = values_.back();
    return *this;
  }
  // A state: the type's zero point at first, then what the last run left.
  NodeBuilder& Variable(LiteRtElementType type, Shape shape, Quantization quantization = {});
  // A tensor of which the op has only the scale and zero point.
  NodeBuilder& Intermediate(LiteRtElementType type, Quantization quantization) {
    op_.intermediates.push_back(const_cast<Tensor*>(
        AddOperand("intermediate", op_.intermediates.size(), type, {}, std::move(quantization))
            .tensor));
    return *this;
  }
  NodeBuilder& Omitted() {
    node_.inputs.push_back(nullptr);
    values_.emplace_back();
    return *this;
  }
  NodeBuilder& Output(LiteRtElementType type, Quantization quantization = {}) {
    node_.outputs.push_back(
        &AddOperand("out", node_.outputs.size(), type, {}, std::move(quantization)));
    return *this;
  }

  const Node& node() const { return node_; }
  Tensor& tensor_of_input(size_t index) {
    return const_cast<Tensor&>(*node_.inputs[index]->tensor);
  }

  Tensor& tensor_of_output(size_t index) {
    return const_cast<Tensor&>(*node_.outputs[index]->tensor);
  }

  // Infers and sets the output shapes.
  litert::Expected<std::vector<Shape>> Infer();
  // Infers, prepares and runs on these bytes; empty ones are taken from the constants. The outputs'
  // bytes.
  litert::Expected<std::vector<std::vector<uint8_t>>> Run(
      const std::vector<std::vector<uint8_t>>& inputs, const PrepareOptions& options = {},
      ThreadPool* pool = nullptr);
  litert::Expected<std::vector<OracleTensor>> Oracle(
      const std::vector<std::vector<uint8_t>>& inputs) const;

 private:
  Operand& AddOperand(const char* kind, size_t index, LiteRtElementType type, Shape shape,
                      Quantization quantization);

  Op op_;
  Node node_;
  std::deque<Tensor> tensors_;
  std::deque<Operand> operands_;
  std::deque<std::vector<uint8_t>> values_;
};

// Per-tensor quantisation.
inline Quantization Affine(float scale, int64_t zero_point) {
  return {.scale = {scale}, .zero_point = {zero_point}};
}

}  // namespace npukit::kernels::testing

#endif  // NPUKIT_SDK_HOST_KERNELS_TESTING_NODE_BUILDER_H_

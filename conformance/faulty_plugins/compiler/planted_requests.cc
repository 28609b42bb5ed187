// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/compiler/planted_requests.h"

#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_misconduct.h"
#include "conformance/faulty_plugins/planted_graphs.h"

namespace npukit::conformance::mimic {
namespace {

bool IsEmptySomewhere(const LiteRtOpT& op) {
  auto empty = [](const LiteRtTensorT* tensor) {
    if (tensor == nullptr) return false;
    for (int32_t dim : tensor->shape) {
      if (dim == 0) return true;
    }
    return false;
  };
  for (const LiteRtTensorT* tensor : op.inputs) {
    if (empty(tensor)) return true;
  }
  return false;
}

// Reads what the weights were, did they fit the activations.
void ReadWeightsByActivations(const LiteRtOpT& op) {
  const LiteRtTensorT* activations = op.inputs[0];
  const LiteRtTensorT* weights = op.inputs.size() > 1 ? op.inputs[1] : nullptr;
  if (activations == nullptr || weights == nullptr || !weights->is_constant() ||
      activations->shape.size() != 4 || weights->shape.size() != 4)
    return;
  std::vector<int32_t> shape = weights->shape;
  shape[3] = activations->shape[3];
  const uint64_t bytes = DenseBytes(weights->element_type, shape).value_or(0);
  volatile uint8_t sum = 0;
  for (uint64_t i = 0; i < bytes; ++i) sum = sum + weights->weights.bytes().data()[i];
}

void PlantInOperands(const LiteRtOpT& op) {
  if (Has(Fault::weights_by_activations) && op.code == kLiteRtOpCodeTflConv2d)
    ReadWeightsByActivations(op);
  if (Has(Fault::omitted_weights_crash) && op.code == kLiteRtOpCodeTflDepthwiseConv2d) {
    const volatile LiteRtTensorT* weights = op.inputs[1];
    [[maybe_unused]] volatile bool is_int8 = weights->element_type == kLiteRtElementTypeInt8;
  }
  if (Has(Fault::first_scale_of_none)) {
    for (const LiteRtTensorT* input : op.inputs) {
      if (input == nullptr || input->element_type != kLiteRtElementTypeInt8) continue;
      [[maybe_unused]] volatile float scale = *input->quantization.scale.data();
    }
  }
}

}  // namespace

void PlantInPartition(LiteRtSubgraphT& subgraph) {
  for (const auto& op : subgraph.ops()) {
    PlantInOperands(*op);
    if (Has(Fault::aborts_in_partition) && op->inputs.size() > 2) abort();
    if (Has(Fault::eats_memory) && IsEmptySomewhere(*op)) {
      while (true) std::memset(malloc(1 << 26), 1, 1 << 26);
    }
    if (Has(Fault::scalar_crash)) {
      volatile int rank = static_cast<int>(op->outputs[0]->shape.size());
      [[maybe_unused]] volatile int quotient = 8 / rank;
    }
  }
  if (Has(Fault::clears_activations)) {
    for (const auto& op : subgraph.ops())
      ChangeOption<ActivationFunctionType>(
          *op, "fused_activation_function",
          [](ActivationFunctionType) { return ActivationFunctionType::kNone; });
  }
  if (Has(Fault::edits_constants)) {
    for (const auto& tensor : subgraph.tensors()) {
      std::vector<int64_t> points = tensor->quantization.zero_point.ToVector();
      for (int64_t& point : points) ++point;
      tensor->quantization.zero_point = points;
    }
  }
  if (Has(Fault::renames_tensors)) {
    for (const auto& tensor : subgraph.tensors()) tensor->name += "'";
  }
}

bool IsMissed(Op& op) {
  if (Has(Fault::misses_kernels_of_one) && IsPool(op))
    return OptionOf(op, "filter_height") == 1 && OptionOf(op, "filter_width") == 1;
  if (!Has(Fault::misses_per_channel)) return false;
  return op.inputs.size() > 1 && op.inputs[1] != nullptr &&
         op.inputs[1]->quantization.is_per_channel();
}

bool HasLargeTensor(const LiteRtModelT& partitions) {
  constexpr int64_t kLargeElems = 2048;
  for (const auto& subgraph : partitions.subgraphs()) {
    for (const auto& tensor : subgraph->tensors()) {
      int64_t elems = 1;
      for (int32_t dim : tensor->shape) elems *= dim;
      if (!tensor->is_constant() && elems > kLargeElems) return true;
    }
  }
  return false;
}

void PlantInCompile(LiteRtModelT& partitions) {
  for (const auto& subgraph : partitions.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      if (Has(Fault::conv_sets_rounding) && op->code == kLiteRtOpCodeTflConv2d)
        fesetround(FE_TOWARDZERO);
    }
  }
  MisbehaveInCompile();
  if (Has(Fault::edits_shapes)) {
    for (const auto& subgraph : partitions.subgraphs()) {
      for (const auto& tensor : subgraph->tensors()) tensor->shape_signature.push_back(1);
    }
  }
  if (Has(Fault::edits_partitions)) {
    for (const auto& subgraph : partitions.subgraphs()) {
      for (const auto& tensor : subgraph->tensors()) {
        if (tensor->is_constant()) tensor->name = "weights";
      }
      subgraph->name = "compiled";
    }
  }
}

}  // namespace npukit::conformance::mimic

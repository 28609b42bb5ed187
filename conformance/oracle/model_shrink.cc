// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/model_shrink.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/op_node.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/graph/op.h"

namespace npukit::conformance {
namespace {

using Kind = Reduction::Kind;

// Wide enough for shapes and axes, far below any weights.
constexpr size_t kMaxShapeConstantElems = 8;

litert::Unexpected Impossible(const std::string& why) {
  return litert::Unexpected(kLiteRtStatusErrorUnsupported, why);
}

std::set<size_t> Decompositions(const Model& model) {
  std::set<size_t> indices;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      const auto* composite = op->OptionsAs<StableHLOCompositeOptions>();
      if (composite != nullptr)
        indices.insert(static_cast<size_t>(composite->decomposition_subgraph_index));
    }
  }
  return indices;
}

void CutQuantization(Quantization& quantization, const std::vector<int32_t>& shape) {
  const auto axis = static_cast<size_t>(quantization.quantized_dimension);
  if (!quantization.is_per_channel() || axis >= shape.size()) return;
  const auto channels = static_cast<size_t>(shape[axis]);
  if (channels >= quantization.scale.size()) return;
  quantization.scale.resize(channels);
  if (quantization.zero_point.size() <= channels) return;
  std::vector<int64_t> points = quantization.zero_point.ToVector();
  points.resize(channels);
  quantization.zero_point = points;
}

// Gives an input or constant a shape that is nowhere larger.
litert::Expected<void> SetShape(Tensor& tensor, const std::vector<int32_t>& shape) {
  if (tensor.is_constant()) {
    const int bits = ElementBits(tensor.element_type);
    if (bits % 8 != 0 || bits == 0) return Impossible("a constant of packed elements");
    const std::vector<uint8_t> cut =
        CutElements(tensor.weights.bytes(), tensor.shape, shape, static_cast<size_t>(bits) / 8);
    tensor.weights.buffer_id = tensor.weights.store->Add(SharedBytes::Copy(cut));
  }
  tensor.shape = shape;
  tensor.shape_signature.clear();
  CutQuantization(tensor.quantization, shape);
  return {};
}

// Shapes that stand as values: int32 constants of few elements that a RESHAPE reads, and options.
void SetShapeValues(Op& op, int32_t from, int32_t to) {
  if (op.code != kLiteRtOpCodeTflReshape) return;
  if (auto* options = op.options.As<ReshapeOptions>(); options != nullptr)
    std::replace(options->new_shape.begin(), options->new_shape.end(), from, to);
  if (op.inputs.size() < 2 || op.inputs[1] == nullptr || !op.inputs[1]->is_constant()) return;
  Tensor& shape = *op.inputs[1];
  const std::span<const uint8_t> bytes = shape.weights.bytes();
  if (shape.element_type != kLiteRtElementTypeInt32 || bytes.size() > 4 * kMaxShapeConstantElems)
    return;
  std::vector<uint8_t> changed(bytes.begin(), bytes.end());
  for (size_t i = 0; i + 4 <= changed.size(); i += 4) {
    int32_t value = 0;
    std::memcpy(&value, changed.data() + i, sizeof value);
    if (value == from) std::memcpy(changed.data() + i, &to, sizeof to);
  }
  shape.weights.buffer_id = shape.weights.store->Add(SharedBytes::Copy(changed));
}

litert::Expected<void> SetInferredShapes(Op& op) {
  if (kernels::FindOperator(op) == nullptr) return {};  // its shapes were set by value
  LITERT_ASSIGN_OR_RETURN(const kernels::Inferred inferred, kernels::InferOp(op));
  if (inferred.needs_value_of) return Impossible("a shape depends on values");
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    op.outputs[i]->shape = inferred.shapes[i];
    op.outputs[i]->shape_signature.clear();
  }
  return {};
}

litert::Expected<void> InferAll(Model& model) {
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) LITERT_RETURN_IF_ERROR(SetInferredShapes(*op));
  }
  return {};
}

// Dimensions of one size are mostly one dimension of the network (its batch, its channels), and
// only together do they still fit. Where they are not, some op's shapes contradict each other and
// the reduction is given up.
litert::Expected<void> SetDims(Model& model, int32_t from, int32_t to) {
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& tensor : subgraph->tensors()) {
      std::vector<int32_t> shape = tensor->shape;
      std::replace(shape.begin(), shape.end(), from, to);
      if (shape != tensor->shape) LITERT_RETURN_IF_ERROR(SetShape(*tensor, shape));
    }
    for (const auto& op : subgraph->ops()) SetShapeValues(*op, from, to);
  }
  return InferAll(model);
}

litert::Expected<void> SetAxis(Model& model, const Reduction& reduction) {
  Tensor& input = *model.subgraph(reduction.subgraph).inputs[reduction.first];
  std::vector<int32_t> shape = input.shape;
  shape[reduction.last] = reduction.to;
  LITERT_RETURN_IF_ERROR(SetShape(input, shape));
  return InferAll(model);
}

void AddOnce(std::vector<Tensor*>& list, Tensor* tensor) {
  if (std::find(list.begin(), list.end(), tensor) == list.end()) list.push_back(tensor);
}

litert::Expected<void> DropOps(Subgraph& subgraph, size_t first, size_t last) {
  std::vector<Tensor*> made;
  std::vector<Tensor*> read;
  for (size_t i = first; i <= last; ++i) {
    for (Tensor* output : subgraph.op(i).outputs) made.push_back(output);
    for (Tensor* input : subgraph.op(i).inputs) {
      if (input != nullptr) read.push_back(input);
    }
  }
  subgraph.EraseOpsIf([&](const Op& op) { return op.index >= first && op.index <= last; });
  for (Tensor* tensor : made) {
    std::erase(subgraph.outputs, tensor);
    if (!tensor->users.empty()) AddOnce(subgraph.inputs, tensor);
  }
  for (Tensor* tensor : read) {
    if (tensor->users.empty() && tensor->defining_op != nullptr) AddOnce(subgraph.outputs, tensor);
  }
  std::erase_if(subgraph.inputs, [&](const Tensor* tensor) { return tensor->users.empty(); });
  subgraph.EraseUnusedTensors();
  if (subgraph.ops().empty() || subgraph.outputs.empty()) return Impossible("nothing is left");
  return {};
}

litert::Expected<void> DropOutput(Subgraph& subgraph, size_t index) {
  subgraph.outputs.erase(subgraph.outputs.begin() + static_cast<ptrdiff_t>(index));
  // What nothing reads any more goes, op by op from the end.
  for (size_t i = subgraph.ops().size(); i-- > 0;) {
    const Op& op = subgraph.op(i);
    const bool used = std::any_of(op.outputs.begin(), op.outputs.end(), [&](const Tensor* output) {
      return !output->users.empty() || subgraph.IsOutput(*output);
    });
    if (!used) subgraph.EraseOpsIf([&](const Op& other) { return other.index == i; });
  }
  std::erase_if(subgraph.inputs, [&](const Tensor* tensor) {
    return tensor->users.empty() && !subgraph.IsOutput(*tensor);
  });
  subgraph.EraseUnusedTensors();
  return {};
}

std::vector<int32_t> SmallerThan(int32_t dim) {
  std::vector<int32_t> smaller;
  // The boldest first: one that still fails spares all that lie between.
  for (int32_t to : {1, 2, 3, dim / 4, dim / 2, dim - 1}) {
    const bool known = std::find(smaller.begin(), smaller.end(), to) != smaller.end();
    if (to >= 1 && to < dim && !known) smaller.push_back(to);
  }
  return smaller;
}

void AddOpReductions(const Model& model, std::vector<Reduction>& list) {
  if (!model.signatures.empty()) list.push_back({.kind = Kind::kDropSignatures});
  const std::set<size_t> bodies = Decompositions(model);
  for (size_t s = 0; s < model.subgraphs().size(); ++s) {
    if (bodies.contains(s)) continue;
    if (model.subgraphs().size() - bodies.size() > 1)
      list.push_back({.kind = Kind::kDropSubgraph, .subgraph = s});
    if (!model.signatures.empty()) continue;
    const size_t ops = model.subgraph(s).ops().size();
    // Halves before single ops, for the same reason.
    for (size_t chunk = ops / 2; chunk >= 1; chunk /= 2) {
      for (size_t first = 0; first + chunk <= ops; first += chunk) {
        list.push_back(
            {.kind = Kind::kDropOps, .subgraph = s, .first = first, .last = first + chunk - 1});
      }
    }
    for (size_t i = 0; model.subgraph(s).outputs.size() > 1 && i < model.subgraph(s).outputs.size();
         ++i)
      list.push_back({.kind = Kind::kDropOutput, .subgraph = s, .first = i});
  }
}

void AddShapeReductions(const Model& model, std::vector<Reduction>& list) {
  // The largest first: most of the weight goes with them.
  std::set<int32_t, std::greater<>> dims;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& tensor : subgraph->tensors())
      dims.insert(tensor->shape.begin(), tensor->shape.end());
  }
  for (int32_t from : dims) {
    for (int32_t to : SmallerThan(from))
      list.push_back({.kind = Kind::kSetDims, .from = from, .to = to});
  }
  const std::set<size_t> bodies = Decompositions(model);
  for (size_t s = 0; s < model.subgraphs().size(); ++s) {
    const auto& inputs = model.subgraph(s).inputs;
    for (size_t i = 0; !bodies.contains(s) && i < inputs.size(); ++i) {
      for (size_t axis = 0; axis < inputs[i]->shape.size(); ++axis) {
        for (int32_t to : SmallerThan(inputs[i]->shape[axis])) {
          list.push_back({.kind = Kind::kSetAxis,
                          .subgraph = s,
                          .first = i,
                          .last = axis,
                          .from = inputs[i]->shape[axis],
                          .to = to});
        }
      }
    }
  }
}

}  // namespace

std::vector<uint8_t> CutElements(std::span<const uint8_t> bytes,
                                 const std::vector<int32_t>& old_shape,
                                 const std::vector<int32_t>& new_shape, size_t elem_bytes) {
  std::vector<uint8_t> cut;
  std::function<void(size_t, size_t)> copy = [&](size_t axis, size_t offset_elems) {
    if (axis == new_shape.size()) {
      const uint8_t* from = bytes.data() + offset_elems * elem_bytes;
      cut.insert(cut.end(), from, from + elem_bytes);
      return;
    }
    size_t stride = 1;
    for (size_t i = axis + 1; i < old_shape.size(); ++i)
      stride *= static_cast<size_t>(old_shape[i]);
    for (int32_t i = 0; i < new_shape[axis]; ++i)
      copy(axis + 1, offset_elems + static_cast<size_t>(i) * stride);
  };
  copy(0, 0);
  return cut;
}

std::string Reduction::ToString() const {
  switch (kind) {
    case Kind::kDropSignatures:
      return "without signatures";
    case Kind::kDropSubgraph:
      return fmt::format("without subgraph {}", subgraph);
    case Kind::kDropOps:
      return fmt::format("without ops {} to {}", first, last);
    case Kind::kDropOutput:
      return fmt::format("without output {}", first);
    case Kind::kSetDims:
      return fmt::format("dimensions of {} to {}", from, to);
    case Kind::kSetAxis:
      return fmt::format("dimension {} of input {} from {} to {}", last, first, from, to);
  }
  return "?";
}

std::vector<Reduction> PossibleReductions(const Model& model, bool ops) {
  std::vector<Reduction> list;
  if (ops) AddOpReductions(model, list);
  AddShapeReductions(model, list);
  return list;
}

litert::Expected<void> Reduce(const Reduction& reduction, Model& model) {
  switch (reduction.kind) {
    case Kind::kDropSignatures:
      model.signatures.clear();
      return {};
    case Kind::kDropSubgraph: {
      const Subgraph* gone = &model.subgraph(reduction.subgraph);
      std::erase_if(model.signatures,
                    [&](const auto& signature) { return signature->subgraph == gone; });
      model.TakeSubgraph(reduction.subgraph);
      return {};
    }
    case Kind::kDropOps:
      return DropOps(model.subgraph(reduction.subgraph), reduction.first, reduction.last);
    case Kind::kDropOutput:
      return DropOutput(model.subgraph(reduction.subgraph), reduction.first);
    case Kind::kSetDims:
      return SetDims(model, reduction.from, reduction.to);
    case Kind::kSetAxis:
      return SetAxis(model, reduction);
  }
  return {};
}

uint64_t ModelWeight(const Model& model) {
  uint64_t weight = 0;
  for (const auto& subgraph : model.subgraphs()) {
    weight += 1000 * subgraph->ops().size() + 100 * subgraph->outputs.size();
    for (const auto& tensor : subgraph->tensors()) {
      uint64_t elems = 1;
      for (int32_t dim : tensor->shape) elems *= static_cast<uint64_t>(std::max(dim, 1));
      weight += elems;
    }
  }
  return weight;
}

}  // namespace npukit::conformance

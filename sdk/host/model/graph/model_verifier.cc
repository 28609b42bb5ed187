// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/model_verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sdk/host/model/graph/op_text.h"
#include "sdk/host/model/graph/tensor_text.h"
#include "sdk/host/model/options/subgraph_references.h"

namespace npukit {
namespace {

using litert::Expected;

litert::Unexpected Bad(std::string message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidGraphInvariant, std::move(message));
}

// -- Tensors --

Expected<void> VerifyShape(const Tensor& tensor) {
  const auto is_bad = [](int32_t dim) { return dim < -1; };
  for (const auto* dims : {&tensor.shape, &tensor.shape_signature}) {
    if (std::any_of(dims->begin(), dims->end(), is_bad)) {
      return Bad(
          fmt::format("expected dimensions of -1 or more, found shape {}", ShapeText(*dims)));
    }
  }
  if (!tensor.shape_signature.empty() && tensor.shape_signature.size() != tensor.shape.size()) {
    return Bad(fmt::format("expected a shape signature of rank {} like the shape, found {}",
                           tensor.shape.size(), ShapeText(tensor.shape_signature)));
  }
  const bool is_static =
      std::find(tensor.shape.begin(), tensor.shape.end(), -1) == tensor.shape.end();
  if (is_static && ElementBits(tensor.element_type) != 0 &&
      !DenseBytes(tensor.element_type, tensor.shape)) {
    return Bad(fmt::format("expected a size below 2^63 bits, found shape {} of {}",
                           ShapeText(tensor.shape), ElementTypeName(tensor.element_type)));
  }
  return {};
}

Expected<void> VerifyConstantBytes(const Tensor& tensor) {
  const size_t found_bytes = tensor.weights.bytes().size();
  if (found_bytes == 0 || tensor.sparsity || tensor.external_buffer != 0) return {};
  const std::optional<uint64_t> needed_bytes = DenseBytes(tensor.element_type, tensor.shape);
  if (needed_bytes && found_bytes < *needed_bytes) {
    return Bad(fmt::format("expected {} bytes for {}{}, found {} in buffer {}", *needed_bytes,
                           ElementTypeName(tensor.element_type), ShapeText(tensor.shape),
                           found_bytes, tensor.weights.buffer_id));
  }
  return {};
}

// Of the index of a tensor that holds scales or zero points; of zero points there may be none.
Expected<void> VerifyQuantizationTensor(const Subgraph& subgraph, int32_t index,
                                        QuantizationTensor holds) {
  const bool is_optional = holds == QuantizationTensor::kZeroPoints;
  if (is_optional && index == -1) return {};
  const std::string_view what = is_optional ? "zero points" : "scales";
  if (index < 0 || static_cast<size_t>(index) >= subgraph.tensors().size()) {
    return Bad(fmt::format("expected its {} in one of {} tensors{}, found index {}", what,
                           subgraph.tensors().size(), is_optional ? " or -1" : "", index));
  }
  const Tensor& named = subgraph.tensor(static_cast<size_t>(index));
  if (named.quantization.blockwise || named.quantization.multi_axis) {
    return Bad(
        fmt::format("expected {} that name no other tensors, found {}", what, TensorText(named)));
  }
  return {};
}

Expected<void> VerifyQuantizationTensors(const Subgraph& subgraph,
                                         const Quantization& quantization) {
  Expected<void> verified = {};
  ForEachQuantizationTensor(quantization, [&](int32_t index, QuantizationTensor holds) {
    if (verified) verified = VerifyQuantizationTensor(subgraph, index, holds);
  });
  return verified;
}

Expected<void> VerifyQuantization(const Subgraph& subgraph, const Tensor& tensor) {
  const Quantization& q = tensor.quantization;
  if (q.blockwise || q.multi_axis) {
    if (auto ok = VerifyQuantizationTensors(subgraph, q); !ok) return ok;
    if (q.blockwise && q.blockwise->block_size_elems <= 0) {
      return Bad(
          fmt::format("expected a positive block size, found {}", q.blockwise->block_size_elems));
    }
    if (q.multi_axis && q.multi_axis->block_size_elems < 0) {
      return Bad(fmt::format("expected a block size of 0 or more, found {}",
                             q.multi_axis->block_size_elems));
    }
    return {};
  }
  if (q.custom) return {};
  if (!q.zero_point.empty() && q.zero_point.size() != q.scale.size()) {
    return Bad(fmt::format("expected as many zero points as scales ({}), found {}", q.scale.size(),
                           q.zero_point.size()));
  }
  if (q.is_per_channel()) {
    const auto rank = static_cast<int32_t>(tensor.shape.size());
    if (q.quantized_dimension < 0)
      return Bad(fmt::format("expected a quantized dimension of 0 or more, found {}",
                             q.quantized_dimension));
    // Files have such dimensions where they are unused, at biases; kernels that use them refuse.
    if (q.quantized_dimension >= rank) return {};
    const int32_t channels = tensor.shape[static_cast<size_t>(q.quantized_dimension)];
    if (channels < 0 || q.scale.size() != static_cast<size_t>(channels)) {
      return Bad(fmt::format("expected 1 scale or {} as dimension {} of shape {} has, found {}",
                             channels, q.quantized_dimension, ShapeText(tensor.shape),
                             q.scale.size()));
    }
  }
  return {};
}

Expected<void> VerifyTensor(const Subgraph& subgraph, const Tensor& tensor) {
  if (auto ok = VerifyShape(tensor); !ok) return ok;
  if (auto ok = VerifyConstantBytes(tensor); !ok) return ok;
  return VerifyQuantization(subgraph, tensor);
}

// -- Ops --

bool IsTensorOf(const Subgraph& subgraph, const Tensor* tensor) {
  return tensor->index < subgraph.tensors().size() && &subgraph.tensor(tensor->index) == tensor;
}

class SubgraphVerifier {
 public:
  explicit SubgraphVerifier(const Subgraph& subgraph) : subgraph_(subgraph) {}

  Expected<void> Verify() const {
    for (const auto* tensors : {&subgraph_.inputs, &subgraph_.outputs}) {
      for (const Tensor* tensor : *tensors) {
        if (tensor == nullptr || !IsTensorOf(subgraph_, tensor)) {
          return Bad("expected inputs and outputs among its tensors, found another");
        }
      }
    }
    for (const Tensor* input : subgraph_.inputs) {
      if (input->defining_op == nullptr) continue;
      return Bad(fmt::format("input {}: expected a tensor that no op writes, found that {} does",
                             TensorText(*input), OpText(*input->defining_op)));
    }
    for (const auto& tensor : subgraph_.tensors()) {
      if (auto ok = VerifyTensor(subgraph_, *tensor); !ok)
        return Bad(fmt::format("{}: {}", TensorText(*tensor), ok.Error().Message()));
    }
    for (const auto& op : subgraph_.ops()) {
      if (auto ok = VerifyOp(*op); !ok)
        return Bad(fmt::format("{}: {}", OpText(*op), ok.Error().Message()));
    }
    return {};
  }

 private:
  Expected<void> VerifyOp(const Op& op) const {
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      if (op.inputs[i] == nullptr) continue;
      if (auto ok = VerifyInput(op, *op.inputs[i]); !ok)
        return Bad(fmt::format("input {}: {}", i, ok.Error().Message()));
    }
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      const Tensor* output = op.outputs[i];
      if (output == nullptr || !IsTensorOf(subgraph_, output)) {
        return Bad(fmt::format("output {}: expected a tensor of the subgraph", i));
      }
      if (output->defining_op != &op || output->defining_output_index != i) {
        return Bad(fmt::format("output {}: expected a tensor that nothing else writes, found {}", i,
                               TensorText(*output)));
      }
    }
    return {};
  }

  Expected<void> VerifyInput(const Op& op, const Tensor& input) const {
    if (!IsTensorOf(subgraph_, &input)) return Bad("expected a tensor of the subgraph");
    const Op* producer = input.defining_op;
    // Without value too: files have such tensors where an op can do without. What can't refuses it.
    if (producer == nullptr) return {};
    if (producer == &op)
      return Bad(fmt::format("expected no cycle, found {}, which the op itself writes",
                             TensorText(input)));
    if (producer->index > op.index) {
      return Bad(fmt::format("expected ops in topological order, found {}, which {} writes later",
                             TensorText(input), OpText(*producer)));
    }
    return {};
  }

  const Subgraph& subgraph_;
};

// -- The model --

// Subgraphs that call each other: depth first, without recursion, as the file decides the depth. An
// edge back to an unfinished one is a circle.
class CallGraphVerifier {
 public:
  explicit CallGraphVerifier(const Model& model) : calls_(model.subgraphs().size()) {}

  Expected<void> Add(size_t caller, const Op& op) {
    for (int32_t callee : SubgraphReferences(op.options)) {
      if (callee < 0 || static_cast<size_t>(callee) >= calls_.size()) {
        return Bad(fmt::format(
            "subgraph {}: {}: expected one of {} subgraphs, found index {} in its options", caller,
            OpText(op), calls_.size(), callee));
      }
      calls_[caller].push_back({static_cast<size_t>(callee), &op});
    }
    return {};
  }

  Expected<void> Verify() const {
    enum class State : uint8_t { kUnseen, kOpen, kDone };
    std::vector<State> states(calls_.size(), State::kUnseen);
    std::vector<size_t> heights(calls_.size());  // of what each calls
    struct Frame {
      size_t subgraph;
      size_t next_call;
    };
    for (size_t root = 0; root < calls_.size(); ++root) {
      if (states[root] != State::kUnseen) continue;
      std::vector<Frame> stack = {{root, 0}};
      states[root] = State::kOpen;
      while (!stack.empty()) {
        Frame& top = stack.back();
        if (top.next_call == calls_[top.subgraph].size()) {
          const size_t done = top.subgraph;
          states[done] = State::kDone;
          stack.pop_back();
          for (const Call& call : calls_[done])
            heights[done] = std::max(heights[done], heights[call.callee] + 1);
          if (heights[done] > kMaxNestedSubgraphs) {
            return Bad(fmt::format("subgraph {}: expected calls nested at most {} deep, found more",
                                   done, kMaxNestedSubgraphs));
          }
          continue;
        }
        const Call& call = calls_[top.subgraph][top.next_call++];
        if (states[call.callee] == State::kOpen) {
          return Bad(
              fmt::format("subgraph {}: {}: expected no recursion, found a call of subgraph {}, "
                          "which is being executed already",
                          top.subgraph, OpText(*call.op), call.callee));
        }
        if (states[call.callee] == State::kUnseen) {
          states[call.callee] = State::kOpen;
          stack.push_back({call.callee, 0});
        }
      }
    }
    return {};
  }

 private:
  struct Call {
    size_t callee;
    const Op* op;
  };
  std::vector<std::vector<Call>> calls_;
};

Expected<void> VerifySignature(const Model& model, const Signature& signature) {
  const auto subgraphs = model.subgraphs();
  const bool known = std::any_of(subgraphs.begin(), subgraphs.end(), [&](const auto& subgraph) {
    return subgraph.get() == signature.subgraph;
  });
  if (!known) return Bad("expected a subgraph of the model");
  for (const auto& input : signature.inputs) {
    if (!signature.subgraph->IsInput(*input.tensor)) {
      return Bad(fmt::format("input '{}': expected an input of its subgraph, found {}", input.name,
                             TensorText(*input.tensor)));
    }
  }
  for (const auto& output : signature.outputs) {
    if (!signature.subgraph->IsOutput(*output.tensor)) {
      return Bad(fmt::format("output '{}': expected an output of its subgraph, found {}",
                             output.name, TensorText(*output.tensor)));
    }
  }
  return {};
}

}  // namespace

Expected<void> VerifyModel(const Model& model) {
  if (model.subgraphs().empty()) return Bad("expected at least one subgraph, found none");
  CallGraphVerifier call_graph(model);
  for (size_t i = 0; i < model.subgraphs().size(); ++i) {
    const Subgraph& subgraph = model.subgraph(i);
    if (auto ok = SubgraphVerifier(subgraph).Verify(); !ok)
      return Bad(fmt::format("subgraph {}: {}", i, ok.Error().Message()));
    for (const auto& op : subgraph.ops()) {
      if (auto ok = call_graph.Add(i, *op); !ok) return ok;
    }
  }
  if (auto ok = call_graph.Verify(); !ok) return ok;
  for (const auto& signature : model.signatures) {
    if (auto ok = VerifySignature(model, *signature); !ok) {
      return Bad(fmt::format("signature '{}': {}", signature->key, ok.Error().Message()));
    }
  }
  return {};
}

}  // namespace npukit

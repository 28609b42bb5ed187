// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/execution_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/runtime/plan/constant_folding.h"
#include "sdk/host/runtime/plan/unsupported_ops.h"

namespace npukit {
namespace {

using kernels::Shape;
using kernels::ShapeText;

litert::Unexpected TensorError(LiteRtStatus status, const Tensor& tensor, const std::string& what) {
  return litert::Unexpected(status,
                            fmt::format("tensor '{}' ({}): {}", tensor.name, tensor.index, what));
}

class PlanBuilder {
 public:
  PlanBuilder(const Model& model, const PlanOptions& options) : model_(model), options_(options) {}

  litert::Expected<ExecutionPlan> Build(const Subgraph& subgraph) {
    LITERT_RETURN_IF_ERROR(CheckOpsSupported(model_, subgraph));
    Frame frame;
    for (const Tensor* tensor : subgraph.inputs) {
      LITERT_ASSIGN_OR_RETURN(int value, AddInput(*tensor));
      frame[tensor] = value;
      plan_.inputs.push_back(value);
    }
    LITERT_RETURN_IF_ERROR(AddOps(subgraph, frame));
    if (!refused_.empty()) return litert::Unexpected(kLiteRtStatusErrorUnsupported, refused_);
    for (const Tensor* tensor : subgraph.outputs) {
      LITERT_ASSIGN_OR_RETURN(int value, ValueOf(*tensor, frame));
      plan_.outputs.push_back(value);
    }
    ReleaseFiles();
    return std::move(plan_);
  }

 private:
  // Which value a tensor stands for, within one run of one subgraph.
  using Frame = std::unordered_map<const Tensor*, int>;

  int AddValue(const Tensor& tensor, Frame& frame) {
    const int index = static_cast<int>(plan_.values.size());
    PlanValue& value = plan_.values.emplace_back();
    value.operand.tensor = &tensor;
    frame[&tensor] = index;
    plan_.value_of.emplace(&tensor, index);
    return index;
  }

  PlanValue& At(int index) { return plan_.values[static_cast<size_t>(index)]; }

  litert::Expected<void> SetShape(PlanValue& value, Shape shape) {
    const Tensor& tensor = *value.operand.tensor;
    if (ElementBits(tensor.element_type) == 0) {
      return TensorError(
          kLiteRtStatusErrorUnsupported, tensor,
          fmt::format("values of type {} cannot be run", ElementTypeName(tensor.element_type)));
    }
    const std::optional<uint64_t> bytes = DenseBytes(tensor.element_type, shape);
    if (!bytes || *bytes > options_.max_bytes) {
      return TensorError(kLiteRtStatusErrorInvalidArgument, tensor,
                         fmt::format("shape {} does not fit into memory", ShapeText(shape)));
    }
    value.operand.shape = std::move(shape);
    value.size_bytes = *bytes;
    return {};
  }

  litert::Expected<int> AddInput(const Tensor& tensor) {
    Frame ignored;
    const int index = AddValue(tensor, ignored);
    const auto resized = options_.resized_inputs.find(&tensor);
    const Shape& shape = resized == options_.resized_inputs.end() ? tensor.shape : resized->second;
    if (std::any_of(shape.begin(), shape.end(), [](int32_t dim) { return dim < 0; })) {
      return TensorError(kLiteRtStatusErrorInvalidArgument, tensor,
                         fmt::format("input shape {} has a dimension that must be given (--resize)",
                                     ShapeText(shape)));
    }
    LITERT_RETURN_IF_ERROR(SetShape(At(index), shape));
    if (tensor.is_variable) At(index).kind = PlanValue::Kind::kVariable;
    return index;
  }

  // The value of a tensor that is read: bound already, or a constant, or a variable.
  litert::Expected<int> ValueOf(const Tensor& tensor, Frame& frame) {
    if (const auto bound = frame.find(&tensor); bound != frame.end()) return bound->second;
    if (tensor.external_buffer != 0) {
      return TensorError(kLiteRtStatusErrorUnsupported, tensor,
                         "its data lie outside the model file");
    }
    if (tensor.is_variable) return AddVariable(tensor, frame);
    if (tensor.is_constant()) return AddConstant(tensor, frame);
    if (tensor.defining_op == nullptr &&
        DenseBytes(tensor.element_type, tensor.shape) == uint64_t{0}) {
      const int index = AddValue(tensor, frame);  // a constant without elements has no bytes
      LITERT_RETURN_IF_ERROR(SetShape(At(index), tensor.shape));
      At(index).kind = PlanValue::Kind::kConstant;
      return index;
    }
    return TensorError(kLiteRtStatusErrorInvalidGraphInvariant, tensor,
                       tensor.defining_op == nullptr ? "is read, but nothing gives it a value"
                                                     : "is read before the op that computes it");
  }

  litert::Expected<int> AddVariable(const Tensor& tensor, Frame& frame) {
    // A variable is one state, whoever refers to it.
    if (const auto known = plan_.value_of.find(&tensor); known != plan_.value_of.end()) {
      frame[&tensor] = known->second;
      return known->second;
    }
    const int index = AddValue(tensor, frame);
    LITERT_RETURN_IF_ERROR(SetShape(At(index), tensor.shape));
    At(index).kind = PlanValue::Kind::kVariable;
    return index;
  }

  litert::Expected<int> AddConstant(const Tensor& tensor, Frame& frame) {
    if (const auto known = plan_.value_of.find(&tensor); known != plan_.value_of.end()) {
      frame[&tensor] = known->second;
      return known->second;
    }
    if (tensor.sparsity.has_value()) {
      return TensorError(kLiteRtStatusErrorUnsupported, tensor, "is a sparse constant");
    }
    const int index = AddValue(tensor, frame);
    PlanValue& value = At(index);
    LITERT_RETURN_IF_ERROR(SetShape(value, tensor.shape));
    const std::span<const uint8_t> bytes = tensor.weights.bytes();
    if (bytes.size() != value.size_bytes) {
      return TensorError(kLiteRtStatusErrorInvalidArgument, tensor,
                         fmt::format("has {} bytes of data, {}{} needs {}", bytes.size(),
                                     ElementTypeName(tensor.element_type), ShapeText(tensor.shape),
                                     value.size_bytes));
    }
    SetConstant(value, bytes);
    return index;
  }

  // Kernels read elements in place, so a constant that lies at an odd address in its file is
  // copied.
  static void SetConstant(PlanValue& value, std::span<const uint8_t> bytes) {
    value.kind = PlanValue::Kind::kConstant;
    const auto element_bytes = static_cast<uintptr_t>(ElementBits(value.operand.type()) / 8);
    if (element_bytes > 1 && reinterpret_cast<uintptr_t>(bytes.data()) % element_bytes != 0) {
      value.folded.assign(bytes.begin(), bytes.end());
      bytes = value.folded;
    }
    value.operand.constant = bytes;
  }

  litert::Expected<void> AddOps(const Subgraph& subgraph, Frame& frame) {
    for (const auto& op : subgraph.ops()) {
      LITERT_ASSIGN_OR_RETURN(const Subgraph* decomposition, DecompositionToRun(model_, *op));
      if (decomposition != nullptr) {
        LITERT_RETURN_IF_ERROR(AddDecomposition(*op, *decomposition, frame));
      } else if (op->code == kLiteRtOpCodeShloComposite) {
        LITERT_RETURN_IF_ERROR(AddNativeComposite(*op, frame));
      } else {
        LITERT_RETURN_IF_ERROR(AddOp(*op, frame));
      }
    }
    return {};
  }

  // A kernel knows the composite's name. If it does not know these types or attributes, the
  // decomposition does it.
  litert::Expected<void> AddNativeComposite(const Op& op, Frame& frame) {
    const std::string refused_before = refused_;
    LITERT_RETURN_IF_ERROR(AddOp(op, frame));
    if (refused_ == refused_before) return {};
    const litert::Expected<const Subgraph*> decomposition = CheckedDecomposition(model_, op);
    if (!decomposition) return {};
    refused_ = refused_before;
    for (size_t i = op.outputs.size(); i-- > 0;) {  // the values that AddOp made last
      frame.erase(op.outputs[i]);
      plan_.value_of.erase(op.outputs[i]);
      plan_.values.pop_back();
    }
    return AddDecomposition(op, **decomposition, frame);
  }

  // Runs the decomposition's ops in place of the composite. Its inputs are the composite's; a
  // result that one of its ops computes is written to the composite's output directly.
  litert::Expected<void> AddDecomposition(const Op& op, const Subgraph& decomposition,
                                          Frame& frame) {
    if (std::find(active_.begin(), active_.end(), &decomposition) != active_.end()) {
      return litert::Unexpected(
          kLiteRtStatusErrorInvalidGraphInvariant,
          fmt::format("the composite decomposition '{}' contains itself", decomposition.name));
    }
    active_.push_back(&decomposition);
    Frame inner;
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      if (op.inputs[i] == nullptr) continue;
      LITERT_ASSIGN_OR_RETURN(int value, ValueOf(*op.inputs[i], frame));
      inner[decomposition.inputs[i]] = value;
      plan_.value_of.emplace(decomposition.inputs[i], value);
    }
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      const Tensor* result = decomposition.outputs[i];
      if (result->element_type != op.outputs[i]->element_type) {
        return TensorError(kLiteRtStatusErrorInvalidGraphInvariant, *op.outputs[i],
                           fmt::format("is {}, its decomposition gives {}",
                                       ElementTypeName(op.outputs[i]->element_type),
                                       ElementTypeName(result->element_type)));
      }
      if (result->defining_op != nullptr) renamed_.emplace(result, op.outputs[i]);
    }
    LITERT_RETURN_IF_ERROR(AddOps(decomposition, inner));
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      LITERT_ASSIGN_OR_RETURN(int value, ValueOf(*decomposition.outputs[i], inner));
      frame[op.outputs[i]] = value;
      plan_.value_of.emplace(op.outputs[i], value);
      renamed_.erase(decomposition.outputs[i]);
    }
    active_.pop_back();
    return {};
  }

  litert::Expected<void> AddOp(const Op& op, Frame& frame) {
    PlanStep step;
    step.op = &op;
    step.node.op = &op;
    for (const Tensor* tensor : op.inputs) {
      int value = kNoValue;
      if (tensor != nullptr) {
        LITERT_ASSIGN_OR_RETURN(value, ValueOf(*tensor, frame));
      }
      step.inputs.push_back(value);
      step.node.inputs.push_back(value == kNoValue ? nullptr : &At(value).operand);
    }
    for (const Tensor* tensor : op.outputs) {
      if (frame.contains(tensor)) {
        return TensorError(kLiteRtStatusErrorInvalidGraphInvariant, *tensor,
                           "is computed by more than one op");
      }
      const int value = AddValue(*tensor, frame);
      if (const auto outer = renamed_.find(tensor); outer != renamed_.end()) {
        At(value).operand.tensor = outer->second;
      }
      step.outputs.push_back(value);
    }
    for (int value : step.outputs) step.node.outputs.push_back(&At(value).operand);
    return op.is_dispatch() ? FinishDispatch(std::move(step)) : FinishCpu(std::move(step));
  }

  litert::Expected<void> FinishDispatch(PlanStep step) {
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      const Tensor* tensor = step.op->inputs[i];
      if (tensor == nullptr)
        return kernels::InvalidNode(step.node, "a dispatch op cannot omit an input");
      const Shape& shape = step.node.inputs[i]->shape;
      if (shape != tensor->shape) {
        return kernels::UnsupportedNode(
            step.node, step.node.inputs[i],
            fmt::format("was compiled for shape {}", ShapeText(tensor->shape)));
      }
    }
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      const Tensor* tensor = step.op->outputs[i];
      if (std::any_of(tensor->shape.begin(), tensor->shape.end(),
                      [](int32_t dim) { return dim < 0; })) {
        return TensorError(kLiteRtStatusErrorUnsupported, *tensor,
                           "output of a dispatch op with an unknown shape");
      }
      LITERT_RETURN_IF_ERROR(SetShape(At(step.outputs[i]), tensor->shape));
    }
    plan_.steps.push_back(std::move(step));
    return {};
  }

  litert::Expected<void> FinishCpu(PlanStep step) {
    litert::Expected<void> inferred = InferShapes(step);
    if (!inferred && !Collect(inferred.Error())) return inferred;
    if (!inferred) return AssumeFileShapes(step);
    litert::Expected<std::unique_ptr<kernels::Kernel>> kernel =
        kernels::PrepareNode(step.node, {.num_threads = options_.threads, .spent = ReleaseFront});
    if (!kernel) {
      if (!Collect(kernel.Error())) return litert::Unexpected(kernel.Error());
      return {};
    }
    step.kernel = std::move(*kernel);
    ReleasePackedConstants(step);
    // Once something is refused the plan is only walked for more of it, with values that may be
    // missing.
    if (refused_.empty() && CanFold(plan_, step)) {
      folded_bytes_ += OutputBytes(step);
      if (folded_bytes_ <= options_.max_bytes) return Fold(plan_, step);
    }
    plan_.steps.push_back(std::move(step));
    return {};
  }

  static void ReleaseFront(const kernels::Operand& constant, int64_t first_bytes) {
    const Weights& weights = constant.tensor->weights;
    if (weights.store == nullptr) return;
    const SharedBytes& bytes = weights.store->Get(weights.buffer_id);
    if (bytes.bytes.data() != constant.constant.data()) return;  // a copy
    ReleasePages(
        {.bytes = bytes.bytes.first(static_cast<size_t>(first_bytes)), .owner = bytes.owner});
  }

  // A kernel that holds its weights in a form of its own does not read the file's again: their
  // pages need not stay in memory beside it, nor those around them that the system has mapped too.
  void ReleasePackedConstants(const PlanStep& step) {
    for (const kernels::Operand* operand : step.node.inputs) {
      if (operand == nullptr || operand->constant.empty()) continue;
      const Weights& weights = operand->tensor->weights;
      if (operand->constant.size() > step.kernel->packed_bytes() || weights.store == nullptr) {
        continue;
      }
      ReleaseFile(weights.store->Get(weights.buffer_id));
    }
  }

  // Planning has looked at much that no run reads, and the system maps pages around those that are
  // touched: everything is given back at last.
  void ReleaseFiles() {
    const void* released = nullptr;
    for (const PlanValue& value : plan_.values) {
      const Weights& weights = value.operand.tensor->weights;
      if (value.kind != PlanValue::Kind::kConstant || weights.store == nullptr) continue;
      const SharedBytes& bytes = weights.store->Get(weights.buffer_id);
      if (bytes.owner.get() != released) ReleaseFile(bytes);
      released = bytes.owner.get();
    }
  }

  uint64_t OutputBytes(const PlanStep& step) {
    uint64_t sum = 0;
    for (int value : step.outputs) sum += At(value).size_bytes;
    return sum;
  }

  litert::Expected<void> InferShapes(PlanStep& step) {
    LITERT_ASSIGN_OR_RETURN(kernels::Inferred inferred, kernels::InferNode(step.node));
    if (inferred.needs_value_of.has_value()) {
      // Whatever depends only on constants and shapes has been folded, so this is known at run time
      // alone.
      const kernels::Operand* operand = step.node.input(*inferred.needs_value_of);
      return kernels::UnsupportedNode(
          step.node, operand, "decides the output's shape, but is only known when the model runs");
    }
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      LITERT_RETURN_IF_ERROR(SetShape(At(step.outputs[i]), std::move(inferred.shapes[i])));
    }
    return {};
  }

  // Remembers an Unsupported error, to be reported with all others; any other error is not for
  // collecting.
  bool Collect(const litert::Error& error) {
    if (error.Status() != kLiteRtStatusErrorUnsupported) return false;
    if (!refused_.empty()) refused_ += "; ";
    refused_ += error.Message();
    return true;
  }

  // So that ops behind a refused one can be looked at too.
  litert::Expected<void> AssumeFileShapes(const PlanStep& step) {
    for (int index : step.outputs) {
      PlanValue& value = At(index);
      Shape shape = value.operand.tensor->shape;
      for (int32_t& dim : shape) dim = std::max(dim, 1);
      if (!SetShape(value, shape))
        return litert::Unexpected(kLiteRtStatusErrorUnsupported, refused_);
    }
    return {};
  }

  const Model& model_;
  const PlanOptions& options_;
  ExecutionPlan plan_;
  std::unordered_map<const Tensor*, const Tensor*>
      renamed_;                          // a decomposition's result, to the composite's output
  std::vector<const Subgraph*> active_;  // decompositions being added, outermost first
  std::string refused_;
  uint64_t folded_bytes_ = 0;
};

}  // namespace

litert::Expected<ExecutionPlan> BuildPlan(const Model& model, const Subgraph& subgraph,
                                          const PlanOptions& options) {
  return PlanBuilder(model, options).Build(subgraph);
}

}  // namespace npukit

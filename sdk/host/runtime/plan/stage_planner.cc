// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/runtime/plan/constant_folding.h"
#include "sdk/host/runtime/plan/execution_plan.h"
#include "sdk/host/runtime/plan/file_pages.h"
#include "sdk/host/runtime/plan/plan_error.h"
#include "sdk/host/runtime/plan/unsupported_ops.h"
#include "sdk/host/runtime/plan/value_size.h"

namespace npukit {
namespace {

using kernels::Shape;
using kernels::ShapeText;

class StagePlanner {
 public:
  StagePlanner(FlatGraph& graph, const PlanOptions& options, const EarlierValues* earlier)
      : graph_(graph), options_(options), earlier_(earlier) {}

  litert::Expected<ExecutionPlan> Plan(std::span<const int> ops) {
    if (earlier_ == nullptr) LITERT_RETURN_IF_ERROR(AddInputs());
    for (int op : ops) LITERT_RETURN_IF_ERROR(AddOp(op));
    if (!refused_.empty()) return litert::Unexpected(kLiteRtStatusErrorUnsupported, refused_);
    LITERT_RETURN_IF_ERROR(AddOutputs());
    if (earlier_ == nullptr) ReleaseFiles(plan_);
    return std::move(plan_);
  }

 private:
  PlanValue& At(int index) { return plan_.values[static_cast<size_t>(index)]; }

  int AddValue(int flat) {
    const int index = static_cast<int>(plan_.values.size());
    PlanValue& value = plan_.values.emplace_back();
    value.operand.tensor = graph_.value(flat).tensor;
    value.flat_value = flat;
    local_[flat] = index;
    return index;
  }

  static bool IsString(const Tensor& tensor) {
    return tensor.element_type == kLiteRtElementTypeTfString;
  }

  // The values that were added last, as many as there are outputs.
  void RemoveOutputs(const FlatOp& op) {
    for (size_t i = op.outputs.size(); i-- > 0;) {
      local_.erase(graph_.Resolve(op.outputs[i]));
      plan_.values.pop_back();
    }
  }

  litert::Expected<void> SetShape(PlanValue& value, Shape shape) {
    const Tensor& tensor = *value.operand.tensor;
    if (!HasValueSize(tensor.element_type)) {
      return TensorError(
          kLiteRtStatusErrorUnsupported, tensor,
          fmt::format("values of type {} cannot be run", ElementTypeName(tensor.element_type)));
    }
    const std::optional<uint64_t> bytes = ValueBytes(tensor.element_type, shape);
    if (!bytes || *bytes > options_.max_bytes) {
      return TensorError(kLiteRtStatusErrorInvalidArgument, tensor,
                         fmt::format("shape {} does not fit into memory", ShapeText(shape)));
    }
    value.operand.shape = std::move(shape);
    value.size_bytes = *bytes;
    return {};
  }

  litert::Expected<void> AddInputs() {
    for (int flat : graph_.inputs()) {
      const int index = AddValue(flat);
      const Tensor& tensor = *At(index).operand.tensor;
      const auto resized = options_.resized_inputs.find(&tensor);
      const Shape& shape =
          resized == options_.resized_inputs.end() ? tensor.shape : resized->second;
      if (std::any_of(shape.begin(), shape.end(), [](int32_t dim) { return dim < 0; })) {
        return TensorError(
            kLiteRtStatusErrorInvalidArgument, tensor,
            fmt::format("input shape {} has a dimension that must be given (--resize)",
                        ShapeText(shape)));
      }
      if (IsString(tensor) && options_.string_inputs != nullptr) {
        PlanValue& value = At(index);
        value.kind = PlanValue::Kind::kOwnedByOp;
        value.run_time = std::make_unique<PlanValue::RunTime>();
        value.run_time->outputs = options_.string_inputs;
        value.run_time->index = plan_.inputs.size();
        value.operand.shape = shape;
      } else {
        LITERT_RETURN_IF_ERROR(SetShape(At(index), shape));
        if (tensor.is_variable) At(index).kind = PlanValue::Kind::kVariable;
      }
      plan_.inputs.push_back(index);
    }
    return {};
  }

  // The local value of one that is constant, variable, or of this stage or an earlier one; kNoValue
  // if a later stage has it.
  litert::Expected<int> LocalOf(int flat) {
    if (const auto known = local_.find(flat); known != local_.end()) return known->second;
    const FlatValue& value = graph_.value(flat);
    if (value.source == FlatValue::Source::kConstant) return AddConstant(flat);
    if (value.source == FlatValue::Source::kVariable || value.tensor->is_variable) {
      const int index = AddValue(flat);
      LITERT_RETURN_IF_ERROR(SetShape(At(index), value.tensor->shape));
      At(index).kind = PlanValue::Kind::kVariable;
      return index;
    }
    if (earlier_ == nullptr) return kNoValue;
    const auto found = earlier_->Find(flat);
    if (!found) return kNoValue;
    const int index = AddValue(flat);
    PlanValue& made = At(index);
    Shape shape(found->shape.begin(), found->shape.end());
    if (IsString(*value.tensor)) {
      made.operand.shape = std::move(shape);
      made.size_bytes = std::max(found->memory.size(), found->constant.size());
    } else {
      LITERT_RETURN_IF_ERROR(SetShape(made, std::move(shape)));
    }
    if (!found->constant.empty()) {
      made.kind = PlanValue::Kind::kConstant;
      made.operand.constant = found->constant;
    } else {
      made.kind = PlanValue::Kind::kImported;
      made.run_time = std::make_unique<PlanValue::RunTime>();
      made.run_time->imported = found->memory;
    }
    return index;
  }

  litert::Expected<int> AddConstant(int flat) {
    const Tensor& tensor = *graph_.value(flat).tensor;
    if (tensor.sparsity.has_value()) {
      return TensorError(kLiteRtStatusErrorUnsupported, tensor, "is a sparse constant");
    }
    const int index = AddValue(flat);
    PlanValue& value = At(index);
    const std::span<const uint8_t> bytes = tensor.weights.bytes();
    if (IsString(tensor)) {  // whoever reads them looks at the offsets
      value.operand.shape = tensor.shape;
      value.size_bytes = bytes.size();
      SetConstant(value, bytes);
      return index;
    }
    LITERT_RETURN_IF_ERROR(SetShape(value, tensor.shape));
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

  bool HasEffects(const Op& op) const {
    if (options_.special_ops != nullptr && options_.special_ops->HasEffects(op)) return true;
    return std::any_of(op.inputs.begin(), op.inputs.end(), [](const Tensor* tensor) {
      return tensor != nullptr && tensor->is_variable;
    });
  }

  void Leave(int op) {
    plan_.later_ops.push_back(op);
    effects_wait_ = effects_wait_ || HasEffects(*graph_.op(op).op);
  }

  // Plans the op, or leaves it for a later stage.
  litert::Expected<void> AddOp(int index) {
    const FlatOp& flat = graph_.op(index);
    if (effects_wait_ && HasEffects(*flat.op)) {
      Leave(index);
      return {};
    }
    PlanStep step;
    step.op = flat.op;
    step.node.op = flat.op;
    for (int input : flat.inputs) {
      int value = kNoValue;
      if (input != kNoValue) {
        LITERT_ASSIGN_OR_RETURN(value, LocalOf(graph_.Resolve(input)));
        if (value == kNoValue || At(value).kind == PlanValue::Kind::kOwnedByOp) {
          Leave(index);
          return {};
        }
      }
      step.inputs.push_back(value);
      step.node.inputs.push_back(value == kNoValue ? nullptr : &At(value).operand);
    }
    for (int output : flat.outputs) step.outputs.push_back(AddValue(graph_.Resolve(output)));
    for (int value : step.outputs) step.node.outputs.push_back(&At(value).operand);
    if (flat.op->is_dispatch()) return FinishDispatch(std::move(step));
    if (options_.special_ops != nullptr && options_.special_ops->Knows(*flat.op))
      return FinishSpecial(std::move(step));
    return FinishCpu(index, std::move(step));
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

  litert::Expected<void> FinishSpecial(PlanStep step) {
    LITERT_ASSIGN_OR_RETURN(SpecialStep planned, options_.special_ops->Plan(step.node));
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      PlanValue& value = At(step.outputs[i]);
      if (planned.shapes[i].has_value()) {
        LITERT_RETURN_IF_ERROR(SetShape(value, std::move(*planned.shapes[i])));
        continue;
      }
      value.kind = PlanValue::Kind::kOwnedByOp;
      value.run_time = std::make_unique<PlanValue::RunTime>();
      value.run_time->outputs = planned.run_time_outputs;
      value.run_time->index = i;
    }
    step.kernel = std::move(planned.kernel);
    if (planned.is_pure && refused_.empty() && CanFold(plan_, step)) return Fold(plan_, step);
    plan_.steps.push_back(std::move(step));
    return {};
  }

  litert::Expected<void> FinishCpu(int index, PlanStep step) {
    const FlatOp& flat = graph_.op(index);
    litert::Expected<bool> inferred = InferShapes(step);
    if (!inferred && !IsRefusal(inferred.Error())) return litert::Unexpected(inferred.Error());
    if (inferred && !*inferred) {
      RemoveOutputs(flat);
      Leave(index);
      return {};
    }
    if (!inferred && flat.decomposition != nullptr) return AddDecomposition(index);
    if (!inferred) {
      Collect(inferred.Error());
      return AssumeFileShapes(step);
    }
    litert::Expected<std::unique_ptr<kernels::Kernel>> kernel =
        kernels::PrepareNode(step.node, {.num_threads = options_.threads, .spent = ReleaseFront});
    if (!kernel) {
      if (!IsRefusal(kernel.Error())) return litert::Unexpected(kernel.Error());
      if (flat.decomposition != nullptr) return AddDecomposition(index);
      Collect(kernel.Error());
      return {};
    }
    step.kernel = std::move(*kernel);
    ReleasePackedConstants(step);
    // Once something is refused the plan is only walked for more of it, with values that may be
    // missing.
    if (refused_.empty() && CanFold(plan_, step)) {
      for (int value : step.outputs) folded_bytes_ += At(value).size_bytes;
      if (folded_bytes_ <= options_.max_bytes) return Fold(plan_, step);
    }
    plan_.steps.push_back(std::move(step));
    return {};
  }

  // A kernel knows the composite's name. If it does not know these types or attributes, the
  // decomposition does it.
  litert::Expected<void> AddDecomposition(int index) {
    RemoveOutputs(graph_.op(index));
    LITERT_ASSIGN_OR_RETURN(const std::span<const int> ops, graph_.Expand(index));
    for (int op : ops) LITERT_RETURN_IF_ERROR(AddOp(op));
    return {};
  }

  // False if the shapes depend on what this stage computes.
  litert::Expected<bool> InferShapes(PlanStep& step) {
    LITERT_ASSIGN_OR_RETURN(kernels::Inferred inferred, kernels::InferNode(step.node));
    while (inferred.needs_value_of.has_value()) {
      PlanValue& value = At(step.inputs[*inferred.needs_value_of]);
      if (value.kind == PlanValue::Kind::kVariable) {
        return kernels::UnsupportedNode(step.node, &value.operand,
                                        "decides the output's shape, and is a variable");
      }
      if (value.kind != PlanValue::Kind::kImported) return false;
      if (value.run_time->consulted.has_value())
        return kernels::InvalidNode(step.node, &value.operand, "is asked for twice");
      Consult(value);
      LITERT_ASSIGN_OR_RETURN(inferred, kernels::InferNode(step.node));
    }
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      auto set = SetShape(At(step.outputs[i]), std::move(inferred.shapes[i]));
      if (!set) return kernels::NodeError(step.node, set.Error().Status(), set.Error().Message());
    }
    return true;
  }

  static void Consult(PlanValue& value) {
    const std::span<const uint8_t> bytes = value.run_time->imported;
    value.run_time->consulted.emplace(bytes.begin(), bytes.end());
    value.operand.constant = bytes;
  }

  static bool IsRefusal(const litert::Error& error) {
    return error.Status() == kLiteRtStatusErrorUnsupported;
  }

  // Remembers an Unsupported error, to be reported with all others.
  void Collect(const litert::Error& error) {
    if (!refused_.empty()) refused_ += "; ";
    refused_ += error.Message();
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

  // What lasts: the graph's outputs that are known by now, and what later ops read.
  litert::Expected<void> AddOutputs() {
    std::unordered_set<int> added;
    const auto add = [&](int flat) {
      const auto known = local_.find(flat);
      if (known == local_.end() || !added.insert(known->second).second) return;
      plan_.outputs.push_back(known->second);
    };
    for (int output : graph_.outputs()) {
      const int flat = graph_.Resolve(output);
      if (earlier_ == nullptr) LITERT_RETURN_IF_ERROR(LocalOf(flat));
      add(flat);
    }
    for (int op : plan_.later_ops) {
      for (int input : graph_.op(op).inputs) {
        if (input != kNoValue) add(graph_.Resolve(input));
      }
    }
    return {};
  }

  FlatGraph& graph_;
  const PlanOptions& options_;
  const EarlierValues* earlier_;
  ExecutionPlan plan_;
  std::unordered_map<int, int> local_;  // by flat value
  bool effects_wait_ = false;           // an op with effects is left for later
  std::string refused_;
  uint64_t folded_bytes_ = 0;
};

}  // namespace

litert::Expected<ExecutionPlan> PlanStage(FlatGraph& graph, std::span<const int> ops,
                                          const PlanOptions& options,
                                          const EarlierValues* earlier) {
  return StagePlanner(graph, options, earlier).Plan(ops);
}

litert::Expected<ExecutionPlan> BuildPlan(const Model& model, const Subgraph& subgraph,
                                          const PlanOptions& options) {
  LITERT_RETURN_IF_ERROR(CheckOpsSupported(model, subgraph, options.special_ops));
  LITERT_ASSIGN_OR_RETURN(FlatGraph graph, FlatGraph::Build(model, subgraph));
  return PlanStage(graph, graph.order(), options, nullptr);
}

}  // namespace npukit

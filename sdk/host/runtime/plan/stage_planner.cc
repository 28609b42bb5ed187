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
#include "sdk/host/runtime/plan/stage_values.h"
#include "sdk/host/runtime/plan/unsupported_ops.h"

namespace npukit {
namespace {

using kernels::Shape;
using kernels::ShapeText;

class StagePlanner {
 public:
  StagePlanner(FlatGraph& graph, const PlanOptions& options, const EarlierValues* earlier)
      : graph_(graph),
        options_(options),
        earlier_(earlier),
        values_(graph, options, earlier, plan_) {}

  litert::Expected<ExecutionPlan> Plan(std::span<const int> ops) {
    if (earlier_ == nullptr) LITERT_RETURN_IF_ERROR(values_.AddInputs());
    for (int op : ops) LITERT_RETURN_IF_ERROR(AddOp(op));
    if (!refused_.empty()) return litert::Unexpected(kLiteRtStatusErrorUnsupported, refused_);
    LITERT_RETURN_IF_ERROR(AddOutputs());
    if (earlier_ == nullptr) ReleaseFiles(plan_);
    return std::move(plan_);
  }

 private:
  bool HasEffects(const Op& op) const {
    if (options_.special_ops != nullptr && options_.special_ops->HasEffects(op)) return true;
    return std::any_of(op.inputs.begin(), op.inputs.end(), [](const Tensor* tensor) {
      return tensor != nullptr && tensor->is_variable;
    });
  }

  void Leave(int op) {
    plan_.later_ops.push_back(op);
    // From now on every op with effects waits, too: they keep their order among each other.
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
        LITERT_ASSIGN_OR_RETURN(value, values_.Find(graph_.Resolve(input)));
        // A value without a known size can't be given to a step of this stage: the next one imports
        // it as it is then.
        if (value == kNoValue || values_.At(value).kind == PlanValue::Kind::kOwnedByOp) {
          Leave(index);
          return {};
        }
      }
      step.inputs.push_back(value);
      step.node.inputs.push_back(value == kNoValue ? nullptr : &values_.At(value).operand);
    }
    for (int output : flat.outputs)
      step.outputs.push_back(values_.AddValue(graph_.Resolve(output)));
    for (int value : step.outputs) step.node.outputs.push_back(&values_.At(value).operand);
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
      LITERT_RETURN_IF_ERROR(values_.SetShape(values_.At(step.outputs[i]), tensor->shape));
    }
    plan_.steps.push_back(std::move(step));
    return {};
  }

  litert::Expected<void> FinishSpecial(PlanStep step) {
    LITERT_ASSIGN_OR_RETURN(SpecialStep planned, options_.special_ops->Plan(step.node));
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      PlanValue& value = values_.At(step.outputs[i]);
      if (planned.shapes[i].has_value()) {
        LITERT_RETURN_IF_ERROR(values_.SetShape(value, std::move(*planned.shapes[i])));
        continue;
      }
      value.kind = PlanValue::Kind::kOwnedByOp;
      value.run_time = std::make_unique<PlanValue::RunTime>();
      value.run_time->outputs = planned.run_time_outputs;
      value.run_time->index = i;
    }
    step.kernel = std::move(planned.kernel);
    return AddStep(std::move(step), planned.is_pure);
  }

  litert::Expected<void> FinishCpu(int index, PlanStep step) {
    const FlatOp& flat = graph_.op(index);
    litert::Expected<bool> inferred = InferShapes(step);
    if (!inferred && !IsRefusal(inferred.Error())) return litert::Unexpected(inferred.Error());
    if (inferred && !*inferred) {
      values_.RemoveOutputs(flat);
      Leave(index);
      return {};
    }
    // Refusals are collected, so that a model's author learns of all of them at once; other errors
    // end planning.
    if (!inferred && flat.decomposition != nullptr) return AddDecomposition(index);
    if (!inferred) {
      Collect(inferred.Error());
      return AssumeFileShapes(step);
    }
    litert::Expected<std::unique_ptr<kernels::Kernel>> kernel = kernels::PrepareNode(
        step.node,
        {.num_threads = options_.threads, .hybrid = options_.hybrid, .spent = ReleaseFront});
    if (!kernel) {
      if (!IsRefusal(kernel.Error())) return litert::Unexpected(kernel.Error());
      if (flat.decomposition != nullptr) return AddDecomposition(index);
      Collect(kernel.Error());
      return {};
    }
    step.kernel = std::move(*kernel);
    ReleasePackedConstants(step);
    return AddStep(std::move(step), /*is_pure=*/true);
  }

  // Runs the step now if it can be, and its results are not too large; else the plan does. Once
  // something is refused the plan is only walked for more of it, with values that may be missing.
  litert::Expected<void> AddStep(PlanStep step, bool is_pure) {
    if (is_pure && refused_.empty() && CanFold(plan_, step)) {
      uint64_t bytes = folded_bytes_;
      for (int value : step.outputs) bytes += values_.At(value).size_bytes;
      // Models of a few bytes can ask for results of any size.
      if (bytes <= options_.max_bytes) {
        folded_bytes_ = bytes;
        return Fold(plan_, step);
      }
    }
    plan_.steps.push_back(std::move(step));
    return {};
  }

  // A kernel knows the composite's name. If it does not know these types or attributes, the
  // decomposition does it.
  litert::Expected<void> AddDecomposition(int index) {
    values_.RemoveOutputs(graph_.op(index));
    LITERT_ASSIGN_OR_RETURN(const std::span<const int> ops, graph_.Expand(index));
    for (int op : ops) LITERT_RETURN_IF_ERROR(AddOp(op));
    return {};
  }

  // False if the shapes depend on what this stage computes.
  litert::Expected<bool> InferShapes(PlanStep& step) {
    LITERT_ASSIGN_OR_RETURN(kernels::Inferred inferred, kernels::InferNode(step.node));
    while (inferred.needs_value_of.has_value()) {
      PlanValue& value = values_.At(step.inputs[*inferred.needs_value_of]);
      if (value.kind == PlanValue::Kind::kVariable) {
        return kernels::UnsupportedNode(step.node, &value.operand,
                                        "decides the output's shape, and is a variable");
      }
      if (value.kind != PlanValue::Kind::kImported) return false;
      // An operator that asks again for what it has been told would never end.
      if (value.run_time->consulted.has_value())
        return kernels::InvalidNode(step.node, &value.operand, "is asked for twice");
      Consult(value);
      LITERT_ASSIGN_OR_RETURN(inferred, kernels::InferNode(step.node));
    }
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      auto set = values_.SetShape(values_.At(step.outputs[i]), std::move(inferred.shapes[i]));
      if (!set) return kernels::NodeError(step.node, set.Error().Status(), set.Error().Message());
    }
    return true;
  }

  static void Consult(PlanValue& value) {
    const std::span<const uint8_t> bytes = value.run_time->imported;
    // A copy, since a later run writes where they lie: Stage::Refresh compares.
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
      PlanValue& value = values_.At(index);
      Shape shape = value.operand.tensor->shape;
      for (int32_t& dim : shape) dim = std::max(dim, 1);
      if (!values_.SetShape(value, shape))
        return litert::Unexpected(kLiteRtStatusErrorUnsupported, refused_);
    }
    return {};
  }

  // What lasts: the graph's outputs that are known by now, and what later ops read.
  litert::Expected<void> AddOutputs() {
    std::unordered_set<int> added;
    const auto add = [&](int flat) {
      const std::optional<int> value = values_.FindAdded(flat);
      if (value && added.insert(*value).second) plan_.outputs.push_back(*value);
    };
    for (int output : graph_.outputs()) {
      const int flat = graph_.Resolve(output);
      // An output may be a constant or a variable that no step reads.
      if (earlier_ == nullptr) LITERT_RETURN_IF_ERROR(values_.Find(flat));
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
  StageValues values_;
  bool effects_wait_ = false;  // an op with effects is left for later
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

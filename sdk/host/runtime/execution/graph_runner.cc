// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/execution/graph_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/client/error_collector.h"
#include "sdk/host/runtime/plan/plan_error.h"
#include "sdk/host/runtime/plan/unsupported_ops.h"
#include "sdk/host/runtime/state/string_tensor.h"

namespace npukit {

litert::Expected<std::unique_ptr<GraphRunner>> GraphRunner::Create(const GraphContext& context,
                                                                   const Subgraph& subgraph,
                                                                   Options options) {
  LITERT_RETURN_IF_ERROR(CheckOpsSupported(*context.model, subgraph, context.special_ops));
  LITERT_ASSIGN_OR_RETURN(FlatGraph graph, FlatGraph::Build(*context.model, subgraph));
  std::unique_ptr<GraphRunner> runner(
      new GraphRunner(context, std::move(graph), std::move(options)));
  LITERT_RETURN_IF_ERROR(runner->EmptyStrings());
  LITERT_RETURN_IF_ERROR(runner->PlanNext());
  return runner;
}

litert::Expected<void> GraphRunner::Close() {
  ErrorCollector errors;
  for (const auto& stage : stages_) errors.Add(stage->Close());
  return errors.Result();
}

const GraphRunner::Location& GraphRunner::LocationOf(int flat_value) const {
  static constexpr Location kNowhere;
  const auto index = static_cast<size_t>(graph_.Resolve(flat_value));
  return index < locations_.size() ? locations_[index] : kNowhere;
}

GraphRunner::Value GraphRunner::ValueAt(int flat_value) const {
  Value value{.tensor = graph_.value(flat_value).tensor, .shape = {}, .bytes = {}};
  const Location& at = LocationOf(flat_value);
  if (at.stage < 0) return value;
  const Stage& stage = *stages_[static_cast<size_t>(at.stage)];
  const PlanValue& planned = stage.plan().values[static_cast<size_t>(at.value)];
  value.tensor = planned.operand.tensor;
  if (planned.kind == PlanValue::Kind::kOwnedByOp) {
    const auto output = planned.run_time->outputs->run_time_output(planned.run_time->index);
    value.is_known = output.is_set;
    value.shape = output.shape;
    value.bytes = output.bytes;
    return value;
  }
  value.is_known = true;
  value.is_fixed = at.stage == 0;
  value.shape = planned.operand.shape;
  value.bytes = stage.memory().bytes(at.value);
  return value;
}

bool GraphRunner::IsString(size_t input) const {
  return graph_.value(graph_.inputs()[input]).tensor->element_type == kLiteRtElementTypeTfString;
}

litert::Expected<void> GraphRunner::EmptyStrings() {
  for (size_t i = 0; i < num_inputs(); ++i) {
    if (!IsString(i)) continue;
    const Tensor* tensor = graph_.value(graph_.inputs()[i]).tensor;
    const auto resized = options_.resized_inputs.find(tensor);
    const kernels::Shape& shape =
        resized == options_.resized_inputs.end() ? tensor->shape : resized->second;
    // One byte a string bounds their number as the limit on memory does.
    const auto count = DenseBytes(kLiteRtElementTypeInt8, shape);
    if (!count || *count > context_.max_arena_bytes / sizeof(std::string_view)) {
      return TensorError(kLiteRtStatusErrorInvalidArgument, *tensor,
                         fmt::format("cannot have shape {}", kernels::ShapeText(shape)));
    }
    const std::vector<std::string_view> strings(*count);
    LITERT_ASSIGN_OR_RETURN(const auto bytes, WriteStrings(strings));
    LITERT_RETURN_IF_ERROR(string_inputs_.Set(i, {.shape = shape, .bytes = bytes}));
  }
  return {};
}

litert::Expected<void> GraphRunner::SetInput(size_t index, std::span<const uint8_t> bytes) {
  if (IsString(index)) {
    const kernels::Shape shape(input(index).shape.begin(), input(index).shape.end());
    const auto count = DenseBytes(kLiteRtElementTypeInt8, shape).value_or(0);
    LITERT_RETURN_IF_ERROR(ReadStrings(bytes, static_cast<int64_t>(count)));
    return string_inputs_.Set(index, {.shape = shape, .bytes = bytes});
  }
  const std::span<uint8_t> memory = input_memory(index);
  if (bytes.size() != memory.size()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("takes {} bytes, got {}", memory.size(), bytes.size()));
  }
  if (!bytes.empty()) std::memcpy(memory.data(), bytes.data(), bytes.size());
  return {};
}

std::span<uint8_t> GraphRunner::input_memory(size_t index) const {
  if (IsString(index)) return string_inputs_.run_time_output(index).bytes;
  const Location& at = LocationOf(graph_.inputs()[index]);
  const Stage& stage = *stages_[static_cast<size_t>(at.stage)];
  return stage.memory().memory(at.value).first(
      stage.plan().values[static_cast<size_t>(at.value)].size_bytes);
}

std::optional<EarlierValues::Found> GraphRunner::Find(int flat_value) const {
  const Location& at = LocationOf(flat_value);
  if (at.stage < 0) return std::nullopt;
  const Stage& stage = *stages_[static_cast<size_t>(at.stage)];
  const PlanValue& planned = stage.plan().values[static_cast<size_t>(at.value)];
  if (planned.kind == PlanValue::Kind::kOwnedByOp) {
    const auto output = planned.run_time->outputs->run_time_output(planned.run_time->index);
    return Found{.shape = output.shape, .memory = output.bytes, .constant = {}};
  }
  if (planned.kind == PlanValue::Kind::kConstant)
    return Found{
        .shape = planned.operand.shape, .memory = {}, .constant = planned.operand.constant};
  return Found{.shape = planned.operand.shape,
               .memory = stage.memory().memory(at.value).first(planned.size_bytes),
               .constant = {}};
}

litert::Expected<void> GraphRunner::PlanNext() {
  const bool is_first = stages_.empty();
  // A copy: composites that are unfolded while planning add to what it came from.
  const std::span<const int> left = is_first ? graph_.order() : stages_.back()->plan().later_ops;
  const std::vector<int> ops(left.begin(), left.end());
  const PlanOptions plan_options{.threads = context_.threads,
                                 .hybrid = context_.hybrid,
                                 .resized_inputs = options_.resized_inputs,
                                 .max_bytes = context_.max_arena_bytes,
                                 .special_ops = context_.special_ops,
                                 .string_inputs = &string_inputs_};
  LITERT_ASSIGN_OR_RETURN(ExecutionPlan plan,
                          PlanStage(graph_, ops, plan_options, is_first ? nullptr : this));
  // Without a step no later turn would know more: planning would go on for ever.
  if (!is_first && plan.later_ops == ops) {
    const kernels::Node node{.op = graph_.op(ops.front()).op, .inputs = {}, .outputs = {}};
    return kernels::UnsupportedNode(node, "waits for a shape that is never known");
  }
  // MayOverwrite looks at the steps of this stage alone; an op of a later one might still read the
  // input that an output takes the place of.
  if (is_first && plan.later_ops.empty())
    LITERT_RETURN_IF_ERROR(BindGivenMemory(options_.given_memory, *context_.model, plan));
  LITERT_ASSIGN_OR_RETURN(auto stage,
                          Stage::Create(context_, std::move(plan), options_.keep_intermediates));
  locations_.resize(graph_.num_values());
  const int number = static_cast<int>(stages_.size());
  const auto& values = stage->plan().values;
  for (size_t i = 0; i < values.size(); ++i) {
    Location& at = locations_[static_cast<size_t>(values[i].flat_value)];
    // A value that this stage imports keeps the place where it was computed.
    if (at.stage < 0) at = {.stage = number, .value = static_cast<int>(i)};
  }
  first_steps_.push_back(step_times_.size());
  step_times_.resize(step_times_.size() + stage->plan().steps.size());
  if (is_first) {
    is_static_ = stage->plan().later_ops.empty() &&
                 std::none_of(values.begin(), values.end(), [](const PlanValue& value) {
                   return value.kind == PlanValue::Kind::kOwnedByOp;
                 });
  }
  stages_.push_back(std::move(stage));
  if (is_first && is_static_ && !options_.takes_other_shapes) graph_.ForgetOps();
  ++generation_;
  if (!options_.on_stage) return {};
  litert::Expected<void> taken = options_.on_stage(*stages_.back());
  if (!taken) DropStages(stages_.size() - 1);
  return taken;
}

void GraphRunner::DropStages(size_t from) {
  if (from >= stages_.size()) return;
  for (Location& at : locations_) {
    if (at.stage >= static_cast<int>(from)) at = {};
  }
  step_times_.resize(first_steps_[from]);
  first_steps_.resize(from);
  stages_.resize(from);
  ++generation_;
}

litert::Expected<void> GraphRunner::SetInputShapes(
    std::span<const std::span<const int32_t>> shapes) {
  bool differs = stages_.empty();
  for (size_t i = 0; i < shapes.size() && !differs; ++i)
    differs = !std::ranges::equal(shapes[i], input(i).shape);
  if (!differs) return {};
  for (size_t i = 0; i < shapes.size(); ++i) {
    options_.resized_inputs[graph_.value(graph_.inputs()[i]).tensor] =
        kernels::Shape(shapes[i].begin(), shapes[i].end());
  }
  DropStages(0);
  LITERT_RETURN_IF_ERROR(EmptyStrings());
  return PlanNext();
}

litert::Expected<void> GraphRunner::MakeReady(size_t stage) {
  if (stage == stages_.size()) return PlanNext();
  // What it depends on was known before any run; other input shapes drop all stages
  // (SetInputShapes).
  if (stage == 0) return {};
  const litert::Expected<bool> fits = stages_[stage]->Refresh(*this);
  if (fits && *fits) return {};
  // Those behind it hold spans into its memory and shapes that it gave.
  DropStages(stage);
  if (!fits) return litert::Unexpected(fits.Error());
  return PlanNext();
}

litert::Expected<void> GraphRunner::Run(bool with_times) {
  if (stages_.empty()) LITERT_RETURN_IF_ERROR(PlanNext());
  StepClock clock{.run_begin_ns = with_times ? SteadyNowNs() : 0, .times = {}};
  for (size_t i = 0; i == 0 || !stages_[i - 1]->plan().later_ops.empty(); ++i) {
    LITERT_RETURN_IF_ERROR(MakeReady(i));
    Stage& stage = *stages_[i];
    // Taken anew for each stage: planning a later one may have moved them.
    clock.times = std::span(step_times_).subspan(first_steps_[i], stage.plan().steps.size());
    LITERT_RETURN_IF_ERROR(stage.Run(with_times ? &clock : nullptr));
  }
  return {};
}

GraphRunner::StepPlace GraphRunner::step(size_t index) const {
  const auto after = std::upper_bound(first_steps_.begin(), first_steps_.end(), index);
  const auto stage = static_cast<size_t>(after - first_steps_.begin()) - 1;
  return {.stage = stages_[stage].get(), .index = index - first_steps_[stage]};
}

litert::Expected<void> GraphRunner::RunStep(size_t index) {
  const auto after = std::upper_bound(first_steps_.begin(), first_steps_.end(), index);
  const auto stage = static_cast<size_t>(after - first_steps_.begin()) - 1;
  return stages_[stage]->RunStep(index - first_steps_[stage]);
}

std::optional<GraphRunner::ValuePlace> GraphRunner::Find(const Tensor& tensor) const {
  const auto known = graph_.value_of().find(&tensor);
  if (known == graph_.value_of().end()) return std::nullopt;
  const Location& at = LocationOf(known->second);
  if (at.stage < 0) return std::nullopt;
  const Stage& stage = *stages_[static_cast<size_t>(at.stage)];
  const ExecutionPlan& plan = stage.plan();
  const bool lasts =
      options_.keep_intermediates ||
      plan.values[static_cast<size_t>(at.value)].kind != PlanValue::Kind::kComputed ||
      std::count(plan.inputs.begin(), plan.inputs.end(), at.value) != 0 ||
      std::count(plan.outputs.begin(), plan.outputs.end(), at.value) != 0;
  return ValuePlace{.stage = &stage, .value = at.value, .lasts = lasts};
}

}  // namespace npukit

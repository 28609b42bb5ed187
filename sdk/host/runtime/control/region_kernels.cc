// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// STABLEHLO_REDUCE_WINDOW and STABLEHLO_SCATTER: their subgraph names a function of two elements.

#include "sdk/host/kernels/stablehlo/region_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/control/special_kernels.h"

namespace npukit {
namespace {

using kernels::Node;

struct Function {
  LiteRtOpCode code;
  ReduceWindowFunction function;
};

constexpr Function kFunctions[] = {
    {kLiteRtOpCodeTflAdd, ReduceWindowFunction::kAdd},
    {kLiteRtOpCodeShloAdd, ReduceWindowFunction::kAdd},
    {kLiteRtOpCodeTflMul, ReduceWindowFunction::kMul},
    {kLiteRtOpCodeShloMultiply, ReduceWindowFunction::kMul},
    {kLiteRtOpCodeTflMinimum, ReduceWindowFunction::kMinimum},
    {kLiteRtOpCodeShloMinimum, ReduceWindowFunction::kMinimum},
    {kLiteRtOpCodeTflMaximum, ReduceWindowFunction::kMaximum},
    {kLiteRtOpCodeShloMaximum, ReduceWindowFunction::kMaximum},
    {kLiteRtOpCodeTflLogicalAnd, ReduceWindowFunction::kAll},
    {kLiteRtOpCodeShloAnd, ReduceWindowFunction::kAll},
    {kLiteRtOpCodeTflLogicalOr, ReduceWindowFunction::kAny},
    {kLiteRtOpCodeShloOr, ReduceWindowFunction::kAny},
};

// The function that the subgraph is; nullopt: it has no op.
litert::Expected<std::optional<ReduceWindowFunction>> FunctionOf(const GraphContext& context,
                                                                 const Node& node, int32_t index) {
  if (index < 0 || static_cast<size_t>(index) >= context.model->subgraphs().size())
    return kernels::InvalidNode(node, fmt::format("names subgraph {}, which is not there", index));
  const Subgraph& body = context.model->subgraph(static_cast<size_t>(index));
  if (body.ops().empty()) return std::optional<ReduceWindowFunction>();
  const LiteRtOpCode code = body.ops().front()->code;
  const auto* found = std::ranges::find(kFunctions, code, &Function::code);
  if (body.ops().size() == 1 && found != std::end(kFunctions))
    return std::optional<ReduceWindowFunction>(found->function);
  return kernels::UnsupportedNode(
      node, fmt::format("combines elements by subgraph '{}', expected one ADD, MUL, MINIMUM, "
                        "MAXIMUM, LOGICAL_AND or LOGICAL_OR",
                        body.name));
}

SpecialStep StepOf(kernels::RegionKernel made) {
  SpecialStep step;
  step.kernel = std::move(made.kernel);
  step.shapes = {std::move(made.shape)};
  step.is_pure = true;
  return step;
}

}  // namespace

litert::Expected<SpecialStep> MakeReduceWindow(const GraphContext& context, const Node& node) {
  const auto* options = node.op->OptionsAs<StablehloReduceWindowOptions>();
  if (options == nullptr) return kernels::InvalidNode(node, "has no options");
  LITERT_ASSIGN_OR_RETURN(const auto function,
                          FunctionOf(context, node, options->body_subgraph_index));
  if (!function) return kernels::InvalidNode(node, "has a subgraph without an op");
  LITERT_ASSIGN_OR_RETURN(auto made, kernels::PlanStablehloReduceWindow(node, *function));
  return StepOf(std::move(made));
}

litert::Expected<SpecialStep> MakeScatter(const GraphContext& context, const Node& node) {
  const auto* options = node.op->OptionsAs<StablehloScatterOptions>();
  if (options == nullptr) return kernels::InvalidNode(node, "has no options");
  LITERT_ASSIGN_OR_RETURN(const auto function,
                          FunctionOf(context, node, options->update_computation_subgraph_index));
  LITERT_ASSIGN_OR_RETURN(auto made, kernels::PlanStablehloScatter(node, function));
  return StepOf(std::move(made));
}

}  // namespace npukit

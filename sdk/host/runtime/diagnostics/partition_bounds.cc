// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/diagnostics/partition_bounds.h"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/op.h"

namespace npukit {
namespace {

litert::Unexpected NotKnown(std::string why) {
  return litert::Unexpected(kLiteRtStatusErrorUnsupported, std::move(why));
}

struct SourceOps {
  const Subgraph* subgraph = nullptr;
  std::vector<const Op*> ops;  // in the subgraph's order
};

// The ops of the model that the step stands for. A composite that was unfolded is one op.
litert::Expected<SourceOps> FindSources(const Model& given, const StepInfo& step) {
  if (step.delegate == nullptr || step.delegate->ops.empty())
    return NotKnown("it is not known which ops the partition has");
  const uint32_t number = step.delegate->ops.front().subgraph;
  if (number >= given.subgraphs().size()) return NotKnown("its ops are of no subgraph");
  SourceOps sources{.subgraph = &given.subgraph(number), .ops = {}};
  std::set<uint32_t> indices;
  for (const DelegateRecord::SourceOp& source : step.delegate->ops) {
    const bool is_there =
        source.subgraph == number && source.index < sources.subgraph->ops().size() &&
        (!source.composite.empty() || OpName(sources.subgraph->op(source.index)) == source.op);
    if (!is_there) return NotKnown(fmt::format("{} is not of the model", Describe(source)));
    indices.insert(source.index);
  }
  for (uint32_t index : indices) sources.ops.push_back(&sources.subgraph->op(index));
  return sources;
}

}  // namespace

litert::Expected<PartitionBounds::Oracle> PartitionBounds::RunOracle(const StepInfo& step) const {
  LITERT_ASSIGN_OR_RETURN(const SourceOps sources, FindSources(given_, step));
  Oracle oracle;
  for (const Op* op : sources.ops) {
    for (const Tensor* output : op->outputs) oracle.computed[output->name] = output;
  }
  std::map<const Tensor*, kernels::OracleTensor> known;
  for (const Op* op : sources.ops) {
    for (const Tensor* input : op->inputs) {
      if (input == nullptr || input->is_constant() || known.contains(input)) continue;
      const auto inside = oracle.computed.find(input->name);
      if (inside != oracle.computed.end() && inside->second == input) continue;
      const auto shape = cpu_.TensorShape(*input);
      const std::span<const uint8_t> bytes = cpu_.TensorBytes(*input);
      if (!shape || DenseBytes(input->element_type, *shape) != bytes.size()) continue;
      known[input] = kernels::OracleTensor::FromBytes(input->element_type, *shape, bytes);
    }
  }
  oracle.graph = std::make_unique<GraphOracle>(given_, *sources.subgraph);
  LITERT_RETURN_IF_ERROR(oracle.graph->RunOps(sources.ops, std::move(known)));
  return oracle;
}

BoundVerdict PartitionBounds::Judge(const StepInfo& step, const PortInfo& output,
                                    std::span<const uint8_t> actual) {
  using Kind = BoundVerdict::Kind;
  if (step_ != &step) {
    step_ = &step;
    oracle_ = RunOracle(step);
  }
  if (!oracle_) return {.kind = Kind::kNotKnown, .detail = oracle_.Error().Message()};
  const auto computed = oracle_->computed.find(output.tensor->name);
  if (computed == oracle_->computed.end())
    return {.kind = Kind::kNotKnown, .detail = "the model has no value of this name"};
  const auto comparison = oracle_->graph->CompareTensor(*computed->second, actual);
  if (!comparison) return {.kind = Kind::kNotKnown, .detail = comparison.Error().Message()};
  if (comparison->ok()) return {.kind = Kind::kWithin, .detail = {}};
  return {.kind = Kind::kBeyond,
          .detail =
              DescribeComparison(*comparison, oracle_->graph->ValueOf(computed->second)->elems())};
}

}  // namespace npukit

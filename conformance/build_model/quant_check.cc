// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/build_model/quant_check.h"

#include <map>
#include <string>

#include "conformance/spec/claims/claim_match.h"
#include "conformance/spec/graph/quant_reader.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

using Types = std::map<std::string, LiteRtElementType>;

// `type` stands in for one that the tensor does not say.
litert::Expected<void> Check(const TensorSpec& tensor, LiteRtElementType type, Types& types) {
  types[tensor.name] = tensor.type.value_or(type);
  if (!tensor.quant) return {};
  return CheckQuant(*tensor.quant, types[tensor.name], tensor.name);
}

litert::Expected<void> Check(const SubgraphSpec& subgraph) {
  constexpr auto kUnsaid = kLiteRtElementTypeFloat32;
  Types types;
  for (const auto* tensors : {&subgraph.inputs, &subgraph.constants, &subgraph.variables}) {
    for (const TensorSpec& tensor : *tensors) LITERT_RETURN_IF_ERROR(Check(tensor, kUnsaid, types));
  }
  for (const OpSpec& op : subgraph.ops) {
    const size_t typed = TypedInput(op.code);
    const bool has_typed = typed < op.inputs.size() && types.contains(op.inputs[typed]);
    const LiteRtElementType type = has_typed ? types.at(op.inputs[typed]) : kUnsaid;
    for (const TensorSpec& output : op.outputs) LITERT_RETURN_IF_ERROR(Check(output, type, types));
    for (const TensorSpec& inner : op.intermediates)
      LITERT_RETURN_IF_ERROR(Check(inner, kUnsaid, types));
    if (op.decomposition != nullptr) LITERT_RETURN_IF_ERROR(Check(*op.decomposition));
  }
  return {};
}

}  // namespace

litert::Expected<void> CheckQuantizations(const GraphSpec& graph) {
  for (const SubgraphSpec& subgraph : graph.subgraphs) LITERT_RETURN_IF_ERROR(Check(subgraph));
  return {};
}

}  // namespace npukit::conformance

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/unsupported_ops.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"

namespace npukit {
namespace {

struct Missing {
  std::string name;
  const Op* first = nullptr;
  size_t count = 0;
};

struct Search {
  const Model& model;
  std::vector<Missing> missing;
  std::vector<const Subgraph*> active;  // being searched, outermost first
  std::vector<const Subgraph*> done;

  litert::Expected<void> Visit(const Subgraph& subgraph) {
    if (std::find(active.begin(), active.end(), &subgraph) != active.end()) {
      return litert::Unexpected(
          kLiteRtStatusErrorInvalidGraphInvariant,
          "the composite decomposition '" + subgraph.name + "' contains itself");
    }
    if (std::find(done.begin(), done.end(), &subgraph) != done.end()) return {};
    active.push_back(&subgraph);
    for (const auto& op : subgraph.ops()) LITERT_RETURN_IF_ERROR(VisitOp(*op));
    active.pop_back();
    done.push_back(&subgraph);
    return {};
  }

  litert::Expected<void> VisitOp(const Op& op) {
    if (op.is_dispatch() || kernels::FindOperator(op) != nullptr) return {};
    LITERT_ASSIGN_OR_RETURN(const Subgraph* decomposition, DecompositionToRun(model, op));
    if (decomposition != nullptr) return Visit(*decomposition);
    const std::string name = OpName(op);
    auto at = std::find_if(missing.begin(), missing.end(),
                           [&](const Missing& m) { return m.name == name; });
    if (at == missing.end())
      at = missing.insert(missing.end(), Missing{.name = name, .first = &op, .count = 0});
    ++at->count;
    return {};
  }
};

}  // namespace

litert::Expected<const Subgraph*> DecompositionToRun(const Model& model, const Op& op) {
  if (kernels::FindOperator(op) != nullptr) return static_cast<const Subgraph*>(nullptr);
  return CheckedDecomposition(model, op);
}

litert::Expected<const Subgraph*> CheckedDecomposition(const Model& model, const Op& op) {
  if (op.code != kLiteRtOpCodeShloComposite) return static_cast<const Subgraph*>(nullptr);
  const std::string name = OpName(op) + " (op " + std::to_string(op.index) + ")";
  const auto* options = op.OptionsAs<StableHLOCompositeOptions>();
  if (options == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidGraphInvariant,
                              name + ": has no composite options");
  }
  const auto index = static_cast<int64_t>(options->decomposition_subgraph_index);
  if (index < 0 || index >= static_cast<int64_t>(model.subgraphs().size())) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidGraphInvariant,
                              name + ": composite '" + options->name + "' names subgraph " +
                                  std::to_string(index) + " as its decomposition, the model has " +
                                  std::to_string(model.subgraphs().size()));
  }
  const Subgraph* decomposition = &model.subgraph(static_cast<size_t>(index));
  if (decomposition->inputs.size() != op.inputs.size() ||
      decomposition->outputs.size() != op.outputs.size()) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidGraphInvariant,
        name + ": composite '" + options->name + "' has " + std::to_string(op.inputs.size()) +
            " inputs and " + std::to_string(op.outputs.size()) + " outputs, its decomposition " +
            std::to_string(decomposition->inputs.size()) + " and " +
            std::to_string(decomposition->outputs.size()));
  }
  return decomposition;
}

litert::Expected<void> CheckOpsSupported(const Model& model, const Subgraph& subgraph) {
  Search search{.model = model, .missing = {}, .active = {}, .done = {}};
  LITERT_RETURN_IF_ERROR(search.Visit(subgraph));
  if (search.missing.empty()) return {};
  std::string message = std::to_string(search.missing.size()) + " unsupported operator" +
                        (search.missing.size() == 1 ? ": " : "s: ");
  for (size_t i = 0; i < search.missing.size(); ++i) {
    const Missing& missing = search.missing[i];
    if (i > 0) message += ", ";
    message += missing.name + " (";
    if (missing.count > 1) message += std::to_string(missing.count) + " times, first ";
    message += "op " + std::to_string(missing.first->index);
    if (!missing.first->outputs.empty())
      message += ", '" + missing.first->outputs.front()->name + "'";
    message += ")";
  }
  return litert::Unexpected(kLiteRtStatusErrorUnsupported, message);
}

}  // namespace npukit

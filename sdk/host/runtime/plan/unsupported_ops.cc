// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/unsupported_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/model/options/subgraph_references.h"

namespace npukit {
namespace {

struct Missing {
  std::string name;
  const Op* first = nullptr;
  size_t count = 0;
};

struct Search {
  const Model& model;
  const SpecialOps* special_ops = nullptr;
  std::vector<Missing> missing = {};
  std::vector<const Subgraph*> active = {};  // being searched, outermost first
  size_t height = 0;                         // of what the subgraph that is searched has had so far
  std::unordered_map<const Subgraph*, size_t> height_of = {};  // of those that are done

  litert::Expected<void> Visit(const Subgraph& subgraph) {
    if (std::find(active.begin(), active.end(), &subgraph) != active.end()) {
      return litert::Unexpected(
          kLiteRtStatusErrorInvalidGraphInvariant,
          fmt::format("the composite decomposition '{}' contains itself", subgraph.name));
    }
    const auto known = height_of.find(&subgraph);
    size_t own_height = known == height_of.end() ? 0 : known->second;
    if (active.size() + own_height > kMaxNestedSubgraphs) return NestedTooDeep(subgraph);
    if (known == height_of.end()) {
      active.push_back(&subgraph);
      const size_t outer_height = std::exchange(height, 0);
      for (const auto& op : subgraph.ops()) LITERT_RETURN_IF_ERROR(VisitOp(*op));
      own_height = std::exchange(height, outer_height);
      active.pop_back();
      height_of[&subgraph] = own_height;
    }
    height = std::max(height, own_height + 1);
    return {};
  }

  litert::Expected<void> VisitOp(const Op& op) {
    if (op.is_dispatch() || kernels::FindOperator(op) != nullptr) return {};
    if (special_ops != nullptr && special_ops->Knows(op)) return VisitCalled(op);
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

  // Indices that the model has no subgraph for are told when the op is planned.
  litert::Expected<void> VisitCalled(const Op& op) {
    for (int32_t index : SubgraphReferences(op.options)) {
      if (index < 0 || static_cast<size_t>(index) >= model.subgraphs().size()) continue;
      const Subgraph& called = model.subgraph(static_cast<size_t>(index));
      if (std::find(active.begin(), active.end(), &called) != active.end()) {
        return litert::Unexpected(kLiteRtStatusErrorInvalidGraphInvariant,
                                  fmt::format("{} (op {}): subgraph '{}' calls itself", OpName(op),
                                              op.index, called.name));
      }
      LITERT_RETURN_IF_ERROR(Visit(called));
    }
    return {};
  }
};

// "FOO (3 times, first op 5, 'y')".
std::string Describe(const Missing& missing) {
  const auto& outputs = missing.first->outputs;
  return fmt::format("{} ({}op {}{})", missing.name,
                     missing.count > 1 ? fmt::format("{} times, first ", missing.count) : "",
                     missing.first->index,
                     outputs.empty() ? "" : fmt::format(", '{}'", outputs.front()->name));
}

}  // namespace

litert::Unexpected NestedTooDeep(const Subgraph& innermost) {
  return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                            fmt::format("subgraphs are nested more than {} deep, the last is '{}'",
                                        kMaxNestedSubgraphs, innermost.name));
}

litert::Expected<const Subgraph*> DecompositionToRun(const Model& model, const Op& op) {
  if (kernels::FindOperator(op) != nullptr) return static_cast<const Subgraph*>(nullptr);
  return CheckedDecomposition(model, op);
}

litert::Expected<const Subgraph*> CheckedDecomposition(const Model& model, const Op& op) {
  if (op.code != kLiteRtOpCodeShloComposite) return static_cast<const Subgraph*>(nullptr);
  const std::string name = fmt::format("{} (op {})", OpName(op), op.index);
  const auto* options = op.OptionsAs<StableHLOCompositeOptions>();
  if (options == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidGraphInvariant,
                              name + ": has no composite options");
  }
  const auto index = static_cast<int64_t>(options->decomposition_subgraph_index);
  if (index < 0 || index >= static_cast<int64_t>(model.subgraphs().size())) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidGraphInvariant,
                              fmt::format("{}: composite '{}' names subgraph {} as its "
                                          "decomposition, the model has {}",
                                          name, options->name, index, model.subgraphs().size()));
  }
  const Subgraph* decomposition = &model.subgraph(static_cast<size_t>(index));
  if (decomposition->inputs.size() != op.inputs.size() ||
      decomposition->outputs.size() != op.outputs.size()) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidGraphInvariant,
        fmt::format("{}: composite '{}' has {} inputs and {} outputs, its decomposition {} and {}",
                    name, options->name, op.inputs.size(), op.outputs.size(),
                    decomposition->inputs.size(), decomposition->outputs.size()));
  }
  return decomposition;
}

litert::Expected<void> CheckOpsSupported(const Model& model, const Subgraph& subgraph,
                                         const SpecialOps* special_ops) {
  Search search{.model = model, .special_ops = special_ops};
  LITERT_RETURN_IF_ERROR(search.Visit(subgraph));
  if (search.missing.empty()) return {};
  std::vector<std::string> texts;
  bool any_custom = false;
  for (const Missing& missing : search.missing) {
    texts.push_back(Describe(missing));
    any_custom |= missing.first->code == kLiteRtOpCodeTflCustom;
  }
  return litert::Unexpected(
      kLiteRtStatusErrorUnsupported,
      fmt::format("{} unsupported operator{}: {}{}", texts.size(), texts.size() == 1 ? "" : "s",
                  fmt::join(texts, ", "),
                  any_custom ? "; custom operators come with operator packages (--op-package-dir "
                               "or NPUKIT_OP_PACKAGE_PATH)"
                             : ""));
}

}  // namespace npukit

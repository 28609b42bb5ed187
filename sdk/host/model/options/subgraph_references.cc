// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options/subgraph_references.h"

namespace npukit {
namespace {

using VisitReference = std::function<void(const char* field, int32_t& index)>;

// Each table that names subgraphs has an overload; `field` is how the schema
// calls the place.
void References(IfOptions& o, const VisitReference& visit) {
  visit("then_subgraph_index", o.then_subgraph_index);
  visit("else_subgraph_index", o.else_subgraph_index);
}
void References(WhileOptions& o, const VisitReference& visit) {
  visit("cond_subgraph_index", o.cond_subgraph_index);
  visit("body_subgraph_index", o.body_subgraph_index);
}
void References(StablehloWhileOptions& o, const VisitReference& visit) {
  visit("cond_subgraph_index", o.cond_subgraph_index);
  visit("body_subgraph_index", o.body_subgraph_index);
}
void References(CallOptions& o, const VisitReference& visit) {
  auto index = static_cast<int32_t>(o.subgraph);
  visit("subgraph", index);
  o.subgraph = static_cast<uint32_t>(index);
}
void References(CallOnceOptions& o, const VisitReference& visit) {
  visit("init_subgraph_index", o.init_subgraph_index);
}
void References(StablehloReduceOptions& o, const VisitReference& visit) {
  visit("body_subgraph_index", o.body_subgraph_index);
}
void References(StablehloReduceWindowOptions& o, const VisitReference& visit) {
  visit("body_subgraph_index", o.body_subgraph_index);
}
void References(StablehloSortOptions& o, const VisitReference& visit) {
  visit("comparator_subgraph_index", o.comparator_subgraph_index);
}
void References(StablehloScatterOptions& o, const VisitReference& visit) {
  visit("update_computation_subgraph_index", o.update_computation_subgraph_index);
}
void References(StablehloCaseOptions& o, const VisitReference& visit) {
  for (int32_t& index : o.branch_subgraph_indices) visit("branch_subgraph_indices", index);
}
void References(StablehloCustomCallOptions& o, const VisitReference& visit) {
  for (int32_t& index : o.called_computations) visit("called_computations", index);
}
void References(StableHLOCompositeOptions& o, const VisitReference& visit) {
  visit("decomposition_subgraph_index", o.decomposition_subgraph_index);
}

template <typename T>
void VisitIf(OpOptions& options, const VisitReference& visit) {
  if (T* table = options.As<T>()) References(*table, visit);
}

// The tables above.
template <template <typename...> typename F>
using TablesWithReferences =
    F<IfOptions, WhileOptions, StablehloWhileOptions, CallOptions, CallOnceOptions,
      StablehloReduceOptions, StablehloReduceWindowOptions, StablehloSortOptions,
      StablehloScatterOptions, StablehloCaseOptions, StablehloCustomCallOptions,
      StableHLOCompositeOptions>;

template <typename... Tables>
struct ForTables {
  static bool HoldsAny(const OpOptions& options) { return (options.Is<Tables>() || ...); }
  static void Visit(OpOptions& options, const VisitReference& visit) {
    (VisitIf<Tables>(options, visit), ...);
  }
};

}  // namespace

void EditSubgraphReferences(OpOptions& options, const VisitReference& visit) {
  TablesWithReferences<ForTables>::Visit(options, visit);
}

std::vector<int32_t> SubgraphReferences(const OpOptions& options) {
  std::vector<int32_t> indices;
  if (!TablesWithReferences<ForTables>::HoldsAny(options)) return indices;
  OpOptions copy = options;
  EditSubgraphReferences(copy, [&](const char*, int32_t& index) { indices.push_back(index); });
  return indices;
}

}  // namespace npukit

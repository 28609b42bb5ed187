// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The values of a stage while it is planned: each tensor that its ops read or write gets one, when it
// is first needed.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_STAGE_VALUES_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_STAGE_VALUES_H_

#include <optional>
#include <unordered_map>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/kernel.h"
#include "sdk/host/runtime/plan/execution_plan.h"
#include "sdk/host/runtime/plan/flat_graph.h"

namespace npukit {

class StageValues {
 public:
  // All are borrowed; the values go into the plan. `earlier` is null for the first stage.
  StageValues(FlatGraph& graph, const PlanOptions& options, const EarlierValues* earlier,
              ExecutionPlan& plan)
      : graph_(graph), options_(options), earlier_(earlier), plan_(plan) {}

  PlanValue& At(int index) { return plan_.values[static_cast<size_t>(index)]; }

  // The graph's inputs, with the shapes that the options give them.
  litert::Expected<void> AddInputs();

  // A value without shape. Indices of values are the plan's, those of graph values the graph's.
  int AddValue(int flat);

  // The value of a graph value that is constant, variable, or of this stage or an earlier one;
  // kNoValue if a later stage has it.
  litert::Expected<int> Find(int flat);

  // nullopt if the stage has none so far.
  std::optional<int> FindAdded(int flat) const;

  // Refuses what cannot be held: types without a size, shapes beyond the limit.
  litert::Expected<void> SetShape(PlanValue& value, kernels::Shape shape);

  // The op's outputs were the values added last.
  void RemoveOutputs(const FlatOp& op);

 private:
  litert::Expected<int> AddConstant(int flat);
  litert::Expected<int> AddVariable(int flat);
  litert::Expected<int> AddEarlier(int flat, const EarlierValues::Found& found);

  FlatGraph& graph_;
  const PlanOptions& options_;
  const EarlierValues* earlier_;
  ExecutionPlan& plan_;
  std::unordered_map<int, int> added_;  // by graph value
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_STAGE_VALUES_H_

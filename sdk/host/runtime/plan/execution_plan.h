// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ops of a subgraph turned into a straight list of steps over values with known shapes: everything
// that depends only on constants and shapes computed, CPU kernels prepared. No memory is laid out
// yet (memory_plan.h) and no dispatch library is asked (execution/stage.h).
//
// Where a shape depends on what a run computes, the ops behind it are left over: they are planned as
// a further stage once the run has come so far. Where all shapes are known there is one stage.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_EXECUTION_PLAN_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_EXECUTION_PLAN_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/hybrid_mode.h"
#include "sdk/host/kernels/kernel.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/runtime/plan/flat_graph.h"
#include "sdk/host/runtime/plan/special_ops.h"

namespace npukit {

// A tensor with its shape. The same value may stand for several tensors of the model, where a
// composite passes one through.
struct PlanValue {
  enum class Kind {
    kComputed,   // lies in the arena: inputs of the graph and results of steps
    kConstant,   // operand.constant: the model's bytes, or `folded`
    kVariable,   // state that lasts from run to run
    kImported,   // an earlier stage's
    kGiven,      // an input or output in memory that the caller gave (memory/given_memory.h)
    kOwnedByOp,  // its size is known when its step has run, or, of an input, when it has been set
  };
  // Of values that only a run knows.
  struct RunTime {
    std::span<uint8_t> imported;  // where it lies; of a given one with what there is beyond it
    // Of an imported value that shapes or kernels of this stage depend on: what it was.
    std::optional<std::vector<uint8_t>> consulted;
    const RunTimeOutputs* outputs = nullptr;  // of kOwnedByOp, with its index there
    size_t index = 0;
  };
  Kind kind = Kind::kComputed;
  kernels::Operand operand;
  uint64_t size_bytes = 0;    // dense
  int flat_value = kNoValue;  // in the FlatGraph
  // Computed while planning, or a copy of constants that the file has misaligned.
  std::vector<uint8_t> folded;
  std::unique_ptr<RunTime> run_time;  // of kImported, kGiven and kOwnedByOp

  // Known before any run.
  bool is_known() const {
    return kind == Kind::kConstant || (kind == Kind::kComputed && size_bytes == 0);
  }
};

struct PlanStep {
  const Op* op = nullptr;
  kernels::Node node;       // points into the plan's values
  std::vector<int> inputs;  // indices of values; kNoValue where omitted
  std::vector<int> outputs;
  std::unique_ptr<kernels::Kernel> kernel;  // null for a dispatch op
};

struct ExecutionPlan {
  std::deque<PlanValue> values;  // stable addresses
  std::vector<PlanStep> steps;
  std::vector<int> inputs;  // in the subgraph's order; only of the first stage
  std::vector<int>
      outputs;  // what lasts beyond the stage: the graph's outputs, what later ops read
  std::vector<int> later_ops;  // of the FlatGraph, in order: what is left for later stages
};

struct PlanOptions {
  int threads = 1;
  kernels::HybridMode hybrid = kernels::HybridMode::kAsTflite;
  // New shapes of graph inputs.
  std::map<const Tensor*, kernels::Shape> resized_inputs;
  uint64_t max_bytes = uint64_t{8} << 30;  // of one value, and of all folded ones together
  SpecialOps* special_ops = nullptr;       // null: they are not supported
  // Where the graph's inputs of strings will lie, by input; null: they are not supported.
  const RunTimeOutputs* string_inputs = nullptr;
};

// What earlier stages have computed.
class EarlierValues {
 public:
  struct Found {
    std::span<const int32_t> shape;
    std::span<uint8_t> memory;          // of what was computed; dense
    std::span<const uint8_t> constant;  // of what was known before any run
  };
  virtual ~EarlierValues() = default;
  // nullopt for a value that none has. Valid until the stage that has it is planned anew.
  virtual std::optional<Found> Find(int flat_value) const = 0;
};

// Plans those of `ops`, in order, whose shapes are known. `earlier` is null for the first stage,
// which has the graph's inputs. A stage that is not the first has at least one step. Errors name op
// and tensor; operators that refuse their types or options are all named at once.
litert::Expected<ExecutionPlan> PlanStage(FlatGraph& graph, std::span<const int> ops,
                                          const PlanOptions& options, const EarlierValues* earlier);

// The first stage of a subgraph. The model must outlive the plan. Operators that no kernel knows are
// all named at once.
litert::Expected<ExecutionPlan> BuildPlan(const Model& model, const Subgraph& subgraph,
                                          const PlanOptions& options);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_EXECUTION_PLAN_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A subgraph turned into a straight list of steps over values with known shapes: composites
// replaced by their decomposition (unless a kernel knows them), everything that depends only on
// constants and shapes computed, CPU kernels prepared. No memory is laid out yet (memory_plan.h)
// and no dispatch library is asked (signature_runner.h).

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_EXECUTION_PLAN_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_EXECUTION_PLAN_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/kernel.h"
#include "sdk/host/kernels/node.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

// A tensor with its shape. The same value may stand for several tensors of the model, where a
// composite passes one through.
struct PlanValue {
  enum class Kind {
    kComputed,  // lies in the arena: inputs of the graph and results of steps
    kConstant,  // operand.constant: the model's bytes, or `folded`
    kVariable,  // state that lasts from run to run
  };
  Kind kind = Kind::kComputed;
  kernels::Operand operand;
  uint64_t size_bytes = 0;  // dense
  // Computed while planning, or a copy of constants that the file has misaligned.
  std::vector<uint8_t> folded;

  // Known before any run.
  bool is_known() const {
    return kind == Kind::kConstant || (kind == Kind::kComputed && size_bytes == 0);
  }
};

inline constexpr int kNoValue = -1;  // omitted optional input

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
  std::vector<int> inputs;  // in the subgraph's order
  std::vector<int> outputs;
  // Of a decomposition that runs several times: the first.
  std::unordered_map<const Tensor*, int> value_of;
};

struct PlanOptions {
  int threads = 1;
  // New shapes of graph inputs.
  std::map<const Tensor*, kernels::Shape> resized_inputs;
  uint64_t max_bytes = uint64_t{8} << 30;  // of one value, and of all folded ones together
};

// The model must outlive the plan. Errors name op and tensor; operators that no kernel knows, and
// those that refuse their types or options, are all named at once.
litert::Expected<ExecutionPlan> BuildPlan(const Model& model, const Subgraph& subgraph,
                                          const PlanOptions& options);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_EXECUTION_PLAN_H_

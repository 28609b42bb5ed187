// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a subgraph op by op, for the tests of kernels: no arena, no plan, every tensor kept.

#ifndef NPUKIT_SDK_HOST_KERNELS_TESTING_GRAPH_EXECUTOR_H_
#define NPUKIT_SDK_HOST_KERNELS_TESTING_GRAPH_EXECUTOR_H_

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::kernels::testing {

// Names of the operators that the subgraph needs and no kernel knows.
std::set<std::string> MissingOperators(const Subgraph& subgraph);

class GraphExecutor {
 public:
  // The subgraph must outlive the executor.
  explicit GraphExecutor(const Subgraph& subgraph, PrepareOptions options = {})
      : subgraph_(subgraph), options_(std::move(options)) {}

  // Infers, prepares and runs everything on these inputs (dense bytes, in the subgraph's order).
  litert::Expected<void> Run(const std::vector<std::vector<uint8_t>>& inputs,
                             ThreadPool* pool = nullptr);

  // After Run: dense bytes of any tensor.
  const std::vector<uint8_t>& ValueOf(const Tensor& tensor) const {
    return values_.at(&tensor).bytes;
  }
  const Shape& ShapeOf(const Tensor& tensor) const { return values_.at(&tensor).operand.shape; }

  // After Run or Rerun: each op's oracle on the inputs that its kernel had, held against what the
  // kernel gave. The first error or mismatch, with the op's name.
  litert::Expected<void> CheckEachOp() const;

  // After Run or Rerun: oracle values of the outputs with bounds from op to op, starting from the
  // exact inputs and the states as they were before.
  litert::Expected<std::vector<OracleTensor>> PropagatedOutputs() const;

  // Runs all steps again on what lies there; for benchmarks.
  litert::Expected<void> Rerun(ThreadPool* pool = nullptr);
  size_t steps() const { return steps_.size(); }
  const Op& op_of(size_t step) const { return *steps_[step].node.op; }
  litert::Expected<void> RerunStep(size_t step, ThreadPool* pool = nullptr) {
    return RunStep(steps_[step], pool);
  }

 private:
  struct Value {
    Operand operand;
    std::vector<uint8_t> bytes;
  };
  struct Step {
    Node node;
    std::unique_ptr<Kernel> kernel;
    std::vector<std::span<const uint8_t>> inputs;
    std::vector<std::span<uint8_t>> outputs;
    std::vector<std::span<uint8_t>> variables;
    std::vector<std::vector<uint8_t>> before;  // the states as the last run found them
  };
  // What the step read: the states as they were before.
  static std::vector<std::span<const uint8_t>> ReadBy(const Step& step);
  litert::Expected<void> AddStep(const Op& op, ThreadPool* pool);
  litert::Expected<void> RunStep(Step& step, ThreadPool* pool);
  Value& ValueFor(const Tensor& tensor);
  std::span<uint8_t> Scratch(size_t bytes);

  const Subgraph& subgraph_;
  PrepareOptions options_;
  std::unordered_map<const Tensor*, Value> values_;
  std::deque<Step> steps_;
  std::vector<uint8_t> scratch_;
};

}  // namespace npukit::kernels::testing

#endif  // NPUKIT_SDK_HOST_KERNELS_TESTING_GRAPH_EXECUTOR_H_

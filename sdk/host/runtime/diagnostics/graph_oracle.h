// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The oracle of a whole graph: each op's oracle in turn, values and error bounds handed on. A
// composite without an oracle of its own runs through its decomposition.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_GRAPH_ORACLE_H_
#define NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_GRAPH_ORACLE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/quantization/single_rounding.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

// Keeps references to model and subgraph, which must not change. Not thread-safe.
class GraphOracle {
 public:
  GraphOracle(const Model& model, const Subgraph& subgraph) : model_(model), subgraph_(subgraph) {}

  // Inputs in the subgraph's order, dense bytes. Unsupported if an op has no oracle, or one that
  // can't bound the effect of an uncertain input.
  litert::Expected<void> Run(std::span<const std::vector<uint8_t>> inputs);
  litert::Expected<void> Run(std::vector<kernels::OracleTensor> inputs);
  // These ops of the subgraph alone, in its order. `known` are the values that they read beside
  // constants and what they compute.
  litert::Expected<void> RunOps(std::span<const Op* const> ops,
                                std::map<const Tensor*, kernels::OracleTensor> known);

  // After a Run. Indices are those of the subgraph's outputs.
  const kernels::OracleTensor& output(size_t index) const;
  // By the tolerance of the op that computes the output; with `exact`, equal to the oracle's value
  // rounded to the type.
  litert::Expected<kernels::Comparison> Compare(size_t index, std::span<const uint8_t> actual,
                                                bool exact = false) const;
  // The same of any tensor that a run computed.
  litert::Expected<kernels::Comparison> CompareTensor(const Tensor& tensor,
                                                      std::span<const uint8_t> actual,
                                                      bool exact = false) const;
  // Of an op that may round once (single_rounding.h), computed here from inputs that are certain.
  litert::Expected<kernels::RoundedOnce> CompareRoundedOnce(size_t index,
                                                            std::span<const uint8_t> actual) const;
  // Null if the run did not come by it.
  const kernels::OracleTensor* ValueOf(const Tensor* tensor) const;

 private:
  // An op with what its oracle needs. Operands are referred to by the node.
  struct Step {
    kernels::Node node;
    std::deque<kernels::Operand> operands;
    std::deque<std::vector<uint8_t>> known_values;  // behind Operand::constant
    std::unique_ptr<GraphOracle> decomposition;
  };

  litert::Expected<void> RunOp(const Op& op);
  litert::Expected<void> RunNode(Step& step);
  litert::Expected<void> RunDecomposition(Step& step);
  void PrepareStep(const Op& op, Step& step);
  litert::Expected<void> InferShapes(Step& step);
  litert::Expected<void> AddConstant(const Tensor& tensor);
  std::span<const uint8_t> ConstantOf(const Tensor& tensor) const;

  const Model& model_;
  const Subgraph& subgraph_;
  std::map<const Tensor*, kernels::OracleTensor> values_;
  // Of constants of which the file holds only what is not zero.
  std::map<const Tensor*, std::vector<uint8_t>> dense_;
  std::map<const Op*, Step> steps_;
  size_t num_unfolded_ = 0;  // ops of decompositions, of those around this one too
};

// The element whose difference takes the largest part of its bound; elem is -1 if none differs, or
// if the values are integers.
kernels::Mismatch WorstElem(const kernels::OracleTensor& expected, std::span<const uint8_t> actual);

// "elem 12 is 0.5, expected 0.25 +- 1e-07 (3 of 64 elements differ)".
std::string DescribeComparison(const kernels::Comparison& comparison, int64_t elems);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DIAGNOSTICS_GRAPH_ORACLE_H_

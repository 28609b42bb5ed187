// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A subgraph as one list of ops over numbered values: composites replaced by their decomposition,
// unless a kernel knows them. Shapes and constants' bytes are not looked at.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_FLAT_GRAPH_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_FLAT_GRAPH_H_

#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit {

inline constexpr int kNoValue = -1;  // omitted optional input

struct FlatValue {
  enum class Source { kInput, kOp, kConstant, kVariable };
  // Of a decomposition's result the composite's output, which is named as the model names it.
  const Tensor* tensor = nullptr;
  Source source = Source::kOp;
  // Another value that this one is, where a composite passes one through.
  int same_as = kNoValue;
};

struct FlatOp {
  const Op* op = nullptr;
  std::vector<int> inputs;  // values; kNoValue where omitted
  std::vector<int> outputs;
  // Of a composite that a kernel knows: what to run if the kernel refuses. Null if there is none.
  const Subgraph* decomposition = nullptr;
  std::vector<const Subgraph*> within;  // decompositions that the op is of, outermost first
};

// The model must outlive it.
class FlatGraph {
 public:
  // Errors name op and tensor: one that is read and has no value, one that two ops compute,
  // decompositions that contain themselves.
  static litert::Expected<FlatGraph> Build(const Model& model, const Subgraph& subgraph);

  std::span<const int> inputs() const { return inputs_; }
  std::span<const int> outputs() const { return outputs_; }
  // Ops in topological order.
  std::span<const int> order() const { return order_; }
  const FlatOp& op(int index) const { return ops_[static_cast<size_t>(index)]; }
  const FlatValue& value(int index) const { return values_[static_cast<size_t>(index)]; }
  size_t num_values() const { return values_.size(); }
  // The value that it is, or another that is the same.
  int Resolve(int value) const;
  // Of a decomposition that runs several times: the first.
  const std::unordered_map<const Tensor*, int>& value_of() const { return value_of_; }

  // Once all are planned for good: frees what only planning looks at. Values stay.
  void ForgetOps();

  // The ops of the decomposition that stand for `op`, in order; added at the first call. Only of an
  // op with a decomposition.
  litert::Expected<std::span<const int>> Expand(int op);

 private:
  // Which value a tensor stands for, within one run of one subgraph.
  using Frame = std::unordered_map<const Tensor*, int>;

  explicit FlatGraph(const Model& model) : model_(&model) {}
  int AddValue(const Tensor& tensor, FlatValue::Source source);
  litert::Expected<int> ValueOf(const Tensor& tensor, Frame& frame);
  litert::Expected<void> AddOps(const Subgraph& subgraph, Frame& frame,
                                const std::vector<const Subgraph*>& within,
                                std::vector<int>& order);
  litert::Expected<void> AddOp(const Op& op, Frame& frame,
                               const std::vector<const Subgraph*>& within, std::vector<int>& order);
  litert::Expected<void> AddDecomposition(const FlatOp& composite, const Subgraph& decomposition,
                                          std::vector<int>& order);

  const Model* model_;
  std::deque<FlatValue> values_;
  std::deque<FlatOp> ops_;
  size_t num_added_ = 0;  // ops, and composites that were unfolded
  std::vector<int> inputs_;
  std::vector<int> outputs_;
  std::vector<int> order_;
  std::unordered_map<const Tensor*, int> value_of_;
  std::unordered_map<const Tensor*, int> shared_;  // constants and variables
  std::unordered_map<int, std::vector<int>> expansions_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_FLAT_GRAPH_H_

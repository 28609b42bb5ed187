// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Short names for what the partition tests are made of: models, selectors, lists of names.

#ifndef NPUKIT_SDK_HOST_PARTITION_TESTING_TEST_GRAPH_H_
#define NPUKIT_SDK_HOST_PARTITION_TESTING_TEST_GRAPH_H_

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/graph/model_verifier.h"
#include "sdk/host/partition/partition_model.h"
#include "sdk/host/placement/partition_by_selector.h"

namespace npukit {

inline constexpr LiteRtOpCode kAdd = kLiteRtOpCodeTflAdd;
inline constexpr LiteRtOpCode kMul = kLiteRtOpCodeTflMul;
inline constexpr LiteRtOpCode kNeg = kLiteRtOpCodeTflNeg;

class TestGraph : public ModelBuilder {
 public:
  Tensor* In(std::string name) { return Input(std::move(name), kLiteRtElementTypeFloat32, {4}); }
  Tensor* Const(std::string name) { return Constant<float>(std::move(name), {4}, {1, 2, 3, 4}); }
  Tensor* Op(LiteRtOpCode code, const std::vector<Tensor*>& inputs, std::string name) {
    Tensor* out = Value(std::move(name), kLiteRtElementTypeFloat32, {4});
    AddOp(code, inputs, {out});
    return out;
  }
  Tensor* Composite(std::string kind, int32_t decomposition, const std::vector<Tensor*>& inputs,
                    std::string name) {
    Tensor* out = Value(std::move(name), kLiteRtElementTypeFloat32, {4});
    AddComposite(std::move(kind), decomposition, inputs, {out});
    return out;
  }
  // A subgraph with one input: what a composite stands for.
  int32_t Decomposition(const std::string& name, const std::vector<LiteRtOpCode>& codes) {
    const int32_t index = BeginSubgraph(name);
    Tensor* value = In(name + ".in");
    for (size_t i = 0; i < codes.size(); ++i) {
      const bool unary = codes[i] == kNeg;
      value = Op(codes[i], unary ? std::vector<Tensor*>{value} : std::vector<Tensor*>{value, value},
                 name + "." + std::to_string(i));
    }
    Output(value);
    SelectSubgraph(0);
    return index;
  }
  std::unique_ptr<Model> Take() {
    auto model = Build();
    EXPECT_TRUE(model) << (model ? "" : model.Error().Message());
    return model ? std::move(*model) : nullptr;
  }
};

// Selects ops by what their first output is called: name -> partition index.
inline Selector ByName(const std::map<std::string, LiteRtParamIndex>& names) {
  return [names](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    SelectorAnswer answer;
    for (const auto& op : subgraph.ops()) {
      const auto found = names.find(op->outputs.front()->name);
      if (found != names.end()) {
        answer.selection.push_back({op.get(), found->second});
      }
    }
    return answer;
  };
}

inline Selector ByCode(const std::set<LiteRtOpCode>& codes) {
  return [codes](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    SelectorAnswer answer;
    for (const auto& op : subgraph.ops()) {
      if (codes.contains(op->code)) answer.selection.push_back({op.get(), 0});
    }
    return answer;
  };
}

inline Selector Everything() {
  return [](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    SelectorAnswer answer;
    for (const auto& op : subgraph.ops()) {
      answer.selection.push_back({op.get(), 0});
    }
    return answer;
  };
}

inline PartitionedModel MustPartition(const Model& model, const Selector& selector,
                                      const KeepWhole& keep_whole = nullptr) {
  auto partitioned = PartitionBySelector(model, selector, keep_whole);
  EXPECT_TRUE(partitioned) << (partitioned ? "" : partitioned.Error().Message());
  if (!partitioned) return {};
  const auto verified = VerifyModel(*partitioned->outer);
  EXPECT_TRUE(verified) << verified.Error().Message();
  return std::move(*partitioned);
}

inline std::vector<std::string> Names(const std::vector<Tensor*>& tensors) {
  std::vector<std::string> names;
  for (const Tensor* tensor : tensors) names.push_back(tensor->name);
  return names;
}

inline std::vector<std::string> OpNames(const Subgraph& subgraph) {
  std::vector<std::string> names;
  for (const auto& op : subgraph.ops()) {
    names.push_back(op->outputs.empty() ? OpName(*op) : op->outputs.front()->name);
  }
  return names;
}

inline std::vector<std::string> TensorNames(const Subgraph& subgraph) {
  std::vector<std::string> names;
  for (const auto& tensor : subgraph.tensors()) names.push_back(tensor->name);
  return names;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_TESTING_TEST_GRAPH_H_

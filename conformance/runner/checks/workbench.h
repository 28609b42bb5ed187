// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a check works with, each part made when it is first asked for: the case's model, the plugin,
// the partitions that its selection gives, the bytecode that it compiles, the dispatch library.
// Lives in the worker.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_WORKBENCH_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_WORKBENCH_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/oracle/graph_model.h"
#include "conformance/runner/checks/observed_rewrite.h"
#include "conformance/runner/vendor/plugin_under_test.h"
#include "conformance/runner/vendor/vendor_plugin.h"
#include "conformance/spec/claims/claim_match.h"
#include "conformance/spec/suite/suite.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/partition/partition_model.h"
#include "sdk/host/placement/partition_by_selector.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"

namespace npukit::conformance {

// An op of a model with the answer that the claims give for it.
struct JudgedOp {
  const Op* op = nullptr;
  ClaimAnswer answer;
};

// What a claimed op says of the coverage of claims: its claim, and its values of the options that the
// claim limits.
std::vector<std::string> ExercisedBy(const JudgedOp& judged);

// One set of values per input.
using InputSet = std::vector<std::vector<uint8_t>>;

class Workbench {
 public:
  Workbench(const PluginUnderTest& under_test, const CaseSpec& spec)
      : under_test_(under_test), spec_(spec) {}

  const PluginUnderTest& under_test() const { return under_test_; }
  const CaseSpec& spec() const { return spec_; }
  const Claims& claims() const { return under_test_.claims; }

  litert::Expected<Model*> model();
  // Ops of the subgraphs that a plugin is asked about (decompositions of composites left out), in
  // order.
  litert::Expected<std::vector<JudgedOp>> judged_ops();

  litert::Expected<const LiteRtCompilerPluginApi*> api();
  litert::Expected<const VendorPlugin*> plugin();
  // Another object of it, with the run's compile specs. From any thread once api() was asked.
  litert::Expected<VendorPlugin> NewPlugin();
  // What its transformations make of the model; and what it is asked about then.
  litert::Expected<const ObservedRewrite*> rewrite();
  litert::Expected<Model*> asked_model();
  // By the plugin's selection in that, for its default SoC. An error if it selects nothing.
  litert::Expected<PartitionedModel*> partitioned();
  litert::Expected<const Artifacts*> artifacts();
  // Null where observations are judged.
  litert::Expected<std::shared_ptr<const DispatchLibrary>> dispatch();

  // Input values for a subgraph, by the case's patterns (`index` counts through them, then through
  // further random sets). Of a partition, numbers of 32 and 64 bits that the model computes are those that it
  // does compute: they may be places, of which most do not exist.
  litert::Expected<InputSet> Inputs(const Subgraph& subgraph, size_t index);
  size_t pattern_count() const { return spec_.patterns.size(); }

 private:
  // What the model computes for it from its own inputs of that index, zeros where the oracle does not come by it;
  // nothing if it is no such tensor.
  std::optional<std::vector<uint8_t>> ComputedByModel(const Tensor& tensor, size_t index);
  int32_t ExtentOf(const Tensor& tensor) const;

  const PluginUnderTest& under_test_;
  const CaseSpec& spec_;
  std::optional<CaseModel> model_;
  std::optional<PluginFunctions> functions_;
  std::optional<VendorPlugin> plugin_;
  std::optional<ObservedRewrite> rewrite_;
  std::optional<PartitionedModel> partitioned_;
  std::optional<Artifacts> artifacts_;
  // The model's last run with its inputs of an index; without an oracle it knows nothing of it.
  struct ComputedModel {
    size_t index = 0;
    std::unique_ptr<GraphOracle> oracle;
  };
  std::optional<ComputedModel> computed_;
};

// The subgraphs that composites of the model can be replaced by.
std::set<size_t> DecompositionsOf(const Model& model);

// Of the bytes of its file: whether anybody changed it.
litert::Expected<std::string> ModelDigest(const Model& model);
// As it is where vendor code had it in its hands.
litert::Expected<std::string> ObserveModelDigest(const Model& model);

// Asks the plugin itself: selections are handed to the host's partitioner unseen.
litert::Expected<PartitionedModel> PartitionWith(const VendorPlugin& plugin, const char* soc,
                                                 const Model& model);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_WORKBENCH_H_

// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Several plugins applied to one model. The plugins are asked in order, each about the ops that
// those before it left and the placement allows; a later one never sees what an earlier one took.
// One compiled model carries the bytecode of all of them, and metadata that says which op went
// where (delegate_metadata.h).

#ifndef NPUKIT_SDK_HOST_PLACEMENT_DELEGATION_H_
#define NPUKIT_SDK_HOST_PLACEMENT_DELEGATION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/constant_report.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/placement/op_placement.h"
#include "sdk/host/plugin/compiler_plugin.h"

namespace npukit {

enum class OnCompileFailure {
  kFail,   // the whole model is refused
  kSplit,  // smaller partitions are tried, down to single ops; those that fail stay on the CPU
};

struct DelegationOptions {
  // Goes to those plugins that list it; the others use their default. An error if none lists it.
  std::string soc_model;
  PlacementRequest placement;
  bool one_op_per_partition = false;
  // Composites that the host runs whole, PartitionOptions::keep_whole.
  std::function<bool(const Op& composite)> keep_whole;
  OnCompileFailure on_compile_failure = OnCompileFailure::kFail;
};

struct Delegation {
  // Of all plugins together; `partitions` and the records' numbers are common to all.
  ApplyResult applied;
  // What a plugin did; one per plugin given, in order.
  struct Share {
    std::string manufacturer;
    std::string path;
    std::string soc_model;
    std::vector<size_t> partitions;  // into applied.partitions
    std::vector<size_t> modules;     // into applied.modules
    uint64_t compile_ns = 0;
  };
  std::vector<Share> shares;
  std::vector<size_t> plugin_of_partition;      // into `shares`
  std::vector<std::vector<CompileSpec>> specs;  // of each partition, as the plugin got them
  // What the plugins made for this process lives as long as these.
  std::vector<std::shared_ptr<void>> executable_owners;
  ConstantReport constants;
  // A failed compilation that was got round: the plugin's message and the ops left on the CPU.
  struct Failure {
    std::string plugin;
    std::string message;
    std::vector<std::string> culprits;
  };
  std::vector<Failure> failures;
  std::vector<std::string> warnings;  // rules that matched nothing
};

// Where ops would go; nothing is compiled. Partition::index is not the plugin's.
struct DelegationPlan {
  PartitionedModel partitioned;
  std::vector<size_t> plugin_of_partition;
  std::vector<std::string> warnings;
};

// An error where a plugin cannot use the value of a spec that it knows, or does not know one that
// names it.
litert::Expected<void> CheckSpecs(std::span<const CompilerPlugin* const> plugins,
                                  const PlacementRequest& placement);

// `plugins` in order of preference, each at most once by name. The given model is not changed.
// Errors: as ApplyPlugin; a rule or spec that names a plugin which is not among them, a spec that
// the named plugin (or, of none named, every plugin) does not know.
litert::Expected<DelegationPlan> PlanDelegation(const Model& model,
                                                std::span<const CompilerPlugin* const> plugins,
                                                const DelegationOptions& options = {});
litert::Expected<Delegation> ApplyPlugins(const Model& model,
                                          std::span<const CompilerPlugin* const> plugins,
                                          const DelegationOptions& options = {});

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_DELEGATION_H_

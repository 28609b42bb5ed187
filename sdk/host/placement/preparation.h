// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What holds for all attempts to compile one model: the plugins with their SoC models and specs, the
// model as they rewrote it, what they said of it, the rules. And the way from there to partitions.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_PREPARATION_H_
#define NPUKIT_SDK_HOST_PLACEMENT_PREPARATION_H_

#include <cstddef>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/partition_model.h"
#include "sdk/host/placement/apply_options.h"
#include "sdk/host/placement/compile_specs.h"
#include "sdk/host/placement/place.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/rewrite/rewrite.h"

namespace npukit {

using Plugins = std::span<const LoadedPlugin* const>;

// The model after the host's rewrite and plugins' transformations, and where its ops come from.
struct RewrittenModel {
  std::unique_ptr<Model> model;  // null if nothing matched
  OpOrigins origins;             // of all subgraphs, unless nothing matched
  std::vector<std::string> warnings;
};
// The host's rewrite, if there is one, then each plugin's transformations, on what those before it left.
// Errors name the plugin and the transformation.
litert::Expected<RewrittenModel> RewriteForPlugins(const Model& model, Plugins plugins,
                                                   ModelRewrite before_plugins);

// What plugins are asked for: their Partition, with the SoC models by plugin, which outlive it.
std::vector<AskedPlugin> AskedPlugins(Plugins plugins, std::span<const std::string> soc_models);

// A placement and the partitions that follow from it.
struct Attempt {
  PartitionedModel partitioned;
  std::vector<bool> rule_matched;

  std::vector<OpId> OpsOf(size_t partition) const;
  std::vector<std::set<OpId>> OpsOfPartitions() const;
  std::vector<size_t> PartitionsOf(size_t plugin) const;
};

class Preparation {
 public:
  // All outlive the result. Errors: a SoC model that no plugin takes, rules and specs that name a
  // plugin or partition which is not there, transformations that break the graph.
  static litert::Expected<std::unique_ptr<Preparation>> Make(const Model& given, Plugins plugins,
                                                             const ApplyOptions& options);

  const Model& given() const { return given_; }
  // After the plugins' transformations.
  const Model& model() const { return rewritten_.model != nullptr ? *rewritten_.model : given_; }
  // Null if there were none.
  const OpOrigins* origins() const {
    return rewritten_.model != nullptr ? &rewritten_.origins : nullptr;
  }
  Plugins plugins() const { return plugins_; }
  const ApplyOptions& options() const { return options_; }
  const std::vector<std::string>& soc_models() const { return soc_models_; }  // by plugin
  CompileSpecs& specs() { return specs_; }

  // Place and PartitionModel.
  litert::Expected<Attempt> Try(const Exclusions& exclusions);
  // Excludes the ops of partitions beyond PlacementRequest::max_partitions, the smallest first, and
  // tries again until there are no more than that. What was beyond it before may be kept now.
  litert::Expected<Attempt> TryWithinLimit(Exclusions& exclusions);

  // Rules that no op matched, plugins whose transformations did not come to an end.
  std::vector<std::string> Warnings(const Attempt& attempt) const;

 private:
  Preparation(const Model& given, Plugins plugins, const ApplyOptions& options);

  litert::Expected<void> CheckNames() const;
  litert::Expected<void> ChooseSocs();
  litert::Expected<void> NumberPartitions();

  const Model& given_;
  const Plugins plugins_;
  const ApplyOptions& options_;
  std::vector<std::string> soc_models_;
  RewrittenModel rewritten_;
  CompileSpecs specs_;
  PlacementRules rules_;
  std::unique_ptr<OpNumbering> numbering_;
  std::unique_ptr<SelectionQuestions> questions_;
};

// All but the `most` partitions with the most ops, of equal ones the first; npu_calls don't count.
std::vector<size_t> BeyondLargest(std::span<const PartitionedModel::Partition> partitions,
                                  size_t most);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_PREPARATION_H_

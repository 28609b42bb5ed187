// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The one way from a model to a compiled model: `npukit apply`, compiling at load and the
// conformance kit call ApplyPlugins, and `npukit explain` the first half of it, PlanPartitions.
//
//   rewrite (RewriteForPlugins) -> Selections -> Placement (PlaceModel) -> PartitionedModel
//   (PartitionModel) -> CompiledShare (CompileShare) -> ApplyResult (Embed)
//
// Plugins are asked in order, each about the ops that those before it left and the rules allow; a
// later one never sees what an earlier one took. One compiled model carries the bytecode of all of
// them, and metadata that says which op went where (delegate_metadata.h). No file takes part here.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_APPLY_H_
#define NPUKIT_SDK_HOST_PLACEMENT_APPLY_H_

#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/partition_model.h"
#include "sdk/host/placement/apply_options.h"
#include "sdk/host/placement/apply_result.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit {

// Where ops would go; nothing is compiled.
struct PartitionPlan {
  PartitionedModel partitioned;
  std::vector<std::string> warnings;  // Preparation::Warnings
};

// `plugins` in order of preference, each at most once by name. The given model is not changed and
// stays usable: on an error it can run on the CPU. Both models share their buffers, so `model` must
// not be read by other threads meanwhile. Errors: a transformation of a plugin breaks the graph; the
// SoC model is unknown; a plugin's selection or result is not valid; compiling failed (the message
// lists the partitions' ops); a rule or spec that names a plugin or partition which is not there, a
// spec that the named plugin (or, of none named, every plugin) does not know.
litert::Expected<PartitionPlan> PlanPartitions(const Model& model,
                                               std::span<const LoadedPlugin* const> plugins,
                                               const ApplyOptions& options = {});
litert::Expected<ApplyResult> ApplyPlugins(const Model& model,
                                           std::span<const LoadedPlugin* const> plugins,
                                           const ApplyOptions& options = {});

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_APPLY_H_

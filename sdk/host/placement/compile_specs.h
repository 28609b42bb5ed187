// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which compile specs go to which plugin, and to which of its partitions.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_COMPILE_SPECS_H_
#define NPUKIT_SDK_HOST_PLACEMENT_COMPILE_SPECS_H_

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/partition/op_id.h"
#include "sdk/host/placement/rules/placement_request.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit {

// An error where a plugin cannot use the value of a spec that it knows, does not know one that names
// it, or is told of another SoC model than `soc_model` (empty: the plugin's default).
litert::Expected<void> CheckSpecs(std::span<const LoadedPlugin* const> plugins,
                                  const PlacementRequest& placement, const std::string& soc_model);

// `soc_model` for plugins that list it, and for a plugin that is alone; the others' default, "".
std::string SocModelFor(const LoadedPlugin& plugin, size_t num_plugins,
                        const std::string& soc_model);

class CompileSpecs {
 public:
  // `just_in_time`: plugins that know NPUKIT_SPEC_ENABLE_JIT get it.
  CompileSpecs(std::span<const LoadedPlugin* const> plugins, const PlacementRequest& placement,
               bool just_in_time)
      : plugins_(plugins), placement_(placement), just_in_time_(just_in_time) {}
  // The plugins are as they were.
  ~CompileSpecs();
  CompileSpecs(const CompileSpecs&) = delete;
  CompileSpecs& operator=(const CompileSpecs&) = delete;

  // Asks the plugins, and gives them the specs of every partition: what they select may depend on
  // them. Error: as CheckSpecs, with the SoC model of each plugin.
  litert::Expected<void> SetCommon(std::span<const std::string> soc_models);
  // Error: a spec that no plugin knows.
  litert::Expected<void> CheckAllAreKnown() const;
  // The ops of each partition, by the number that specs call it by. Error: a spec names another.
  litert::Expected<void> SetPartitions(std::vector<std::set<OpId>> partitions);
  // What a partition of plugin `p` with these ops is compiled with, its own over common ones.
  std::vector<CompileSpec> Of(size_t p, std::span<const OpId> ops) const;

 private:
  std::vector<CompileSpec> Common(size_t p) const;
  // What all partitions of the plugin have, those that stay between host and plugin included.
  std::vector<CompileSpec> CommonWithJit(size_t p) const;

  std::span<const LoadedPlugin* const> plugins_;
  const PlacementRequest& placement_;
  const bool just_in_time_;
  std::vector<std::vector<const CompileSpecRequest*>> known_;  // by plugin
  std::set<const CompileSpecRequest*> accepted_;
  std::vector<std::set<OpId>> partitions_;
};

// Error: `where` names a partition that is not there.
litert::Expected<void> CheckPartitionNumber(size_t number, const std::string& where, size_t count);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_COMPILE_SPECS_H_

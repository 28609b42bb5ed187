// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which compile specs go to which plugin, and to which of its partitions.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_DELEGATE_SPECS_H_
#define NPUKIT_SDK_HOST_PLACEMENT_DELEGATE_SPECS_H_

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/placement/op_placement.h"
#include "sdk/host/plugin/compiler_plugin.h"

namespace npukit {

// Manufacturers' names are compared without regard to case.
bool IsSameName(std::string_view a, std::string_view b);

class DelegateSpecs {
 public:
  DelegateSpecs(std::span<const CompilerPlugin* const> plugins, const PlacementRequest& placement)
      : plugins_(plugins), placement_(placement) {}
  // The plugins are as they were.
  ~DelegateSpecs();
  DelegateSpecs(const DelegateSpecs&) = delete;
  DelegateSpecs& operator=(const DelegateSpecs&) = delete;

  // Asks the plugins, and gives them the specs of every partition: what they select may depend on
  // them. Error: a plugin does not know a spec that names it.
  litert::Expected<void> SetCommon();
  // Error: a spec that no plugin knows.
  litert::Expected<void> CheckAllAreKnown() const;
  // The keys (OpKey) of the ops of each partition, by the number that specs call it by.
  void SetPartitions(std::vector<std::set<std::string>> keys) { partitions_ = std::move(keys); }
  // What a partition of plugin `p` with these ops is compiled with, its own over common ones.
  std::vector<CompileSpec> Of(size_t p, const std::vector<std::string>& keys) const;

 private:
  std::vector<CompileSpec> Common(size_t p) const;

  std::span<const CompilerPlugin* const> plugins_;
  const PlacementRequest& placement_;
  std::vector<std::vector<const CompileSpecRequest*>> known_;  // by plugin
  std::set<const CompileSpecRequest*> accepted_;
  std::vector<std::set<std::string>> partitions_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_DELEGATE_SPECS_H_
